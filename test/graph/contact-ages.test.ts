// The age of one contact: the time since an identity was last seen with it, and its effect on the score.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import narrative from '../../plugins/narrative/index.ts';
import { checkClaim } from '../../src/check.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import { extractFacts } from '../../src/features/facts.ts';
import type { Facts } from '../../src/features/plugin/facts.ts';
import type { IdentityGraph, RecordStoringGraph } from '../../src/graph/graph.ts';
import { parseIdentityPrefilterHashes } from '../../src/graph/encryption/hints.ts';
import { computeContactAges, findContactLastSeen } from '../../src/graph/resolve/contact-ages.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import type { StoredContact } from '../../src/link/stored-record.ts';
import { verifyGraph } from '../../src/people/verify-links.ts';
import { freshFolder } from '../kit/folder.ts';
import { importInto, queryOf, strangers, type Row, type Submitted } from '../kit/graphs/graph.ts';
import { isWithoutPostgres, postgresGraph, sharedPostgres } from '../kit/graphs/postgres.ts';

const SECRET = 'a1'.repeat(32);
const YEAR = 365.25 * 86_400_000;
const NOW = Date.UTC(2025, 6, 1);

/** Contacts of people whose older record has other contacts than the newer one. */
const OLD_PHONE = '+1 503 234 0101';
const NEW_PHONE = '+1 503 234 0102';
const FOUR_YEARS_OLD = '+1 503 234 0103';
const PASSED_ON = '+1 503 234 0104';
const SINCE_2009 = '+1 503 234 0105';
const UNTIL_2011 = '+1 503 234 0106';
const OLD_HOME = { street: '418 Alder Creek Road', city: 'Portland', state: 'OR', zip: '97219' };
const row = (identity: string, name: string, last: string, contacts: Partial<Row>): Row => ({
  record_id: `${identity}-${last}`,
  identity,
  name,
  last_seen: last,
  ...contacts,
});
const ROWS: Row[] = [
  row('bettina', 'Bettina Ferraro', '2010-01-01', { emails: ['bettina@old.example'] }),
  row('bettina', 'Bettina Ferraro', '2014-03-01', { phones: [OLD_PHONE], addresses: [OLD_HOME] }),
  row('bettina', 'Bettina Ferraro', '2025-05-01', { emails: ['bettina@new.example'], phones: [NEW_PHONE] }),
  row('nora', 'Nora Quillfeldt', '2021-05-01', { phones: [FOUR_YEARS_OLD] }),
  row('nora', 'Nora Quillfeldt', '2025-04-01', { emails: ['nora@new.example'] }),
  row('ines', 'Ines Holmberg', '2012-02-01', { phones: [PASSED_ON] }),
  row('ines', 'Ines Holmberg', '2025-02-01', { emails: ['ines@new.example'] }),
  row('karl', 'Karl Odenthal', '2024-11-01', { phones: [PASSED_ON], emails: ['karl@new.example'] }),
  // A customer since 2009, who may be current, and a former one.
  { record_id: 'ute', identity: 'ute', name: 'Ute Zander', first_seen: '2009-03-01', phones: [SINCE_2009] },
  row('ute', 'Ute Zander', '2011-03-01', { phones: [UNTIL_2011] }),
  ...strangers(40),
];

const server = sharedPostgres();
const SQLITE = () => {
  const graph = openSqliteGraph({ dataDir: freshFolder(), secret: SECRET });
  onTestFinished(() => graph.close());
  return graph;
};
const ENGINES: [string, () => Promise<RecordStoringGraph> | RecordStoringGraph][] = [['SQLite', SQLITE]];
if (!isWithoutPostgres('the age of a contact'))
  ENGINES.push(['PostgreSQL', async () => postgresGraph(await server(), { secret: SECRET })]);

/** Returns the day when an identity was last seen with the first value of a query; null if it is that of its last record. */
async function lastSeenWith(graph: IdentityGraph, asked: Submitted): Promise<string | null> {
  const [matches = []] = (await graph.resolve(queryOf(asked))).values;
  const [oldest] = matches.flatMap(({ contactLastSeen }) => contactLastSeen ?? []).toSorted();
  return oldest === undefined ? null : new Date(oldest).toISOString().slice(0, 10);
}

