import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { getIdentityDetails, explainRecordPair } from '../../src/graph/inspect.ts';
import { requireRecordStoringGraph, type RecordStoringGraph } from '../../src/graph/graph.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { freshFolder } from '../kit/folder.ts';
import {
  FAMILY,
  GIVEN,
  identitiesIn,
  importInto,
  queryOf,
  strangers,
  type Row,
  type Submitted,
} from '../kit/graphs/graph.ts';
import { graphProblems } from '../kit/graphs/contract.ts';
import { memoryGraph } from '../kit/graphs/memory.ts';
import { isWithoutPostgres, postgresGraph, sharedPostgres } from '../kit/graphs/postgres.ts';
import { inFront } from '../kit/graphs/servers.ts';

const SECRET = 'a1'.repeat(32);
const sqliteGraph = () => openSqliteGraph({ dataDir: freshFolder(), secret: SECRET });

/** Returns an upstream engine in front of a graph, with the records of that graph, so that imports go to the graph and queries to the engine. */
async function upstreamTo(behind: RecordStoringGraph): Promise<RecordStoringGraph> {
  const { records, linking } = behind;
  onTestFinished(() => behind.close());
  return { ...(await inFront(behind)), records, linking } as RecordStoringGraph;
}

describe.each<[string, () => RecordStoringGraph | Promise<RecordStoringGraph>]>([
  ['embedded', sqliteGraph],
  ['in-memory', () => memoryGraph(SECRET)],
  ['upstream engine in front of the embedded', () => upstreamTo(sqliteGraph())],
])('the %s engine', (_, make) => {
  test('keeps the contract', async () => {
    const graph = await make();
    expect(await graphProblems(graph)).toEqual([]);
    await graph.close();
  });

  test('tells two people of one name apart by their birth dates', async () => {
    const graph = await make();
    await importInto(graph, [NAMESAKES]);
    const emails = ['monika@old.example', 'monika@new.example', 'monika@near.example'];
    const { name, identities } = await graph.resolve(queryOf({ name: 'Monika Keller', emails }));
    const numberOf = (date: number) =>
      [...identities.values()].find(({ firstSeen }) => firstSeen === Date.UTC(date, 0, 1))?.id ?? 0;
    const pair = [numberOf(2001), numberOf(2002)].toSorted((a, b) => a - b);
    const near = [numberOf(2002), numberOf(2003)].toSorted((a, b) => a - b);
    const pairs = name.differentPeople?.map((two) => two.toSorted((a, b) => a - b));
    expect(pairs).toContainEqual(pair);
    // Dates that differ in one digit of the year may belong to one person.
    expect(pairs).not.toContainEqual(near);
    await graph.close();
  });

  test('stores equal rows of an id that identifies nobody once', async () => {
    const graph = await make();
    expect(await importGuests(graph)).toEqual(GUEST_COUNTS);
    await graph.close();
  });
});

/** A shop's guest orders: one record id for more people than one person's id could have, and Ann Adler three times. */
const GUESTS: Row[] = [
  ...Array.from({ length: 23 }, (_, i): Row => ({
    record_id: '0',
    name: `${GIVEN[i % 20]} ${FAMILY[i % 19]}`,
  })),
  ...Array.from({ length: 3 }, (): Row => ({ record_id: '0', name: 'Ann Adler' })),
];
/** Counts of two imports: of `GUESTS` into an empty graph, and of the same rows again, in two files. */
const GUEST_COUNTS = [
  { added: 24, replaced: 0, records: 24, same: { merged: 2, shared: 1 } },
  { added: 0, replaced: 24, records: 24, same: { merged: 2, shared: 1 } },
];

async function importGuests(graph: RecordStoringGraph) {
  const counts = [];
  for (const files of [[GUESTS], [GUESTS.slice(0, 24), GUESTS.slice(24)]]) {
    const { added, replaced, records, same } = await importInto(graph, files, { journal: {} });
    counts.push({ added, replaced, records, same });
  }
  return counts;
}

const namesake = (id: string, birth_date: string, year: number): Row => ({
  record_id: id,
  identity: id,
  name: 'Monika Keller',
  emails: [`monika@${id}.example`],
  birth_date,
  first_seen: `${year}-01-01`,
});
const NAMESAKES: Row[] = [
  namesake('old', '1955-04-01', 2001),
  namesake('new', '1990-09-09', 2002),
  namesake('near', '1991-09-09', 2003),
];

test('an engine that only resolves is refused where records are asked for', () => {
  const { records: _, linking: __, ...resolving } = memoryGraph(SECRET);
  expect(() => requireRecordStoringGraph(resolving)).toThrow(
    expect.objectContaining({ code: 'invalid_arguments' }),
  );
});

