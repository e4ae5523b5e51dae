// Removal of records: undoing the last import, removing a source, replacing a source by a newer file.
import { linkSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as fc from 'fast-check';
import { importRecords } from '../../src/import.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import {
  markImportBegun,
  refuseUndoAfterKilledImport,
  removeSource,
  undoImport,
} from '../../src/import/sources.ts';
import { linkChangedRecords } from '../../src/people/linking.ts';
import { createFileOwnerMark } from '../../src/platform/temporary-files.ts';
import { freshFolder } from '../kit/folder.ts';
import {
  importInto,
  importRows,
  operate,
  partitionOf,
  queryOf,
  type Row,
  strangers,
} from '../kit/graphs/graph.ts';

const ANN: Row = { record_id: 'ann', name: 'Ann Lindqvist', emails: ['ann@post.example'] };
const SAME: Row = { record_id: 'ann-2', source: 'shop', name: 'Ann Lindqvist', emails: ['ann@post.example'] };

const undo = (folder: string) =>
  operate(folder, (graph) => undoImport(graph, () => linkChangedRecords(graph)));

/** Returns the records without their row numbers. */
const recordsIn = (folder: string) =>
  operate(folder, async ({ records }) => {
    const all: string[] = [];
    for await (const page of records.pages())
      for (const { row: _, identity: __, ...record } of page) all.push(JSON.stringify(record));
    return all.sort();
  });

test('an undone import leaves the records and people that were there before', async () => {
  const row = fc.record({
    record_id: fc.constantFrom('stranger-1', 'stranger-2', 'n1', 'n2', 'n3'),
    name: fc.constantFrom('Ada Abernathy', 'Hugo Grimaldi'),
    emails: fc.constantFrom('a@post.example', 'ada.abernathy.0@stranger.example').map((one) => [one]),
  });
  const gone = fc
    .constantFrom('stranger-1', 'stranger-3')
    .map((id): Row => ({ record_id: id, deleted: true }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(row, gone), { maxLength: 6 }), async (changes) => {
      const folder = freshFolder();
      await importRows(folder, [strangers(30)], { journal: {} });
      const before = [await recordsIn(folder), await partitionOf(folder)];
      await importRows(folder, [changes], { journal: {} });
      await undo(folder);
      expect([await recordsIn(folder), await partitionOf(folder)]).toEqual(before);
      await expect(undo(folder)).rejects.toMatchObject({ code: 'not_found' });
    }),
    { numRuns: 8 },
  );
});