const brokenIn = async (graph: RecordStoringGraph) =>
  (await verifyGraph(graph)).invariants.flatMap(({ says, broken }) => (broken > 0 ? [says] : []));

describe.each(ENGINES)('a graph in %s', (_, make) => {
  async function open() {
    const graph = await make();
    await importInto(graph, [ROWS]);
    const check = (request: Submitted) =>
      checkClaim(parseClaim({ value: { ...request }, issues: [] }, 'US'), graph);
    return { graph, check, scoreOf: async (request: Submitted) => (await check(request)).score };
  }

  test('tells when an identity was last seen with an old contact', async () => {
    const { graph } = await open();
    // Whole quarter years before the identity's last record, so up to three months later than the record.
    expect(await lastSeenWith(graph, { phones: [OLD_PHONE] })).toMatch(/^2014-0[3-5]/);
    expect(await lastSeenWith(graph, { addresses: [OLD_HOME] })).toMatch(/^2014-0[3-5]/);
    expect(await lastSeenWith(graph, { emails: ['bettina@old.example'] })).toMatch(/^2010-0[1-3]/);
    expect(await lastSeenWith(graph, { phones: [NEW_PHONE] })).toBeNull();
    expect(await brokenIn(graph)).toEqual([]);
  });

  test('makes a stranger with an old phone of somebody else no fraud', async () => {
    const { scoreOf } = await open();
    const ten = await scoreOf({ name: 'Otto Kranzler', phones: [OLD_PHONE] });
    expect([ten.value >= 40, ten.value <= 50, ten.isPossibleCatfish]).toEqual([true, true, false]);
    expect(ten.insights.join('\n')).toMatch(/last seen on record 1[01] years before/);
    const four = await scoreOf({ name: 'Otto Kranzler', phones: [FOUR_YEARS_OLD] });
    expect([four.value >= 25, four.value <= 45, four.isPossibleCatfish]).toEqual([true, true, false]);
  });

  test('takes a contact without a last date for current, beside dated contacts of the same person', async () => {
    const { graph, check } = await open();
    const since = await check({ name: 'Otto Kranzler', phones: [SINCE_2009] });
    expect([since.score.value < 10, since.score.isPossibleCatfish]).toEqual([true, true]);
    const until = await check({ name: 'Otto Kranzler', phones: [UNTIL_2011] });
    expect([until.score.value >= 40, until.score.isPossibleCatfish]).toEqual([true, false]);
    const own = await check({ name: 'Ute Zander', phones: [SINCE_2009] });
    expect(own.score.history).toMatchObject({ lastSeen: null, contactsLastSeen: null });
    expect(await actionsFor(own)).not.toContain('Ask whether the details are still in use.');
    expect(await brokenIn(graph)).toEqual([]);
  });

  test('keeps a current contact of somebody else, or one beside an old one, a fraud risk', async () => {
    const { scoreOf } = await open();
    for (const phones of [[NEW_PHONE], [NEW_PHONE, OLD_PHONE]]) {
      const { value, isPossibleCatfish } = await scoreOf({ name: 'Otto Kranzler', phones });
      expect([phones, value < 10, isPossibleCatfish]).toEqual([phones, true, true]);
    }
  });

  test('lets the score of the person stand, and asks whether the contact is in use', async () => {
    const { check } = await open();
    const old = await check({ name: 'Bettina Ferraro', phones: [OLD_PHONE] });
    const current = await check({ name: 'Bettina Ferraro', phones: [NEW_PHONE] });
    expect(old.score.value).toBe(current.score.value);
    expect(old.score.insights.join('\n')).toMatch(
      /The phone was last seen with the person of this name 1[01] years before the newest record\./,
    );
    expect(current.score.insights.join('\n')).not.toContain('last seen with');
    expect(await actionsFor(old)).toContain('Ask whether the details are still in use.');
    expect(await actionsFor(current)).not.toContain('Ask whether the details are still in use.');
    expect(old.score.history.lastSeen).toBe(Date.UTC(2025, 4, 1));
  });

  test('gives a phone to its present holder', async () => {
    const { scoreOf } = await open();
    const tenant = await scoreOf({
      name: 'Karl Odenthal',
      phones: [PASSED_ON],
      emails: ['karl@new.example'],
    });
    expect([tenant.value >= 85, tenant.isPossibleCatfish]).toEqual([true, false]);
    const former = await scoreOf({ name: 'Ines Holmberg', phones: [PASSED_ON] });
    expect(former.value).toBeLessThan((await scoreOf({ name: 'Karl Odenthal', phones: [PASSED_ON] })).value);
    expect(former.insights.join('\n')).toMatch(
      /seen with somebody else 1\d years after it was last seen with/,
    );
  });
});

