import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { generateRecordLines } from '../../../src/generate/records.ts';
import { openPostgresGraph } from '../../../src/graph/postgres/engine.ts';
import { completePendingLinking } from '../../../src/people/linking.ts';
import { verifyGraph } from '../../../src/people/verify-links.ts';
import { parseSocketFolder } from '../../kit/programs/postgres.ts';
import { worldOf } from '../../generate/world.ts';
import { freshFolder } from '../../kit/folder.ts';
import { SECRET } from '../../kit/graphs/found.ts';
import { importInto, type Row } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const server = sharedPostgres();
const ROWS = [...generateRecordLines(worldOf(25, { seed: 7, countries: ['US'] }))]
  .flatMap(({ records }) => records.trim().split('\n'))
  .map((line) => JSON.parse(line) as Row);
/** A phone with so many holders that they are in a separate table. */
const OFFICE = Array.from({ length: 30 }, (_, i): Row => ({
  record_id: `office-${i}`,
  identity: `office-${i}`,
  name: `Office Worker ${String.fromCharCode(65 + i)}`,
  phones: ['+1 206 234 0199'],
}));

/** Damage to a table, and the invariant that it breaks. */
const DAMAGES: [sql: string, broken: string][] = [
  [
    'UPDATE bonafide.posting SET share = share + 1 WHERE key = (SELECT max(key) FROM bonafide.posting)',
    'each look-up key leads to',
  ],
  [
    'DELETE FROM bonafide.frequent WHERE holder = (SELECT max(holder) FROM bonafide.frequent)',
    'of very many identities',
  ],
  ['UPDATE bonafide.identity SET told = 7 WHERE id = 1', 'the identity of its records'],
  ['UPDATE bonafide.identity SET hints = hints || hints WHERE id = 2', 'the identity of its records'],
  [`UPDATE bonafide.published SET keys = keys || 8::bigint WHERE id = 3`, 'was published with'],
  ['INSERT INTO bonafide.merged VALUES (99999, 88888)', 'redirected number leads'],
  ['INSERT INTO bonafide.bore VALUES (99999, 77777)', 'with a previous identity number exists'],
  ['INSERT INTO bonafide.bore VALUES (99999, 1)', 'a record with this previous number'],
  ['UPDATE bonafide.graph SET postings = postings + 7', 'stored totals'],
  ['UPDATE bonafide.record SET ref = ref + 1 WHERE id = 4', 'by its source and its id'],
];

describe.skipIf(isWithoutPostgres('verifying'))('a graph on PostgreSQL', () => {
  test('is compared with a new linking of its records, in every table, and each difference is reported', async () => {
    const [url, folder] = [await (await server()).database(), freshFolder()];
    const graph = openPostgresGraph({ url, secret: SECRET, folder });
    onTestFinished(() => graph.close());
    await importInto(graph, [[...ROWS, ...OFFICE]]);
    await importInto(graph, [[{ record_id: 'one-more', name: 'Ada Lovelace', phones: ['+1 206 234 0199'] }]]);
    const right = await verifyGraph(graph);
    expect(right).toMatchObject({ wrong: 0, remembered: true, settled: true });
    expect(right.invariants.filter(({ broken }) => broken > 0)).toEqual([]);
    expect(right.invariants.length).toBeGreaterThan(16);
    // As after a process that put, replaced and removed records, and ended before they were linked.
    await graph.records.remove([{ source: 'crm', recordId: 'office-3' }]);
    await graph.records.put(
      (await graph.records.findByRecordId('office-4')).map((record) => ({ ...record, names: ['Oda Berg'] })),
    );
    await graph.records.put(
      (await graph.records.findByRecordId('office-5')).map((record) => ({
        ...record,
        recordId: 'office-99',
      })),
    );
    const waits = await verifyGraph(graph);
    expect(waits).toMatchObject({ wrong: 0, linked: false, waiting: 3 });
    expect(waits.invariants.filter(({ broken }) => broken > 0)).toEqual([]);
    expect(await completePendingLinking(graph)).toBe(true);
    expect(await verifyGraph(graph)).toMatchObject({ wrong: 0, linked: true, waiting: 0, settled: true });
    const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
    onTestFinished(() => sql.end());
    for (const [damage] of DAMAGES) await sql.unsafe(damage);
    const { invariants } = await verifyGraph(graph);
    const broken = invariants.filter((one) => one.broken > 0).map(({ says }) => says);
    for (const [, says] of DAMAGES) expect(broken.join('\n')).toContain(says);
  });
});
