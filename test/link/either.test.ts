import { describe, expect, test } from 'vitest';
import { explainRecordPair } from '../../src/graph/inspect.ts';
import { identitiesIn, importInto, type Row } from '../kit/graphs/graph.ts';
import { memoryGraph } from '../kit/graphs/memory.ts';

type Person = Omit<Row, 'record_id'>;

const addresses = [{ street: '77 Juniper Terrace', city: 'Boise', state: 'ID', zip: '83702' }];
const john: Person = { name: 'John Smith', addresses };
const [OLD, YOUNG] = ['1951-03-23', '1984-11-02'];
const phones = ['+1 206 300 1020'];

async function imported(people: Record<string, Person>, order = Object.keys(people)) {
  const graph = memoryGraph('a1'.repeat(32));
  await importInto(graph, [order.map((record_id): Row => ({ record_id, ...people[record_id] }))]);
  return graph;
}

/** Returns the identities as sorted lists of record ids. */
async function groupsOf(people: Record<string, Person>, order?: string[]): Promise<string[]> {
  const groups = new Map<number | null, string[]>();
  for (const [record, identity] of await identitiesIn(await imported(people, order)))
    groups.set(identity, [...(groups.get(identity) ?? []), record]);
  return [...groups.values()].map((group) => group.sort().join(' ')).sort();
}

const father = { ...john, birth_date: OLD };
const son = { ...john, birth_date: YOUNG };

describe('a John Smith of a home with two of them, father and son', () => {
  test('is neither of them where nothing tells which', async () => {
    expect(await groupsOf({ father, son, john })).toEqual(['father', 'john', 'son']);
  });

  test('nor do names of records decide it, nor their order', async () => {
    for (const [one, two, three] of [
      ['a', 'b', 'c'],
      ['x7', 'k', '03'],
    ] as [string, string, string][]) {
      const people = { [one]: father, [two]: son, [three]: john };
      expect(await groupsOf(people, [three, two, one])).toHaveLength(3);
      expect(await groupsOf(people, [two, three, one])).toHaveLength(3);
    }
  });

  test('is one with a record that says as little', async () => {
    expect(await groupsOf({ father, son, john, again: john })).toEqual(['again john', 'father', 'son']);
  });

  test('is the one whose phone he has', async () => {
    const caller = { ...john, phones };
    expect(await groupsOf({ father: { ...father, phones }, son, caller })).toEqual(['caller father', 'son']);
  });

  test('is the one whose suffix he has', async () => {
    const people = {
      father,
      son: { ...son, name: 'John Smith Jr' },
      junior: { ...john, name: 'John Smith Jr' },
    };
    expect(await groupsOf(people)).toEqual(['father', 'junior son']);
  });

  test('is neither where his own records tell no more, many as they are', async () => {
    const calls = { ...john, phones };
    expect(await groupsOf({ father, son, one: calls, two: calls, three: calls })).toEqual([
      'father',
      'one three two',
      'son',
    ]);
  });

  test('is told of: he fits two people who are not one', async () => {
    const told = await explainRecordPair(await imported({ father, son, john }), 'john', 'son');
    expect(told).toMatchObject({ together: false, conflict: false });
    expect(told.bits).toBeGreaterThan(told.needed);
    expect(told.evidence.at(-1)).toEqual({
      code: 'others',
      what: 'but one of them fits two people who are not one, and may be either of them',
      bits: 0,
    });
  });
});

describe('two who are told apart are not joined by a third', () => {
  test('father and son whose dates are a digit apart', async () => {
    const dated = (birth_date: string) => ({ ...john, birth_date });
    expect(await groupsOf({ father: dated('1950-05-17'), son: dated('1980-05-17'), john })).toHaveLength(3);
  });

  test('two national ids', async () => {
    const numbered = (value: string) => ({ ...john, identifiers: [{ type: 'national id', value }] });
    expect(await groupsOf({ one: numbered('T220001293'), two: numbered('L8812Q8712'), john })).toHaveLength(
      3,
    );
  });

  test('Mr and Mrs J. Smith', async () => {
    const titled = (title: string) => ({ ...john, name: 'J. Smith', title });
    expect(
      await groupsOf({ mr: titled('Mr'), mrs: titled('Mrs'), j: { ...john, name: 'J. Smith' } }),
    ).toHaveLength(3);
  });
});

