import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eraseRecordsAndWriteReceipt } from '../../../src/people/erase/forget.ts';
import { listReceiptFilePaths, readReceipt } from '../../../src/people/erase/receipts.ts';
import { listExternalBackupFolders } from '../../../src/people/erase/search.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder, runAsOtherUser } from '../../kit/folder.ts';
import { importRows, operate, strangers } from '../../kit/graphs/graph.ts';

const GONE = { record_id: 'gone', name: 'Wilhelmina Quackenbush', emails: ['w@quackenbush.example'] };

/** A graph with the record, and a folder `backups` with a file. */
async function createDataFolder(): Promise<string> {
  const folder = freshFolder();
  await importRows(folder, [[...strangers(20), GONE]]);
  mkdirSync(join(folder, 'backups'));
  cpSync(join(folder, 'graph.db'), join(folder, 'backups', 'before.tar'));
  return folder;
}

const readFirstReceipt = (folder: string) => readReceipt(listReceiptFilePaths(folder)[0] ?? '');
const run = (folder: string, ...args: string[]) => runHere(['graph', ...args, '--data-dir', folder]);

test.each(['backups', join('backups', 'before.tar')])(
  'a path that this user may not read (%s) is named, and does not stop a forgetting',
  async (denied) => {
    const folder = await createDataFolder();
    const args = ['forget', '--record', 'crm:gone', '--yes'];
    const { code, stdout } = await runAsOtherUser(folder, denied, () => run(folder, ...args));
    expect([code, stdout]).toEqual([0, expect.stringContaining(`may still be in these files: ${denied}. `)]);
    expect(readFirstReceipt(folder)).toMatchObject({ finished: true, unsearched: [denied] });
  },
);

test('a path that this user may not read does not stop the completion of an interrupted forgetting', async () => {
  const folder = await createDataFolder();
  await operate(folder, async (graph) => {
    const fail = { value: () => Promise.reject(new Error('ended')) };
    const erasing = Object.create(graph.erasing, { emptyLogs: fail });
    const interrupted = Object.create(graph, { erasing: { value: erasing } });
    const names = [{ source: 'crm', recordId: 'gone' }];
    const options = { dataDir: folder, now: Date.UTC(2026, 0, 2) };
    await expect(eraseRecordsAndWriteReceipt(interrupted, names, options)).rejects.toThrow('ended');
  });
  expect(readFirstReceipt(folder)).toMatchObject({ finished: false });
  expect(await runAsOtherUser(folder, 'backups', () => run(folder, 'compact'))).toMatchObject({ code: 0 });
  expect(readFirstReceipt(folder)).toMatchObject({ finished: true, unsearched: ['backups'] });
});

test('a folder of scheduled backups that this user may not read counts as one with backups', async () => {
  const [dataDir, away] = [freshFolder(), freshFolder()];
  const folder = join(away, 'backups');
  mkdirSync(folder);
  const list = async () => listExternalBackupFolders(dataDir, folder);
  expect(await list()).toEqual([]);
  expect(await runAsOtherUser(away, 'backups', list)).toEqual([folder]);
});
