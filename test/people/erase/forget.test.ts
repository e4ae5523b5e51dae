import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseFeedRequest } from '../../../src/import/feed/lines.ts';
import { eraseRecordsAndWriteReceipt } from '../../../src/people/erase/forget.ts';
import {
  writeReceipt,
  type ErasureReceipt,
  readReceipt,
  listReceiptFilePaths,
} from '../../../src/people/erase/receipts.ts';
import { findFilesContaining } from '../../../src/people/erase/search.ts';
import { listSelectedRecords, selectRecords } from '../../../src/people/select-records.ts';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import type { GraphErasureOperations } from '../../../src/graph/capabilities.ts';
import { markErasurePending } from '../../../src/store/events/events.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { createFileOwnerMark } from '../../../src/platform/temporary-files.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, operate, type Row, sharedFolder, strangers } from '../../kit/graphs/graph.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const GONE: Row = { record_id: 'gone', name: 'Wilhelmina Quackenbush', emails: ['w@quackenbush.example'] };
const NAMES = [{ source: 'crm', recordId: 'gone' }];

const base = sharedFolder();
beforeAll(() => importRows(base, [[...strangers(20), GONE]]));

function folderOf(): string {
  const folder = freshFolder();
  cpSync(base, folder, { recursive: true });
  return folder;
}

/** Returns a graph that throws at the step `part` of an erasure, which leaves the files as the end of the process would. */
const endingAt = (graph: RecordStoringGraph, part: keyof GraphErasureOperations): RecordStoringGraph => {
  const erasing: GraphErasureOperations = Object.create(graph.erasing ?? null);
  const ended = () => {
    throw new Error('ended');
  };
  Object.defineProperty(erasing, part, { value: ended });
  return Object.create(graph, { erasing: { value: erasing } });
};

const cutShort = (folder: string, part: keyof GraphErasureOperations) =>
  operate(folder, (graph) =>
    expect(
      eraseRecordsAndWriteReceipt(endingAt(graph, part), NAMES, { dataDir: folder, now: NOW }),
    ).rejects.toThrow('ended'),
  );

const receiptOf = (folder: string): ErasureReceipt => readReceipt(listReceiptFilePaths(folder)[0] ?? '');

/** Stores a second record of the person without linking it, as while linking is postponed. */
async function storeUnlinked(graph: RecordStoringGraph): Promise<void> {
  const lines = Buffer.from(JSON.stringify({ ...GONE, record_id: 'later' }));
  const { records } = await parseFeedRequest({ lines, source: 'crm', region: 'US' }, graph.records);
  const put = [...records.values()].flatMap(({ record }) => record ?? []);
  await graph.records.runAtomically(async () => void (await graph.records.put(put)));
}

test('records that are stored but not linked yet are forgotten with their person', async () => {
  const folder = folderOf();
  await operate(folder, storeUnlinked);
  const person = ['--email', 'w@quackenbush.example'];
  const { stdout } = await runHere(['graph', 'forget', ...person, '--yes', '--json', '--data-dir', folder]);
  expect(JSON.parse(stdout)).toMatchObject({ records: 2, traces: [] });
  expect(await operate(folder, (graph) => graph.records.count())).toBe(20);
});

test.each([
  ['forget', '--email', 'w@quackenbush.example', '--dry-run', '--json'],
  ['find', '--email', 'w@quackenbush.example', '--json'],
  ['export', '21'],
])('records that are stored but not linked yet are found by graph %s', async (...command) => {
  const folder = folderOf();
  await operate(folder, storeUnlinked);
  const { stdout } = await runHere(['graph', ...command, '--data-dir', folder]);
  expect(stdout).toMatch(/"later"/);
  expect(await operate(folder, (graph) => graph.records.count())).toBe(22);
});

test('a record of the person that arrives after the selection is not left behind', async () => {
  const folder = folderOf();
  const selection = { emails: ['w@quackenbush.example'], region: 'US' };
  await operate(folder, async (graph) => {
    await storeUnlinked(graph);
    const select = async () => listSelectedRecords(await selectRecords(graph, selection));
    const erasure = eraseRecordsAndWriteReceipt(graph, NAMES, { dataDir: folder, now: NOW, select });
    await expect(erasure).rejects.toMatchObject({ code: 'database_busy' });
    expect(await graph.records.count()).toBe(22);
  });
});

