// Threads change how long an import takes, and nothing else.
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { partitionRecordsByPerson } from '../../../src/import/linking/partition.ts';
import { createThreadPool } from '../../../src/platform/threads/helpers.ts';
import { generateRecordLines } from '../../../src/generate/records.ts';
import { worldOf } from '../../generate/world.ts';
import { freshFolder } from '../../kit/folder.ts';
import { foundIn, importBatches, SECRET } from '../../kit/graphs/found.ts';
import { importInto, type Row, strangers } from '../../kit/graphs/graph.ts';
import { memoryGraph } from '../../kit/graphs/memory.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { importRecords } from '../../../src/import.ts';
import { Readable } from 'node:stream';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const rowsOf = (people: number) =>
  [...generateRecordLines(worldOf(people, { seed: 8 }))]
    .flatMap(({ records }) => records.trim().split('\n'))
    .map((line) => JSON.parse(line) as Row);
const ROWS = rowsOf(150);

test('an import with two threads in another order gives exactly the result of one thread: partition, weights and counts', async () => {
  const [alone, helped] = [freshFolder(), freshFolder()];
  await importBatches(alone, [ROWS], 0);
  const shuffled = ROWS.map((_, i) => ROWS[(i * 101) % ROWS.length] ?? {}) as Row[];
  expect(new Set(shuffled).size).toBe(ROWS.length);
  await importBatches(helped, [shuffled], 2);
  expect(await foundIn(helped)).toEqual(await foundIn(alone));
});

const FEW = ROWS.slice(0, 150);

/** Links all records of a folder with a memory limit. Returns the position of each record in memory. */
async function linkedAnew(folder: string, { threads, mostAtHand }: { threads: number; mostAtHand: number }) {
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  const { records, linking } = graph;
  const pool = createThreadPool(threads);
  onTestFinished(() => pool.close());
  const [index, revision] = [linking.linkCache?.rebuild() ?? null, await linking.revision()];
  const found = await partitionRecordsByPerson(graph, { cache: index, pool, mostPackedBytes: mostAtHand });
  await records.runAtomically(async () => linking.publish({ ...found, revision }));
  await graph.close();
  return found.inMemory?.sharedRecords.places ?? new Uint32Array();
}

test.each([0, 2])(
  'with %i threads, records beyond the memory limit are read again and linked like all others',
  async (threads) => {
    const folder = freshFolder();
    await importBatches(folder, [FEW], 0);
    const expected = await foundIn(folder);
    const places = await linkedAnew(folder, { threads, mostAtHand: 8000 });
    expect(places.filter((place) => place === 0).length).toBeGreaterThan(FEW.length / 2);
    expect(places.some((place) => place > 0)).toBe(true);
    expect(await foundIn(folder)).toEqual(expected);
  },
);

test('without encrypted records to read again, records beyond the memory limit are an error', async () => {
  const graph = memoryGraph(SECRET);
  await importInto(graph, [FEW]);
  const found = partitionRecordsByPerson(graph, {
    cache: null,
    pool: createThreadPool(0),
    mostPackedBytes: 8000,
  });
  await expect(found).rejects.toMatchObject({ code: 'out_of_memory' });
});

test.each(['all records', 'the new record'])(
  'a record number beyond those of pairs is an error: linking %s',
  async (linked) => {
    const folder = freshFolder();
    await importBatches(folder, [FEW], 0);
    const records = new Database(join(folder, 'records.db'));
    records.exec('UPDATE record SET id = 67108864 WHERE id = (SELECT max(id) FROM record)');
    records.close();
    if (linked === 'all records') rmSync(join(folder, 'link.db'));
    const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
    onTestFinished(() => graph.close());
    await expect(importInto(graph, [strangers(1)])).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringMatching(/number 67108865.* migrate-to.* 151 records/),
    });
    expect(await graph.records.count()).toBe(FEW.length);
  },
);

