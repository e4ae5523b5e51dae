// Any wrong row in the files of a graph is reported as the sentence of a broken invariant.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { eraseRecords } from '../../../src/people/erase/erase.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { verifyGraph } from '../../../src/people/verify-links.ts';
import { splitIdentity } from '../../../src/people/manual-links.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, operate, type Row, sharedFolder, strangers } from '../../kit/graphs/graph.ts';

const CREEK = { street: '418 Alder Creek Road', city: 'Portland', state: 'OR', zip: '97219' };
/** Records of one person, in two parts that only a third record joins; a household; and a phone with very many holders. */
const PEOPLE: Row[] = [
  ...strangers(40),
  ...Array.from({ length: 30 }, (_, i) => ({
    record_id: `office-${i}`,
    name: `${['Oda', 'Ivo', 'Runa'][i % 3]} Fedorsen${i}`,
    birth_date: `19${50 + i}-03-1${i % 10}`,
    phones: ['+1 503 234 0199'],
  })),
  { record_id: 'ann-1', name: 'Ann Lindqvist', emails: ['ann@post.example'], addresses: [CREEK] },
  { record_id: 'ann-2', name: 'Ann Lindqvist', phones: ['+1 503 234 0101'] },
  { record_id: 'gone', name: 'Hugo Grimaldi', emails: ['hugo@post.example'] },
];
const LATER: Row[] = [
  {
    record_id: 'ann-3',
    name: 'Ann Lindqvist',
    emails: ['ann@post.example'],
    phones: ['+1 503 234 0101'],
    addresses: [CREEK],
    birth_date: '1969-07-20',
  },
  { record_id: 'ann-4', name: 'Ann Lindqvist', emails: ['ann@post.example'], birth_date: '1969-07-20' },
];

const folder = sharedFolder();
await importRows(folder, [PEOPLE]);
await importRows(folder, [LATER]);
await operate(folder, async (graph) => {
  await eraseRecords(graph, [{ source: 'crm', recordId: 'gone' }], { folder, now: 1_700_000_000_000 });
  await splitIdentity(graph, ['ann-4'], { who: 'test', why: 'another', time: 1_700_000_000_000 });
});
await importRows(folder, [[{ record_id: 'last', name: 'Tove Berg', emails: ['tove@post.example'] }]], {
  journal: { command: 'test' },
});

/** Runs SQL on a file of a copy of the folder, and returns the broken invariants. */
async function toldOf(file?: string, sql = ''): Promise<string[]> {
  const dataDir = freshFolder();
  cpSync(folder, dataDir, { recursive: true });
  if (file) {
    const db = new Database(join(dataDir, file));
    db.exec(sql);
    db.close();
  }
  const graph = openSqliteGraph({ dataDir, create: false });
  const it = await verifyGraph(graph);
  await graph.close();
  const broken = it.invariants.flatMap(({ says, broken }) => (broken > 0 ? [says] : []));
  if (!it.linked) broken.push('the graph was not made of the records as they are');
  return it.remembered ? broken : [...broken, 'nothing is remembered'];
}

test('all invariants hold for a graph with imports, manual links and a forgotten person', async () => {
  expect(await toldOf()).toEqual([]);
});