test('a forgetting that is cut short has left a receipt, which the next command that forgets or compacts completes', async () => {
  for (const command of [['compact'], ['forget', '--repeat', '--yes']]) {
    const folder = folderOf();
    await cutShort(folder, 'emptyLogs');
    const begun = receiptOf(folder);
    expect(begun).toMatchObject({ finished: false, records: 1, sources: { crm: 1 }, identities: [21] });
    expect(begun.marks.length).toBeGreaterThan(1);
    const { stderr } = await runHere(['graph', ...command, '--data-dir', folder]);
    expect(stderr).toContain('Completed an interrupted erasure of ');
    expect(receiptOf(folder)).toEqual({ ...begun, finished: true, rewritten: true, logs_empty: true });
    const acts = await runHere(['audit', 'show', '--json', '--data-dir', folder]);
    expect(acts.stdout).toContain('"graph.forget"');
  }
});

test('an interrupted forgetting is complete when no bytes of deleted watches are left in the store', async () => {
  const folder = folderOf();
  await cutShort(folder, 'emptyLogs');
  const { file, raw } = openSqliteStore({ file: join(folder, 'store.db') });
  markErasurePending(raw, NOW);
  raw.close();
  // A file of this size is rewritten only by graph compact.
  truncateSync(file, 300_000_000);
  const run = async (...command: string[]) => (await runHere([...command, '--data-dir', folder])).stdout;
  const warn = async () => `${await run('graph', 'stats')}${await run('doctor')}`;
  await run('graph', 'forget', '--repeat', '--yes');
  expect(receiptOf(folder).logs_empty).toBe(false);
  expect(await warn()).toMatch(/(Bytes of deleted watches .*graph compact.*){2}/s);
  expect(JSON.parse(await run('graph', 'compact', '--json'))).toMatchObject({ logs_empty: true });
  expect(await warn()).not.toContain('Bytes of deleted');
});

test('a receipt counts the watches that the first try deleted if linking repeats the erasure', async () => {
  const folder = folderOf();
  // Without the link cache, the first try cannot link.
  rmSync(join(folder, 'link.db'));
  const counts = [{ watches: 2, job_lines: 3 }];
  const tries = await operate(folder, async (graph) => {
    let [calls, open] = [0, 0];
    const runAtomically = <T>(work: () => Promise<T>) =>
      graph.records.runAtomically(async () => {
        open++;
        return work().finally(() => open--);
      });
    const records = Object.create(graph.records, { runAtomically: { value: runAtomically } });
    const watchEraser = {
      deleteRows: () => (calls++, counts.pop() ?? { watches: 0, job_lines: 0 }),
      eraseDeletedRows: () => open > 0,
    };
    const options = { dataDir: folder, now: NOW, watchEraser };
    await eraseRecordsAndWriteReceipt(Object.create(graph, { records: { value: records } }), NAMES, options);
    return calls;
  });
  // Deleted rows are erased after the transaction, and the remaining ones are reported.
  expect([tries, receiptOf(folder)]).toMatchObject([2, { watches: 2, job_lines: 3, logs_empty: false }]);
});

test('one that fails before anything has gone leaves none', async () => {
  const folder = folderOf();
  await cutShort(folder, 'suppress');
  expect(listReceiptFilePaths(folder)).toEqual([]);
  expect(await operate(folder, (graph) => graph.records.count())).toBe(21);
});

test('one that is killed before anything has gone is done by the next that asks who is there again', async () => {
  const folder = folderOf();
  const other = join(freshFolder(), 'copy');
  cpSync(folder, other, { recursive: true });
  chmodSync(other, 0o700);
  await cutShort(folder, 'emptyLogs');
  const begun = receiptOf(folder);
  writeReceipt(other, begun);
  const { stdout } = await runHere(['graph', 'forget', '--repeat', '--yes', '--json', '--data-dir', other]);
  expect(JSON.parse(stdout)).toMatchObject({ finished: true, records: 1, identities: [21] });
  expect(listReceiptFilePaths(other).map((file) => readReceipt(file).finished)).toEqual([true]);
});

