// Several writers: two feeds at once, an import beside them, a graph whose records are being linked.
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eraseRecords } from '../../../src/people/erase/erase.ts';
import { openRecordFeedWriter } from '../../../src/import/feed/writer.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { verifyRecordLinks } from '../../../src/people/verify-links.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto } from '../../kit/graphs/graph.ts';

const person = (i: number) => ({
  record_id: `${i}`,
  source: 'crm',
  name: `Person${i % 50} Berg`,
  emails: [`person${i % 50}@example.com`],
});

async function folderOf(records: number) {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder });
  await importInto(graph, [Array.from({ length: records }, (_, i) => person(i))]);
  await graph.close();
  return folder;
}

const lines = (records: object[]) => ({
  lines: Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')),
  source: '',
  region: 'US',
});

async function heldIn(folder: string) {
  const graph = openSqliteGraph({ dataDir: folder });
  const [{ records, unlinked }, { wrong }] = [await graph.stats(), await verifyRecordLinks(graph)];
  await graph.close();
  return { records, unlinked, wrong };
}

test('of two calls in one turn, the later one is written later, however fast its lines are parsed', async () => {
  const folder = await folderOf(1);
  const feed = openRecordFeedWriter({ dataDir: folder, nameTables: [] });
  const after = { ...person(0), record_id: 'again' };
  for (let i = 0; i < 20; i++) {
    const many = [...Array(i)].map((_, n) => ({ ...person(n), record_id: `many-${i}-${n}` }));
    // The last line of each call has no line end.
    const of = (records: object[]) => {
      const sent = lines(records);
      return { ...sent, lines: sent.lines.subarray(0, -1) };
    };
    await Promise.all([feed.write(of([...many, { ...after, deleted: true }])), feed.write(of([after]))]);
    const graph = openSqliteGraph({ dataDir: folder });
    const [there] = await graph.records.findByRecordId('again');
    await graph.close();
    expect([i, there?.recordId]).toEqual([i, 'again']);
  }
  await feed.close();
});

test('two feeds and an import at once lose nothing, and are linked as by linking all records', async () => {
  const folder = await folderOf(200);
  const place = { dataDir: folder, nameTables: [] };
  const feeds = [openRecordFeedWriter(place), openRecordFeedWriter(place)];
  const fed = feeds.flatMap((feed, at) =>
    Array.from({ length: 15 }, (_, i) =>
      feed.write(
        lines([
          { ...person(i), record_id: `fed-${at}-${i}` },
          { ...person(i), deleted: true },
        ]),
      ),
    ),
  );
  const graph = openSqliteGraph({ dataDir: folder });
  const imported = importInto(graph, [
    Array.from({ length: 30 }, (_, i) => ({ ...person(i), record_id: `i${i}` })),
  ]);
  expect((await Promise.all(fed)).every((one) => one.put === 1 && one.deleted === 1)).toBe(true);
  await imported;
  await graph.close();
  for (const feed of feeds) await feed.close();
  expect(await heldIn(folder)).toEqual({ records: 200 - 15 + 30 + 30, unlinked: 0, wrong: 0 });
});

test('an empty graph accepts its first records, and a graph that lost its link cache accepts more', async () => {
  const folder = freshFolder();
  await openSqliteGraph({ dataDir: folder }).close();
  const first = openRecordFeedWriter({ dataDir: folder, nameTables: [] });
  expect(await first.write(lines([person(1), person(51)]))).toMatchObject({ put: 2, linked: true });
  await first.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${folder}/link.db${end}`, { force: true });
  const second = openRecordFeedWriter({ dataDir: folder, nameTables: [] });
  expect(await second.write(lines([person(2)]))).toMatchObject({ put: 1, linked: true });
  expect(await second.write(lines([{ ...person(9), deleted: true }]))).toMatchObject({
    deleted: 1,
    linked: true,
  });
  expect(await second.write(lines([{}]))).toMatchObject({ put: 0, refused: [{ line: 1 }] });
  await second.close();
  expect(await heldIn(folder)).toEqual({ records: 3, unlinked: 0, wrong: 0 });
});

test('each line about a record on the suppression list is counted as left out', async () => {
  const folder = await folderOf(10);
  const graph = openSqliteGraph({ dataDir: folder });
  await eraseRecords(graph, [{ source: 'crm', recordId: '3' }], { folder, now: 1_700_000_000_000 });
  await graph.close();
  const feed = openRecordFeedWriter({ dataDir: folder, nameTables: [] });
  const told = await feed.write(lines([person(3), person(60), person(3)]));
  await feed.close();
  expect(told).toMatchObject({ put: 1, deleted: 0, barred: 2 });
});

test('while another process links all records without end, records are refused and not lost', async () => {
  const folder = await folderOf(60);
  const other = openSqliteGraph({ dataDir: folder });
  let end = () => {};
  const working = other.records.runAtomically(() => new Promise<void>((resolve) => (end = resolve)));
  const feed = openRecordFeedWriter({ dataDir: folder, nameTables: [] }, 100);
  await expect(feed.write(lines([person(70)]))).rejects.toMatchObject({ code: 'database_busy' });
  end();
  await working;
  expect(await feed.write(lines([person(70)]))).toMatchObject({ put: 1, linked: true });
  await feed.close();
  await other.close();
  expect(await heldIn(folder)).toEqual({ records: 61, unlinked: 0, wrong: 0 });
});
