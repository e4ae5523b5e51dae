// A process that is killed while a batch is written leaves the link cache consistent with the graph: the next
// batch is linked at once.
import { chmodSync, cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { tryLinkAddedRecords, linkAllRecords } from '../../../src/people/linking.ts';
import { verifyGraph, verifyRecordLinks } from '../../../src/people/verify-links.ts';
import { toStoredRecord } from '../../../src/import/stored.ts';
import { parseImportRecord } from '../../../src/import/record.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto } from '../../kit/graphs/graph.ts';

const PEOPLE = Array.from({ length: 60 }, (_, i) => ({
  record_id: `${i}`,
  source: 'crm',
  name: `Person${i % 40} Berg`,
  emails: [`person${i % 40}@example.com`],
}));

/** Writes a record like a feed; `during` is called when everything is done but not committed. */
async function put(folder: string, id: string, during?: () => void) {
  const graph = openSqliteGraph({ dataDir: folder });
  const read = parseImportRecord({ ...PEOPLE[3], record_id: id }, { source: 'crm', region: 'US' });
  if (!('record' in read)) throw new Error('no record');
  try {
    return await graph.records.runAtomically(async () => {
      await graph.records.put([toStoredRecord(read.record, graph.records)]);
      const linked = await tryLinkAddedRecords(graph);
      during?.();
      return linked;
    });
  } finally {
    await graph.close();
  }
}

test('a transaction that is not committed leaves both files unchanged', async () => {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder });
  await importInto(graph, [PEOPLE]);
  await graph.close();
  expect(await put(folder, 'a')).toBe(true);
  const killed = `${freshFolder()}/killed`;
  // Copies of the files are what a process that is killed now leaves.
  expect(await put(folder, 'b', () => cpSync(folder, killed, { recursive: true }))).toBe(true);
  chmodSync(killed, 0o700);
  const left = openSqliteGraph({ dataDir: killed });
  expect(await left.stats()).toMatchObject({ records: 61, unlinked: 0, settled: true });
  expect(await verifyRecordLinks(left)).toMatchObject({ wrong: 0 });
  await left.close();
  expect(await put(killed, 'b')).toBe(true);
  for (const each of [folder, killed]) {
    const again = openSqliteGraph({ dataDir: each });
    expect(await again.stats()).toMatchObject({ records: 62, unlinked: 0 });
    expect(await verifyRecordLinks(again)).toMatchObject({ wrong: 0 });
    await again.close();
  }
});

test('a failed transaction is rolled back in both files', async () => {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder });
  await importInto(graph, [PEOPLE]);
  await graph.close();
  const failing = put(folder, 'a', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await put(folder, 'a')).toBe(true);
});

test('linking all records completes beside a busy feed and includes records that come meanwhile', async () => {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder });
  await importInto(graph, [PEOPLE]);
  const { openWorkspace: blocks } = graph.linking;
  let times = 0;
  graph.linking.openWorkspace = async () => {
    times++;
    const made = await blocks();
    // Changes of another connection while records are read: one added, one replaced, two removed, one
    // removed.
    const other = openSqliteGraph({ dataDir: folder });
    const stored = [
      { ...PEOPLE[3], record_id: 'new' },
      { ...PEOPLE[5], record_id: '6', name: 'Person5 Berg' },
    ].flatMap((row) => {
      const read = parseImportRecord(row, { source: 'crm', region: 'US' });
      return 'record' in read ? [toStoredRecord(read.record, other.records)] : [];
    });
    await other.records.runAtomically(async () => {
      await other.records.remove(['1', '41', '2'].map((recordId) => ({ source: 'crm', recordId })));
      await other.records.put(stored);
    });
    await other.close();
    return made;
  };
  expect((await linkAllRecords(graph)).records).toBe(58);
  expect(times).toBe(1);
  expect(await graph.stats()).toMatchObject({ records: 58, unlinked: 0 });
  graph.linking.openWorkspace = blocks;
  const { wrong, remembered, invariants } = await verifyGraph(graph);
  expect({ wrong, remembered, broken: invariants.filter(({ broken }) => broken > 0) }).toEqual({
    wrong: 0,
    remembered: true,
    broken: [],
  });
  await graph.close();
  expect(await put(folder, 'after')).toBe(true);
});