/** Returns the recommended actions of the narrative for a verdict. */
async function actionsFor(verdict: Awaited<ReturnType<typeof checkClaim>>): Promise<string[]> {
  const facts = (await extractFacts(narrative.facts, {
    verdict,
    intent: 'general',
    now: NOW,
  } as Parameters<typeof extractFacts>[1])) as Facts;
  return narrative.rules!(narrative.brief(facts, {}), {}).recommended_actions;
}

describe.each(ENGINES)('publishing to %s', (_, make) => {
  const asked = [OLD_PHONE, NEW_PHONE, FOUR_YEARS_OLD, PASSED_ON].map((phone) => ({ phones: [phone] }));
  const all = (graph: RecordStoringGraph) => Promise.all(asked.map((one) => lastSeenWith(graph, one)));

  test('gives the same ages in any order and in any number of imports', async () => {
    const [whole, parts, reversed] = [await make(), await make(), await make()];
    await importInto(whole, [ROWS]);
    await importInto(parts, [ROWS.slice(2)]);
    await importInto(parts, [ROWS.slice(1, 2)]);
    await importInto(parts, [ROWS.slice(0, 1)]);
    await importInto(reversed, [ROWS.toReversed()]);
    for (const graph of [parts, reversed]) {
      expect(await all(graph)).toEqual(await all(whole));
      expect(await brokenIn(graph)).toEqual([]);
    }
  });

  test('changes an age with the records, also if nothing else of the identity changes', async () => {
    const graph = await make();
    await importInto(graph, [ROWS]);
    const [, old] = ROWS;
    await importInto(graph, [[{ ...old!, last_seen: '2018-03-01' }]]);
    expect(await lastSeenWith(graph, { phones: [OLD_PHONE] })).toMatch(/^2018-0[3-5]/);
    await graph.records.remove([{ source: 'crm', recordId: 'bettina-2025-05-01' }]);
    await importInto(graph, [strangers(1)]);
    expect(await lastSeenWith(graph, { phones: [OLD_PHONE] })).toBeNull();
    expect(await brokenIn(graph)).toEqual([]);
  });
});

test('a graph of an older version has no ages, is right, and gets them when it is published again', async () => {
  const dataDir = freshFolder();
  await operate(dataDir, (graph) => importInto(graph, [ROWS]));
  changeHints(dataDir, (hints) => hints.subarray(0, hints.length - agesIn(hints) - 1));
  const [phone, stranger] = [{ phones: [OLD_PHONE] }, { name: 'Otto Kranzler', phones: [OLD_PHONE] }];
  await operate(dataDir, async (graph) => {
    expect(await lastSeenWith(graph, phone)).toBeNull();
    expect(await brokenIn(graph)).toEqual([]);
    const { score } = await checkClaim(parseClaim({ value: stranger, issues: [] }, 'US'), graph);
    expect(score.value).toBeLessThan(10);
    await importInto(graph, [[row('bettina', 'Bettina Ferraro', '2025-06-01', { phones: [NEW_PHONE] })]]);
    expect(await lastSeenWith(graph, phone)).toMatch(/^2014/);
    expect(await brokenIn(graph)).toEqual([]);
  });
  changeHints(dataDir, (hints) => {
    const wrong = Buffer.from(hints);
    wrong[wrong.length - 1]! += 1;
    return wrong;
  });
  await operate(dataDir, async (graph) =>
    expect(await brokenIn(graph)).toEqual(['each published identity equals the identity of its records']),
  );
});

