// Members of one household: a person with the contacts of a relative is not that relative.
import { beforeAll, describe, expect, test } from 'vitest';
import { checkClaim } from '../../../src/check.ts';
import { parseClaim } from '../../../src/claim/parse.ts';
import type { IdentityGraph } from '../../../src/graph/graph.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { importRows, type Row, sharedFolder, strangers } from '../../kit/graphs/graph.ts';
import { flat } from '../../kit/verdict.ts';
import { COUPLES, openWorld, type Request, requestOf, run, type Value, valuesOf, WORLD } from '../world.ts';

openWorld();

const members = Array.from({ length: COUPLES }, (_, i) =>
  ['Margaret', 'Theodore'].map((given) => `${given}-${i}`),
);
const rowOf = (id: string) => WORLD.find(({ record_id }) => record_id === id)!;

/** Returns the contacts that one person of a couple has alone, and those that both have. */
function contactsOf([id = '', other = '']: readonly string[]) {
  const [all, others] = [valuesOf(rowOf(id)), valuesOf(rowOf(other))];
  const has = (some: Value[], [kind, value]: Value) =>
    some.some((one) => one[0] === kind && JSON.stringify(one[1]) === JSON.stringify(value));
  return {
    name: rowOf(id).name ?? '',
    alone: all.filter((one) => !has(others, one)),
    both: all.filter((one) => has(others, one)),
    others: others.filter((one) => !has(all, one)),
  };
}
const pairs = members.flatMap(([a = '', b = '']) => [
  [a, b],
  [b, a],
]);
const scoreOf = async (request: Request) => (await run(request)).score;
const address = (values: Value[]) => values.filter(([kind]) => kind === 'addresses');
const only = (values: Value[], ...kinds: string[]) => values.filter(([kind]) => kinds.includes(kind));

describe('a member of a household', () => {
  test.each(pairs)('%s with the e-mail of %s and the common address stays below 65', async (...pair) => {
    const { name, both, others } = contactsOf(pair);
    for (const mail of only(others, 'emails'))
      expect(await scoreOf(requestOf(name, [mail, ...address(both)]))).toBeLessThan(65);
  });

  test.each(pairs)(
    '%s with an e-mail and the mobile of %s is from 15 to 39, without the flag',
    async (...pair) => {
      const { name, both, others } = contactsOf(pair);
      const [mail] = only(others, 'emails');
      const sent = [...(mail ? [mail] : []), ...only(others, 'phones'), ...address(both)];
      const it = await run(requestOf(name, sent));
      expect(it.score).toBeGreaterThanOrEqual(15);
      expect(it.score).toBeLessThan(40);
      expect(it.isPossibleCatfish).toBe(false);
      expect(it.trustScore.reasons.join()).toContain('[phone_household]');
    },
  );

  test.each(pairs)('%s with own contacts and those that %s also has reaches 85', async (...pair) => {
    const { name, alone, both } = contactsOf(pair);
    expect(await scoreOf(requestOf(name, [...alone, ...both]))).toBeGreaterThanOrEqual(85);
  });

  test.each(pairs)('%s does not score higher with an additional contact of %s', async (...pair) => {
    const { name, alone, both, others } = contactsOf(pair);
    const before = await scoreOf(requestOf(name, [...alone, ...both]));
    for (const one of others)
      expect(await scoreOf(requestOf(name, [...alone, ...both, one]))).toBeLessThanOrEqual(before);
  });
});

describe.each(pairs)('a member of the family of %s and %s who is not on record', (...pair) => {
  const { name, alone, both } = contactsOf(pair);
  const [, family = ''] = name.split(' ');
  const ask = (given: string, values: Value[]) => run(requestOf(`${given} ${family}`, values));

  test('keeps 40 with contacts that the family shares, and each further one never lowers the score', async () => {
    const all = await ask('Annika', both);
    expect(all.score).toBeGreaterThanOrEqual(40);
    expect(all.isPossibleCatfish).toBe(false);
    expect(all.trustScore.reasons.join()).toContain('[phone_household]');
    for (const one of both) expect((await ask('Annika', [one])).score).toBeLessThanOrEqual(all.score);
  });

  test('stays below 40 with a contact that one member has alone', async () => {
    for (const one of alone) expect((await ask('Annika', [...both, one])).score).toBeLessThan(40);
  });

  test('scores more than a stranger with these contacts', async () => {
    const stranger = await run(requestOf('Annika Delacourt', both));
    expect(stranger.score).toBeLessThan(25);
  });
});

// Law 12 of the score (contract, section 3): contacts that two people share, beside a phone that only the other one has.
const YEARS = [0, 1, 2, 3, 4, 5, 6, 7, 10, 20];
const LARK_RISE = { street: '8 Lark Rise', city: 'Salem', state: 'OR', zip: '97301' };
const phone = (number: number) => `+1503234${String(number).padStart(4, '0')}`;

/** Returns the records of two people who share an e-mail, a phone and an address. Only the second one had the phones in `YEARS`, each last seen so many years ago. */
const pairOf = (at: number, ...names: [string, string]): Row[] => {
  const shared = { emails: [`shared${at}@post.example`], phones: [phone(at)], addresses: [LARK_RISE] };
  return [
    ...names.map((name, i): Row => ({ record_id: `${at}-${i}`, identity: `${at}-${i}`, name, ...shared })),
    ...YEARS.map((years): Row => ({
      record_id: `${at}-1-${years}`,
      identity: `${at}-1`,
      name: names[1],
      phones: [phone(at + 1 + years)],
      first_seen: '2002-01-01',
      last_seen: `${2025 - years}-06-01`,
    })),
  ].map((row) => ({ first_seen: '2012-01-01', last_seen: '2025-06-01', ...row }));
};

let graph: IdentityGraph;
const folder = sharedFolder();
beforeAll(async () => {
  const rows = [
    ...pairOf(100, 'Ada Quillfeather', 'Ben Quillfeather'),
    ...pairOf(200, 'Ute Brandl', 'Kofi Ansah'),
  ];
  await importRows(folder, [[...rows, ...strangers(90).map((row) => ({ ...row, identity: row.record_id }))]]);
  graph = openSqliteGraph({ dataDir: folder });
  return () => graph.close();
});

async function scoreOfPair(name: string, at: number, years: number): Promise<number> {
  const value = { name, emails: [`shared${at}@post.example`], phones: [phone(at), phone(at + 1 + years)] };
  return flat(
    await checkClaim(parseClaim({ value: { ...value, addresses: [LARK_RISE] }, issues: [] }, 'US'), graph),
  ).score;
}

test.each(YEARS)(
  'a phone of the other person alone, last seen %i years ago, bounds what both share',
  async (years) => {
    expect(await scoreOfPair('Ada Quillfeather', 100, years)).toBeLessThanOrEqual(64);
    // A stranger's phone alone leaves 40 to 50 after so many years (law 17).
    expect(await scoreOfPair('Ute Brandl', 200, years)).toBeLessThanOrEqual(years > 5 ? 50 : 39);
  },
);