const server = sharedPostgres();

describe.skipIf(isWithoutPostgres('its engine by the contract'))('the PostgreSQL engine', () => {
  test('keeps the contract', async () => {
    expect(await graphProblems(await postgresGraph(await server(), { secret: SECRET }))).toEqual([]);
  });

  test('stores equal rows of an id that identifies nobody once', async () => {
    expect(await importGuests(await postgresGraph(await server(), { secret: SECRET }))).toEqual(GUEST_COUNTS);
  });

  test('keeps it behind the upstream engine', async () => {
    const behind = await postgresGraph(await server(), { secret: SECRET });
    expect(await graphProblems(await upstreamTo(behind))).toEqual([]);
  });

  test('tells the same of any world as the embedded one', async () => {
    await fc.assert(
      fc.asyncProperty(world, sixQuestions, async ([first, second], asked) => {
        const [one, two] = [sqliteGraph(), await postgresGraph(await server(), { secret: SECRET })];
        const imports = [[...others, ...first], second];
        expect(await told(two, imports, asked)).toEqual(await told(one, imports, asked));
        await Promise.all([one.close(), two.close()]);
      }),
      { numRuns: 4 },
    );
  });
});

/** Few names and values, so that people share them and mistype them. */
const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const name = pick(
  'Ann Lindqvist',
  'Anne Lindqvist',
  'Lindqvist, Ann',
  'Hugo Grimaldi',
  'H. Grimaldi',
  'Ann Grimaldi',
);
const email = pick(
  'ann.lindqvist@post.example',
  'ann.lindqvits@post.example',
  'hugo@grimaldi.example',
  'home@post.example',
);
const phone = pick('+1 503 234 0101', '+1 503 234 0102', '+1 206 234 0199');
const address = fc.record({
  street: pick('418 Alder Creek Road', '418 Alder Crek Rd', '9 Quarry Road', '9 Quarry Road Apt 4'),
  city: pick('Portland', 'Denver'),
  state: pick('OR'),
  zip: pick('97219', '97220'),
});
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 2 });
const row = fc.record(
  {
    record_id: pick(...Array.from({ length: 30 }, (_, i) => `r${i}`)),
    source: pick('crm', 'shop'),
    names: some(name),
    emails: some(email),
    phones: some(phone),
    addresses: some(address),
    birth_date: pick('1971-03-14', '1971-14-03', '1988-08-08'),
    last_seen: pick('2018-01-01', '2024-06-01'),
    identity: pick('a', 'b'),
  },
  { requiredKeys: ['record_id', 'source', 'names', 'emails', 'phones', 'addresses'] },
);
/** Two imports in sequence: the second replaces records of the first, and merges and splits identities. */
const world = fc.tuple(fc.array(row, { maxLength: 40 }), fc.array(row, { maxLength: 10 }));
const question: fc.Arbitrary<Submitted> = fc.record({
  name,
  emails: some(email),
  phones: some(phone),
  addresses: some(address),
});
const sixQuestions = fc.array(question, { minLength: 6, maxLength: 6 });
const others = strangers(40);

/** Returns all answers of a graph after these imports, except for times of linking. */
async function told(graph: RecordStoringGraph, imports: Row[][], questions: Submitted[]): Promise<unknown> {
  const summaries = [];
  for (const rows of imports) {
    const { seconds: _, ...summary } = await importInto(graph, [rows]);
    summaries.push(summary);
  }
  const identities = await identitiesIn(graph);
  const { linkedAt: _, ...stats } = await graph.stats();
  const numbers = [...new Set(identities.values())].filter((number) => number !== null);
  const ids = [
    ...new Set(imports.flat().map(({ source = 'crm', record_id }) => `${source}:${record_id}`)),
  ].slice(0, 4);
  return {
    summaries,
    stats,
    identities,
    errorRates: await graph.linking.errorRates(),
    cards: await Promise.all(numbers.map((number) => getIdentityDetails(graph, number))),
    why: await Promise.all(ids.slice(1).map((id) => explainRecordPair(graph, ids[0] ?? '', id))),
    answers: await Promise.all(questions.map((asked) => graph.resolve(queryOf(asked)))),
  };
}

test('both engines tell the same of any world', async () => {
  await fc.assert(
    fc.asyncProperty(world, sixQuestions, async ([first, second], asked) => {
      const [one, two] = [sqliteGraph(), memoryGraph(SECRET)];
      const imports = [[...others, ...first], second];
      expect(await told(two, imports, asked)).toEqual(await told(one, imports, asked));
      await one.close();
    }),
    { numRuns: 12 },
  );
});