describe('records that say exactly the same', () => {
  /** Returns copies of records under other ids: of a few people very many. */
  const withCopies = (rows: Row[], most: number) =>
    rows.flatMap((row, i) =>
      Array.from({ length: i % 7 === 0 ? most : 1 }, (_, copy) => ({
        ...row,
        record_id: `${row.record_id}/${copy}`,
      })),
    );

  test.each([3, 11, 29])('are linked as if every pair were compared: world %i', async (seed) => {
    const people = [...generateRecordLines(worldOf(12, { seed }))];
    const rows = people
      .flatMap(({ records }) => records.trim().split('\n'))
      .map((line) => JSON.parse(line) as Row);
    const folder = freshFolder();
    await importBatches(folder, [withCopies(rows, 120)], 0);
    const expected = await foundIn(folder);
    // A record that is not in memory is compared by itself.
    await linkedAnew(folder, { threads: 0, mostAtHand: 0 });
    expect(await foundIn(folder)).toEqual(expected);
  });

  test('are compared once, however many they are', async () => {
    const row: Row = {
      record_id: '',
      name: 'Ann Quimby',
      emails: ['ann@example.com'],
      phones: ['+14155550134'],
    };
    const rows = Array.from({ length: 1500 }, (_, i) => ({ ...row, record_id: String(i) }));
    const started = process.cpuUsage();
    await importBatches(freshFolder(), [rows], 0);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(6);
  });
});

test('records stay prepared while they are compared, however many others are prepared', async () => {
  const folder = freshFolder();
  const many = rowsOf(800);
  await importBatches(folder, [many], 0);
  const expected = await foundIn(folder);
  const places = await linkedAnew(folder, { threads: 0, mostAtHand: 530_000 });
  const away = places.filter((place) => place === 0).length;
  // More than the prepared records that a thread keeps.
  expect(places.length - away).toBeGreaterThan(1500);
  expect(away).toBeGreaterThan(200);
  expect(await foundIn(folder)).toEqual(expected);
});

/** Imports a text as a file. Returns its summary, the records of the graph, and the rejects. */
async function imported(name: string, text: string, threads: number) {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  const rejects = join(folder, 'rejects');
  const stream = Readable.from([Buffer.from(text)]);
  const {
    seconds: _,
    rejectsFile: __,
    ...told
  } = await importRecords({
    graph,
    threads,
    rejects,
    region: 'US',
    inputs: [{ name, stream, bytes: null }],
  });
  const records: unknown[] = [];
  for await (const page of graph.records.pages()) records.push(...page);
  await graph.close();
  return { told, records, rejects: readFileSync(rejects, 'utf8') };
}

const SOME = ROWS.slice(0, 60);
const LINES = SOME.flatMap((row, i) => [
  JSON.stringify(row),
  ...(i % 7 === 0 ? ['{"record_id":', ''] : []),
  ...(i % 11 === 0 ? [JSON.stringify({ ...row, deleted: true })] : []),
  ...(i % 13 === 0 ? [JSON.stringify({ ...ROWS[i + 60], record_id: row.record_id })] : []),
  ...(i % 17 === 0
    ? [JSON.stringify({ name: 'Ann Lindqvist', emails: ['no e-mail', `ann${i}@post.example`] })]
    : []),
]);
/** Records as the API of a shop returns them. */
const FOREIGN = SOME.slice(0, 5).map((_, i) =>
  JSON.stringify({
    id: 900 + i,
    customer: { first_name: 'Ada', last_name: `Byron${i}` },
    email: `ada${i}@post.example`,
  }),
);
const TABLE = [
  'id,name,email,city',
  ...SOME.map(
    (_, i) =>
      `${i % 9 === 0 ? '' : i},Ann Lindqvist${i},ann${i}@post.example${i % 8 === 0 ? ' oh' : ''},Boise`,
  ),
  '99,Acme Holdings GmbH,,Boise',
];

test.each([
  ['people.jsonl', LINES],
  ['mixed.jsonl', [...LINES.slice(0, 40), ...FOREIGN, ...LINES.slice(40)]],
  ['table.csv', TABLE],
])(
  'of %s threads read what one reads: the same records, counts and reasons, in the same order',
  async (name, lines) => {
    const text = lines.join('\n');
    const alone = await imported(name, text, 0);
    expect(alone.told.rejected + alone.told.dropped).toBeGreaterThan(3);
    expect(await imported(name, text, 2)).toEqual(alone);
  },
);