test('a receipt tells of no contact, even where a source is called like one', async () => {
  const folder = freshFolder();
  await importRows(folder, [[...strangers(20), { ...GONE, source: 'w@quackenbush.example' }]]);
  await runHere(['graph', 'forget', '--identity', '21', '--yes', '--data-dir', folder]);
  expect(readFileSync(listReceiptFilePaths(folder)[0] ?? '', 'utf8')).toMatch(/^(?!.*quackenbush).*"marks"/s);
});

/** No process has such a high id. */
const KILLED = createFileOwnerMark().replace(/-\d+$/, '-999999999');

/** Copies the graph as a running rekey does: all records under another secret, which a search for bytes does not find. */
async function copiedAnew(folder: string, mark: string): Promise<string> {
  const name = `.bonafide-scratch-${mark}-abcdef`;
  await importRows(join(folder, name, 'rekeyed'), [[...strangers(20), GONE]]);
  return name;
}

test('a copy under another secret that a killed command left is told by stats, and gone with the person', async () => {
  const folder = folderOf();
  const name = await copiedAnew(folder, KILLED);
  const run = (...args: string[]) => runHere(['graph', ...args, '--data-dir', folder]);
  expect((await run('stats')).stdout).toContain(`a process that was killed left ${name}`);
  expect((await run('forget', '--record', 'crm:gone', '--dry-run')).code).toBe(0);
  expect(existsSync(join(folder, name))).toBe(true);
  const { stdout, stderr } = await run('forget', '--record', 'crm:gone', '--yes');
  expect(stderr).toContain(`Removed leftover files of a killed process: ${name}`);
  expect(stdout).toContain('Every file of the data folder was searched: none contains the removed data.');
  expect(existsSync(join(folder, name))).toBe(false);
  expect(receiptOf(folder)).toMatchObject({ unsearched: [], traces: [] });
  expect((await run('stats')).stdout).not.toContain('scratch');
});

test('a copy under another secret that is at work, or was kept, is named, and the receipt does not say that all is gone', async () => {
  const folder = folderOf();
  const name = await copiedAnew(folder, createFileOwnerMark());
  const kept = 'replaced-2026-01-01T00-00-00Z';
  await importRows(join(folder, kept), [[GONE]]);
  cpSync(join(folder, 'graph.db'), join(folder, 'backed', 'graph.db'));
  mkdirSync(join(folder, 'uploads'));
  const upload = join('uploads', `imp_a.${createFileOwnerMark()}`);
  writeFileSync(join(folder, upload), 'name,email\nWilhelmina Quackenbush,w@quackenbush.example\n');
  const { stdout } = await runHere([
    'graph',
    'forget',
    '--record',
    'crm:gone',
    '--yes',
    '--data-dir',
    folder,
  ]);
  expect(receiptOf(folder)).toMatchObject({ traces: ['backed/graph.db'], unsearched: [name, kept, upload] });
  expect(stdout).toContain(`may still be in these files: ${name}, ${kept}, ${upload}. `);
});

test('encrypted backups are named as what may still hold them, in the folder and where backups go', async () => {
  const [folder, away] = [folderOf(), freshFolder()];
  mkdirSync(join(folder, 'backups'));
  for (const file of [join(folder, 'before.tar.age'), join(folder, 'backups', 'b.tar.age'), join(away, 'a')])
    writeFileSync(file, 'age-encryption.org/v1\n-> scrypt …');
  const options = { dataDir: folder, now: NOW, backupsTo: away };
  const { receipt } = await operate(folder, (graph) => eraseRecordsAndWriteReceipt(graph, NAMES, options));
  expect(receipt.unsearched).toEqual(['backups', 'before.tar.age', away]);
});

test('rejects that an import wrote to a file of its own are searched and named, and stay as they are', async () => {
  const [folder, away] = [freshFolder(), freshFolder()];
  const file = join(away, 'people.jsonl');
  const rows = [...strangers(20), { ...GONE, phones: ['12'] }];
  writeFileSync(file, rows.map((row) => JSON.stringify({ source: 'crm', ...row })).join('\n'));
  const rejectsTo = async (rejects: string) =>
    runHere(['graph', 'import', file, '--rejects', rejects, '--data-dir', folder]);
  const told = join(away, 'told.jsonl');
  expect((await rejectsTo(told)).code).toBe(0);
  expect((await rejectsTo('/dev/null')).code).toBe(0);
  const before = readFileSync(told, 'utf8');
  expect(before).toContain('"record_id":"gone"');
  const run = (...args: string[]) => runHere(['graph', 'forget', ...args, '--yes', '--data-dir', folder]);
  expect((await run('--record', 'crm:gone')).stdout).toContain(`is still in these files: ${told}. `);
  expect(receiptOf(folder)).toMatchObject({ traces: [told], unsearched: [] });
  expect(readFileSync(told, 'utf8')).toBe(before);
  rmSync(told);
  expect((await run('--identity', '1')).stdout).toContain('none contains the removed data');
});