test.each([0, 2, 5])(
  'link.db with wrong bits in every 8th page from page %i is found not to match the graph, and the next import creates it again',
  async (first) => {
    const dataDir = freshFolder();
    cpSync(folder, dataDir, { recursive: true });
    const file = join(dataDir, 'link.db');
    const bytes = readFileSync(file);
    for (let page = first || 8; page < bytes.length / 4096; page += 8)
      for (let at = 1000; at < 3000; at += 3) bytes[page * 4096 + at] = (bytes[page * 4096 + at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const verified = () => operate(dataDir, (graph) => verifyGraph(graph));
    const one = await verified();
    expect(one).toMatchObject({ linked: true, wrong: 0 });
    // Damage of a page without authentication shows as a broken invariant.
    expect(!one.remembered || one.invariants.some(({ broken }) => broken > 0)).toBe(true);
    await importRows(dataDir, [[{ record_id: 'more', name: 'Tove Berg', emails: ['tove@post.example'] }]]);
    expect(await verified()).toMatchObject({ linked: true, wrong: 0 });
  },
);

test('unreadable pages of link.db that are found during incremental linking lead to bulk linking', async () => {
  for (const sql of [
    'UPDATE block_page SET entries = CAST(entries AS TEXT)',
    'UPDATE published SET keys = zeroblob(12)',
    'UPDATE fact_page SET sealed = zeroblob(60)',
    "UPDATE meta SET value = '{' WHERE name IN ('globals', 'totals', 'fold')",
  ]) {
    const dataDir = freshFolder();
    cpSync(folder, dataDir, { recursive: true });
    const db = new Database(join(dataDir, 'link.db'));
    db.exec(sql);
    db.close();
    // Joins a published identity; another Ann would match two.
    const more = { record_id: 'more', name: 'Tove Berg', emails: ['tove@post.example'] };
    await importRows(dataDir, [[more]]);
    const { remembered, wrong, invariants } = await operate(dataDir, (graph) => verifyGraph(graph));
    expect([sql, remembered, wrong, invariants.filter(({ broken }) => broken > 0)]).toEqual([
      sql,
      true,
      0,
      [],
    ]);
  }
});

const SEALED = 'zeroblob(60)';
test.each<[file: string, table: string, sql: string, told: RegExp]>([
  ['link.db', 'meta', "UPDATE meta SET value = 'x' WHERE name = 'revision'", /nothing is remembered/],
  [
    'link.db',
    'meta',
    "UPDATE meta SET value = json_set(value, '$.records', 7) WHERE name = 'totals'",
    /cached totals/,
  ],
  [
    'link.db',
    'meta',
    "UPDATE meta SET value = json_set(value, '$.records', 7) WHERE name = 'globals'",
    /weighed with/,
  ],
  [
    'link.db',
    'fact_page',
    'UPDATE fact_page SET sealed = (SELECT sealed FROM fact_page ORDER BY first DESC LIMIT 1) WHERE first = 1',
    /linking data of a record/,
  ],
  ['link.db', 'fact', 'INSERT INTO fact SELECT 900, sealed FROM fact LIMIT 1', /linking data of a record/],
  [
    'link.db',
    'block_page',
    'UPDATE block_page SET entries = substr(entries, 1, length(entries) - 20)',
    /records of a key/,
  ],
  ['link.db', 'block_page', 'UPDATE block_page SET key = key + 1 WHERE id = 1', /records of a key/],
  ['link.db', 'block', 'INSERT INTO block VALUES (77, 5, 3)', /records of a key/],
  [
    'link.db',
    'tally',
    'UPDATE tally SET count = count + 1 WHERE key = (SELECT max(key) FROM tally)',
    /frequencies of keys/,
  ],
  ['link.db', 'tally', 'INSERT INTO tally VALUES (7, 77, 2)', /frequencies of keys/],
  [
    'link.db',
    'joined',
    'UPDATE joined SET bits = bits + 1 WHERE a = (SELECT min(a) FROM joined)',
    /joined pairs/,
  ],
  ['link.db', 'joined', 'INSERT INTO joined VALUES (1, 2, 9), (2, 1, 9)', /joined pairs/],
  ['link.db', 'measured', 'INSERT INTO measured VALUES (1, 2, 9), (2, 1, 9)', /pairs for error rates/],
  ['link.db', 'pattern', 'INSERT INTO pattern VALUES (99, 3)', /pairs for error rates/],
  ['link.db', 'pending', 'INSERT INTO pending VALUES (1, NULL)', /waits to be linked/],
  ['link.db', 'published', 'UPDATE published SET keys = zeroblob(8) WHERE id = 1', /published with/],
  ['link.db', 'redirect', 'INSERT INTO redirect VALUES (777, 1)', /redirected number leads/],
  [
    'records.db',
    'record_meta',
    "UPDATE record_meta SET value = 'x' WHERE name = 'link_stamp'",
    /not made of the records as they are/,
  ],
  ['records.db', 'record', 'UPDATE record SET ref = ref + 1 WHERE id = 3', /found by its source/],
  ['records.db', 'record', 'UPDATE record SET key = zeroblob(16) WHERE id = 3', /found by its source/],
  ['records.db', 'record', 'UPDATE record SET identity = 1 WHERE id = 9', /records and sources equal/],
  ['records.db', 'merged', 'INSERT INTO merged VALUES (777, 1)', /redirected number leads/],
  ['records.db', 'merged', 'UPDATE merged SET heir = 777', /redirected number leads/],
  ['records.db', 'bore', 'INSERT INTO bore VALUES (777, 900)', /with a previous identity number exists/],
  [
    'records.db',
    'bore',
    'UPDATE bore SET row = 1',
    /leads to an identity that has a record with this previous number/,
  ],
  ['records.db', 'forgotten', "INSERT INTO forgotten VALUES ('x', 'y')", /a digest and a time/],
  [
    'records.db',
    'undo',
    'INSERT INTO undo VALUES (900, NULL, zeroblob(16), 1, zeroblob(60))',
    /last import can be undone/,
  ],
  ['records.db', 'undo', 'UPDATE undo SET put = put + 1', /last import can be undone/],
  ['records.db', 'applied', "INSERT INTO applied VALUES (1, 'x', NULL)", /last import can be undone/],
  ['records.db', 'judgement', `UPDATE judgement SET sealed = ${SEALED}`, /manual link/],
  ['records.db', 'judged', "INSERT INTO judged VALUES (zeroblob(16), 'x')", /manual link/],
  ['graph.db', 'meta', "UPDATE meta SET value = '7' WHERE name = 'identities'", /stored totals/],
  ['graph.db', 'meta', "UPDATE meta SET value = '7' WHERE name = 'postings'", /stored totals/],
  ['graph.db', 'meta', "UPDATE meta SET value = '7' WHERE name = 'newest'", /stored totals/],
  ['graph.db', 'meta', `UPDATE meta SET value = '{"address":0.5}' WHERE name = 'error_rates'`, /error rates/],
  ['graph.db', 'identity', 'UPDATE identity SET last_seen = 7 WHERE id = 1', /the identity of its records/],
  [
    'graph.db',
    'identity',
    'UPDATE identity SET hints = zeroblob(4) WHERE id = 1',
    /the identity of its records/,
  ],
  ['graph.db', 'identity', `UPDATE identity SET profile = ${SEALED} WHERE id = 1`, /a published identity/],
  [
    'graph.db',
    'identity',
    'INSERT INTO identity SELECT 777, first_seen, last_seen, records, sources, hints, profile FROM identity LIMIT 1',
    /number of published identities/,
  ],
  [
    'graph.db',
    'posting',
    "UPDATE posting SET ids = ids || ' 9' WHERE key = (SELECT min(key) FROM posting)",
    /leads to the identities/,
  ],
  ['graph.db', 'posting', 'INSERT INTO posting VALUES (77, 4)', /leads to the identities/],
  [
    'graph.db',
    'frequent',
    'UPDATE frequent SET meta = 1 - meta WHERE id = (SELECT max(id) FROM frequent)',
    /of very many identities/,
  ],
])('%s, %s: %s', async (file, _, sql, told) => {
  expect((await toldOf(file, sql)).join('\n')).toMatch(told);
});