const agesIn = (hints: Buffer) => parseIdentityPrefilterHashes(hints).contactAges.length;

async function operate(dataDir: string, work: (graph: RecordStoringGraph) => Promise<unknown>) {
  const graph = openSqliteGraph({ dataDir, secret: SECRET });
  await work(graph);
  await graph.close();
}

/** Replaces the hints of the identities with ages of contacts. */
function changeHints(dataDir: string, change: (hints: Buffer) => Buffer): void {
  const db = new Database(join(dataDir, 'graph.db'));
  for (const { id, hints } of db
    .prepare<[], { id: number; hints: Buffer }>('SELECT id, hints FROM identity')
    .all())
    if (agesIn(hints) > 0) db.prepare('UPDATE identity SET hints = ? WHERE id = ?').run(change(hints), id);
  db.close();
}

function contactOf(key: number): StoredContact {
  return { kind: 'phone', keys: [['phone', key]], signature: null, places: [] };
}

const record = fc.record({
  contacts: fc.array(fc.nat(255).map(contactOf), { maxLength: 4 }),
  firstSeen: fc.constant(null),
  lastSeen: fc.option(fc.integer({ min: 0, max: 60 * YEAR })),
});

test('an age is that of the newest record with the contact, in whole quarter years', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), (records) => {
      const dates = records.flatMap(({ lastSeen }) => lastSeen ?? []);
      const lastSeen = dates.length === 0 ? null : Math.max(...dates);
      const contactAges = computeContactAges(records, lastSeen);
      expect(computeContactAges(records.toReversed(), lastSeen)).toBe(contactAges);
      for (const [, phone] of records.flatMap(({ contacts }) => contacts.flatMap(({ keys }) => keys))) {
        const seen = records.filter(({ contacts }) => contacts.some(({ keys: [key] }) => key?.[1] === phone));
        const found = findContactLastSeen({ contactAges, lastSeen }, 'phone', phone);
        const newest = Math.max(...seen.map((one) => one.lastSeen ?? Infinity));
        const age = Math.floor(((lastSeen ?? 0) - newest) / (YEAR / 4));
        const expected = age < 4 ? undefined : Math.round((lastSeen ?? 0) - age * (YEAR / 4));
        // A record without a last date may be current.
        const mayBeCurrent = lastSeen !== null && newest === Infinity;
        expect(found).toBe(mayBeCurrent ? null : expected);
      }
    }),
  );
});

test('a contact is not older than its other spellings, or than a contact whose key has the same end', () => {
  const tagged: StoredContact = {
    ...contactOf(1),
    kind: 'email',
    keys: [
      ['email', 1],
      ['mailbox', 2],
    ],
  };
  const plain: StoredContact = {
    ...contactOf(3),
    kind: 'email',
    keys: [
      ['email', 3],
      ['mailbox', 2],
    ],
  };
  const at = (years: number, contacts: StoredContact[]) => ({
    firstSeen: null,
    lastSeen: years * YEAR,
    contacts,
  });
  const records = [
    at(0, [tagged, contactOf(9)]),
    at(6, [plain]),
    at(4, [contactOf(9 + 256 ** 3)]),
    at(5, [contactOf(9 + 256)]),
    at(10, []),
  ];
  const ages = { contactAges: computeContactAges(records, 10 * YEAR), lastSeen: 10 * YEAR };
  expect(findContactLastSeen(ages, 'email', 1)).toBe(6 * YEAR);
  expect(findContactLastSeen(ages, 'phone', 9)).toBe(4 * YEAR);
  expect(findContactLastSeen(ages, 'phone', 9 + 256)).toBe(5 * YEAR);
  expect(findContactLastSeen(ages, 'mailbox', 2)).toBeUndefined();
});