test('the next command that changes the graph removes what a killed one left, and one that looks does not', async () => {
  for (const change of [['link'], ['compact'], ['judgements', '--undo', '1'], ['forget', '--due', '--yes']]) {
    const folder = folderOf();
    const left = join(folder, `.bonafide-scratch-${KILLED}-abcdef`);
    mkdirSync(left);
    for (const look of [['sources'], ['judgements'], ['verify']])
      await runHere(['graph', ...look, '--data-dir', folder]);
    expect(existsSync(left)).toBe(true);
    await runHere(['graph', ...change, '--data-dir', folder]);
    expect(existsSync(left)).toBe(false);
  }
});

test('what linking remembers of who is gone, where its file is of before the kill, goes when the forgetting is completed', async () => {
  const folder = folderOf();
  const [file, before] = [join(folder, 'link.db'), join(freshFolder(), 'link.db')];
  cpSync(file, before);
  const theirs = await operate(folder, async (graph) => {
    const gone = await graph.erasing?.collectTraces(await graph.records.findByRecordId('gone'));
    const cut = eraseRecordsAndWriteReceipt(endingAt(graph, 'emptyLogs'), NAMES, {
      dataDir: folder,
      now: NOW,
    });
    await expect(cut).rejects.toThrow('ended');
    return gone?.() ?? [];
  });
  // The graph was committed and this file was not, because they are two files.
  cpSync(before, file);
  expect(findFilesContaining(folder, theirs)).toContain(file);
  expect((await runHere(['graph', 'compact', '--data-dir', folder])).code).toBe(0);
  expect(findFilesContaining(folder, theirs)).toEqual([]);
  expect(receiptOf(folder)).toMatchObject({ finished: true });
  expect(await importRows(folder, [[{ ...GONE, record_id: 'other' }, ...strangers(2)]])).toMatchObject({
    barred: 1,
    replaced: 2,
  });
  expect((await runHere(['graph', 'verify', '--data-dir', folder])).code).toBe(0);
});

test('the receipt is finished before the graph takes the forgetting for done: one of the two is there for the next command', async () => {
  const folder = folderOf();
  await cutShort(folder, 'finishErasure');
  expect(receiptOf(folder)).toMatchObject({ finished: true, records: 1, traces: [], logs_empty: true });
  expect(await operate(folder, (graph) => graph.erasing?.pendingErasure())).not.toBeNull();
  expect((await runHere(['graph', 'stats', '--data-dir', folder])).stdout).toContain(
    'An erasure was interrupted',
  );
  expect((await runHere(['graph', 'compact', '--data-dir', folder])).code).toBe(0);
  expect(await operate(folder, (graph) => graph.erasing?.pendingErasure())).toBeNull();
  expect(receiptOf(folder)).toMatchObject({ finished: true, rewritten: true });
});

test('whom an import let in again is kept out as before when that import is taken back', async () => {
  const folder = folderOf();
  await operate(folder, (graph) => eraseRecordsAndWriteReceipt(graph, NAMES, { dataDir: folder, now: NOW }));
  const file = join(freshFolder(), 'again.jsonl');
  writeFileSync(file, `${JSON.stringify({ ...GONE, source: 'crm' })}\n`);
  const run = (...args: string[]) => runHere(['graph', 'import', ...args, '--data-dir', folder]);
  const barred = () => operate(folder, (graph) => graph.erasing?.countSuppressed());
  const before = await barred();
  expect((await run(file, '--allow-reimport')).stdout).toContain('1 added');
  expect(await barred()).toBeLessThan(before ?? 0);
  expect(await operate(folder, async ({ records }) => (await records.lastAppliedImport())?.what)).toEqual({
    files: 1,
  });
  expect((await run('--undo', '--yes')).code).toBe(0);
  expect(await barred()).toBe(before);
  expect((await run(file)).stdout).toContain('1 left out because they were forgotten');
});