test('after an import that was killed, the import before it is undone only at the second try', () => {
  const folder = freshFolder();
  const last = { at: Date.now() - 1000, what: {}, added: 3, replaced: 0, removed: 0 };
  const undoAllowed = () => refuseUndoAfterKilledImport(folder, last);
  const owner = (pid: number) => createFileOwnerMark().replace(/-\d+$/, `-${pid}`);
  const markOf = (pid: number) => join(folder, `import-begun.${owner(pid)}`);
  // The mark of a completed import is removed, and the mark of a running import is not that of a killed one.
  markImportBegun(folder)();
  const removeMark = markImportBegun(folder);
  expect(undoAllowed).not.toThrow();
  removeMark();
  // No process has this id.
  const dead = 2 ** 22 + 1;
  writeFileSync(markOf(dead), '');
  expect(undoAllowed).toThrow(
    expect.objectContaining({
      code: 'invalid_arguments',
      message: expect.stringMatching(
        /^Nothing was undone.* was killed before .*\(3 records added.* try again\.$/,
      ),
    }),
  );
  expect(undoAllowed).not.toThrow();
  // The mark of an import that was killed after it had changed the graph.
  writeFileSync(markOf(dead), '');
  utimesSync(markOf(dead), new Date(last.at - 5000), new Date(last.at - 5000));
  expect(undoAllowed).not.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test('an import of another machine is not undone while it may run, that is until it has not touched its mark for five minutes', () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = freshFolder();
  const last = { at: Date.now() - 1000, what: {}, added: 3, replaced: 0, removed: 0 };
  const undoAllowed = () => refuseUndoAfterKilledImport(folder, last);
  const removeMark = markImportBegun(folder);
  const begun = new Date().toISOString();
  // As another machine sees the mark: its own marks have another host name.
  const elsewhere = join(folder, 'import-begun.0123abcd-1');
  const mark = join(folder, `import-begun.${createFileOwnerMark()}`);
  linkSync(mark, elsewhere);
  for (let minutes = 0; minutes < 20; minutes += 4) {
    vi.advanceTimersByTime(4 * 60_000);
    expect(undoAllowed).toThrow(/^Nothing was undone. An import runs on another machine/);
  }
  removeMark();
  expect(undoAllowed).toThrow(/runs on another machine/);
  vi.advanceTimersByTime(6 * 60_000);
  expect(undoAllowed).toThrow(`The import that began at ${begun} was killed before it changed the graph.`);
  expect(undoAllowed).not.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test('undoing an import keeps later changes', async () => {
  const folder = freshFolder();
  await importRows(folder, [[ANN, SAME]], { journal: {} });
  await importRows(folder, [[{ ...ANN, name: 'Ann Lee' }]], {});
  expect(await undo(folder)).toMatchObject({ removed: 1, restored: 0, left: 1, records: 1 });
});

test('a source is removed as a whole, which cannot be undone', async () => {
  const folder = freshFolder();
  await importRows(folder, [[ANN, SAME, ...strangers(30)]], { journal: {} });
  const done = await operate(folder, (graph) => removeSource(graph, 'shop', () => linkChangedRecords(graph)));
  expect(done).toMatchObject({ removed: 1, records: 31, identities: 31 });
  await expect(undo(folder)).rejects.toMatchObject({ code: 'not_found' });
  const again = operate(folder, (graph) => removeSource(graph, 'shop', () => linkChangedRecords(graph)));
  await expect(again).rejects.toMatchObject({ code: 'not_found' });
});

test('a file with --replace removes records that it lacks, of its own source only', async () => {
  const folder = freshFolder();
  await importRows(folder, [[ANN, SAME, { ...ANN, record_id: 'old', emails: ['old@post.example'] }]]);
  const summary = await importRows(folder, [[{ ...ANN, name: 'Ann Lee' }]], { replace: true, said: 'crm' });
  expect(summary).toMatchObject({ replaced: 1, added: 0, removed: 1, records: 2 });
  await expect(importRows(folder, [[ANN, SAME]], { replace: true, said: 'crm' })).rejects.toMatchObject({
    code: 'invalid_arguments',
  });
  await expect(importRows(folder, [[]], { replace: true })).rejects.toThrow('Nothing was replaced');
  expect(await recordsIn(folder)).toHaveLength(2);
});

test('a file with --replace keeps a record if its new row cannot be used', async () => {
  const folder = freshFolder();
  await importRows(folder, [
    [ANN, { ...ANN, record_id: 'bo', name: 'Bo Dahl', emails: ['bo@post.example'] }],
  ]);
  const unusable: Row = { record_id: 'bo', source: 'crm', emails: ['none'] };
  const summary = await importRows(folder, [[ANN, unusable]], { replace: true, said: 'crm' });
  expect(summary).toMatchObject({ removed: 0, stayed: 1, records: 2 });
  expect(await importRows(folder, [[ANN]], { replace: true, said: 'crm' })).toMatchObject({ removed: 1 });
});

test('a file with --replace keeps the records of rows that are torn, or changes nothing if their ids are unknown', async () => {
  const folder = freshFolder();
  const importCsv = (lines: string[]) =>
    operate(folder, (graph) =>
      importRecords({
        graph,
        inputs: [{ name: 'crm.csv', stream: Readable.from([Buffer.from(lines.join('\n'))]), bytes: null }],
        replace: true,
      }),
    );
  await importRows(folder, [[ANN]]);
  const mails = ['ann@post.example', 'bo@post.example', 'cy@post.example'];
  await importCsv(['name,email,id', ...mails.map((mail, i) => `Ann Lee,${mail},${i + 1}`)]);
  const torn = ['Lee, Ann,ann@post.example,1', '"Ann Lee,bo@post.example,2'];
  const file = ['name,email,id', ...torn, 'Ann Dahl,di@post.example,4'];
  expect(await importCsv(file)).toMatchObject({ removed: 1, stayed: 2 });
  await expect(importCsv(file.map((line) => line.replace(/,[^,]*$/, '')))).rejects.toThrow(
    /^Nothing was replaced, .* 2 \(crm\.csv line 2, crm\.csv line 3\)/,
  );
  expect(await recordsIn(folder)).toHaveLength(3);
});

test('no other source is changed than the named one, or with --replace the one of the file name', async () => {
  const folder = freshFolder();
  await importRows(folder, [[ANN, SAME]]);
  const before = await recordsIn(folder);
  const other = [{ ...ANN, name: 'Berta Krause' }];
  await expect(importRows(folder, [other], { said: 'shop' })).rejects.toThrow(
    /file-1\.jsonl contains records of other sources than shop \(crm: 1\)\. Nothing was imported\. Leave --source out/,
  );
  await expect(importRows(folder, [other], { replace: true })).rejects.toThrow(
    /other sources than file-1 \(crm: 1\)\..* add --source crm\./,
  );
  const gone = [{ record_id: 'ann', deleted: true as const }];
  await expect(importRows(folder, [gone], { said: 'shop' })).rejects.toMatchObject({
    code: 'invalid_arguments',
  });
  expect(await recordsIn(folder)).toEqual(before);
});

test('an import that is killed between the commits of the two files is undone by the next change', async () => {
  const folder = freshFolder();
  await importRows(folder, [[ANN]], { journal: {} });
  const graph = openSqliteGraph({ dataDir: folder });
  await importInto(graph, [[{ ...SAME, emails: ['lost@post.example'] }]], { journal: {} });
  await graph.close();
  await operate(folder, async ({ linking }) => linking.getIdentity(1));
  // The records know of a publication that the graph does not know.
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${folder}/graph.db`);
  db.prepare("UPDATE meta SET value = 'earlier' WHERE name = 'link_stamp'").run();
  db.close();
  // Neither file was opened since.
  const records = new Database(`${folder}/records.db`);
  records.prepare("DELETE FROM record_meta WHERE name = 'applied_whole'").run();
  records.close();
  const next = await importRows(folder, [[{ record_id: 'next', name: 'Hugo Grimaldi' }]]);
  expect(next).toMatchObject({ records: 2, identities: 2 });
  const after = openSqliteGraph({ dataDir: folder });
  const { values } = await after.resolve(queryOf({ emails: ['lost@post.example'] }));
  expect(values).toEqual([[]]);
  await after.close();
});
