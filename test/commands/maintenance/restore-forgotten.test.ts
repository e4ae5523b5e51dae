import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GRAPH_REPORTS } from '../../../src/admin/graph/reports.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, operate, type Row, strangers } from '../../kit/graphs/graph.ts';

const JANE: Row[] = [
  {
    record_id: 'jane@secret.example',
    name: 'Jane Quackenbush',
    emails: ['jane@quackenbush.example'],
    phones: ['+1 503 234 0101'],
    last_seen: '2015-01-01',
  },
  { record_id: 'j2', source: 'shop', name: 'Jane Quackenbush', emails: ['jane@quackenbush.example'] },
];
async function folderOf(rows: Row[]): Promise<string> {
  const folder = freshFolder();
  await importRows(folder, [rows]);
  return folder;
}

const inFolder = (folder: string) => (args: string[]) => runHere(['graph', ...args, '--data-dir', folder]);

test('people who are back after the restore of an older backup are forgotten again with --repeat', async () => {
  const folder = await folderOf([...strangers(30), ...JANE]);
  const tar = join(freshFolder(), 'older.tar');
  expect(await runHere(['backup', tar, '--data-dir', folder])).toMatchObject({ code: 0 });
  const graph = inFolder(folder);
  await graph(['forget', '--identity', '31', '--yes']);
  const mayBeBack = /people who were forgotten may be back: run bonafide graph forget --repeat/;
  expect((await graph(['stats'])).stdout).not.toMatch(mayBeBack);
  const restored = await runHere(['restore', tar, '--force', '--data-dir', folder]);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(mayBeBack) });
  expect((await graph(['show', '31'])).stdout).toContain('Jane');
  const dry = await graph(['forget', '--repeat', '--dry-run']);
  expect(dry.stdout).toContain(
    'identity 31  Jane Quackenbush\n  record crm:jane@secret.example\n  record shop:j2\n2 records to remove\n',
  );
  expect((await graph(['stats'])).stdout).toMatch(mayBeBack);
  const looked = await operate(folder, (it) => GRAPH_REPORTS.stats(it, folder));
  expect(looked.warnings).toEqual([expect.stringMatching(mayBeBack)]);
  const again = await graph(['forget', '--repeat', '--yes', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ records: 2, identities: [31] });
  expect(JSON.parse(again.stdout).traces.every((file: string) => file.startsWith('replaced-'))).toBe(true);
  expect((await graph(['stats'])).stdout).not.toMatch(mayBeBack);
  expect(JSON.parse((await graph(['forget', '--repeat', '--yes', '--json'])).stdout)).toMatchObject({
    records: 0,
  });
});

test('receipts that are copied beside a restored folder remind of its forgotten people', async () => {
  const folder = await folderOf([...strangers(30), ...JANE]);
  const tar = join(freshFolder(), 'older.tar');
  await runHere(['backup', tar, '--with-secret', '--data-dir', folder]);
  await inFolder(folder)(['forget', '--identity', '31', '--yes']);
  const fresh = join(freshFolder(), 'data');
  const mayBeBack = /people who were forgotten may be back: run bonafide graph forget --repeat/;
  expect((await runHere(['restore', tar, '--data-dir', fresh])).stdout).not.toMatch(mayBeBack);
  const graph = inFolder(fresh);
  const stats = async () => (await graph(['stats'])).stdout;
  // An erasure in the restored folder itself needs no repetition.
  await graph(['forget', '--identity', '30', '--yes']);
  expect([await stats(), await graph(['forget', '--repeat', '--dry-run'])]).toEqual([
    expect.not.stringMatching(mayBeBack),
    expect.objectContaining({ code: 0 }),
  ]);
  cpSync(join(folder, 'receipts'), join(fresh, 'receipts'), { recursive: true });
  expect(await stats()).toMatch(mayBeBack);
  expect((await runHere(['doctor', '--data-dir', fresh])).stdout).toMatch(mayBeBack);
  await graph(['forget', '--repeat', '--yes']);
  expect(await stats()).not.toMatch(mayBeBack);
});

test('--repeat says that a folder has no receipts, and promises nothing about later imports', async () => {
  const graph = inFolder(await folderOf(JANE));
  const { code, stdout, stderr } = await graph(['forget', '--repeat', '--yes']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '0 records to remove\nNothing was changed.\n' });
  expect(stderr).toMatch(/no receipts in .+receipts, so nobody was searched for\. .+copy that folder back/);
});

test('--repeat keeps out a forgotten person whom the restored backup does not have yet', async () => {
  const folder = await folderOf(strangers(30));
  const tar = join(freshFolder(), 'older.tar');
  await runHere(['backup', tar, '--data-dir', folder]);
  const graph = inFolder(folder);
  const file = join(freshFolder(), 'late.jsonl');
  const late = { record_id: '1', source: 's', name: 'Marit Oyen', emails: ['marit@example.org'] };
  writeFileSync(file, `${JSON.stringify(late)}\n`);
  await graph(['import', file]);
  await graph(['forget', '--email', 'marit@example.org', '--yes']);
  await runHere(['restore', tar, '--force', '--data-dir', folder]);
  expect((await graph(['forget', '--repeat', '--yes'])).stdout).toMatch(
    /0 records to remove\nLater imports leave out everybody/,
  );
  expect((await graph(['import', file])).stdout).toContain('1 left out because they were forgotten');
});