test('a record without a name that has the phone and the mailbox of a couple is neither of them', async () => {
  const emails = ['ostranders@post.example'];
  const shared = { emails, phones, addresses };
  const couple = {
    theodore: { name: 'Theodore Ostrander', ...shared },
    margaret: { name: 'Margaret Ostrander', ...shared },
  };
  expect(await groupsOf({ ...couple, letter: shared })).toEqual(['letter', 'margaret', 'theodore']);
  expect(await groupsOf({ margaret: couple.margaret, letter: shared })).toEqual(['letter margaret']);
});

describe('a mailbox that is known under a few spellings', () => {
  const spelt = (name: string) => ({ name, emails: ['m.ostrander@post.example'] });
  const people = {
    one: spelt('Margaret Ostrander'),
    two: spelt('Margaret Ostrandre'),
    again: spelt('Margaret Ostrander'),
    letter: { emails: ['m.ostrander@post.example'] },
  };

  test("is one person's, and so is a record of it without a name", async () => {
    expect(await groupsOf(people)).toEqual(['again letter one two']);
  });

  test("is nobody's where they are two: a record of it without a name is neither", async () => {
    const { letter, one } = people;
    expect(await groupsOf({ one, other: spelt('Theodore Ostrander'), letter })).toHaveLength(3);
  });
});

describe('a given name a letter off', () => {
  const called = (name: string) => ({ name, phones });

  test('is a typo where it is no name, dated or not', async () => {
    expect(await groupsOf({ a: called('Alison Harland'), b: called('Qlison Harland') })).toEqual(['a b']);
  });

  test('is another of the household where it is one', async () => {
    expect(await groupsOf({ a: called('Daniel Harland'), b: called('Daniela Harland') })).toHaveLength(2);
  });
});

describe('two who differ in a number that people have for life', () => {
  const numbered = (value: string, more: Person = {}): Person => ({
    ...father,
    identifiers: [{ type: 'national id', value }],
    ...more,
  });

  test('are two, though name, birth date and address agree: whoever knows these may be another', async () => {
    expect(await groupsOf({ one: numbered('T220001293'), two: numbered('L8812Q8712') })).toHaveLength(2);
  });

  test('are one where the phone agrees as well: numbers are mistyped', async () => {
    const people = { one: numbered('T220001293', { phones }), two: numbered('T220001298', { phones }) };
    expect(await groupsOf(people)).toEqual(['one two']);
  });
});

describe('one e-mail, one phone and one birth date under two family names', () => {
  const contacts = { emails: ['k.ellsworth@post.example'], phones: ['+1 803 234 0181'], birth_date: YOUNG };
  test.each([
    ['Katherine Ellsworth', 'Kate Donahue'],
    ['Robert Marchetti', 'Bob Lindner'],
    ['Alexandra Kuznetsova', 'Sasha Ivanova'],
  ])('are one person’s if the given names are forms of one: %s and %s', async (before, after) => {
    const people = { before: { ...contacts, name: before }, after: { ...contacts, name: after } };
    expect(await groupsOf(people)).toEqual(['after before']);
  });

  test('are two people’s if the given names differ, or if only a home is shared', async () => {
    const kate = { ...contacts, name: 'Kate Donahue' };
    expect(await groupsOf({ kate, anna: { ...contacts, name: 'Anna Ellis' } })).toEqual(['anna', 'kate']);
    const atHome = { addresses, name: 'Katherine Ellsworth' };
    expect(await groupsOf({ kate: { ...atHome, name: 'Kate Donahue' }, atHome })).toEqual(['atHome', 'kate']);
  });
});

describe('a customer list and subscribers of whom only the e-mail is known', () => {
  const names = ['Ana Souza', 'Boris Petrenko', 'Chidi Okafor', 'Dana Levi', 'Emil Novak', 'Farah Haddad'];
  const mailbox = (i: number) => ({ emails: [`customer.${i}@post.example`] });
  const customers = Object.fromEntries(names.map((name, i) => [`crm-${i}`, { name, ...mailbox(i) }]));
  const subscribers = Object.fromEntries(names.map((_, i) => [`news-${i}`, mailbox(i)]));

  test('each e-mail joins the one person who is known under it', async () => {
    const groups = await groupsOf({ ...customers, ...subscribers });
    expect(groups).toEqual(names.map((_, i) => `crm-${i} news-${i}`));
  });

  test('an e-mail of two people joins neither', async () => {
    const partner = { name: 'Zoe Ferrand', ...mailbox(0) };
    const groups = await groupsOf({ ...customers, partner, 'news-0': mailbox(0) });
    expect(groups).toEqual([...Object.keys(customers), 'news-0', 'partner']);
  });
});
