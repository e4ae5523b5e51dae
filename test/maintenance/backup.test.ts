import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { registerDataFolderDatabase } from '../../src/platform/data-folder.ts';
import { openSqliteStore, getStoreFile } from '../../src/store/sqlite/open.ts';
import { startCallRecorder } from '../../src/store/sqlite/engine.ts';
import { sampleCall } from '../kit/call.ts';
import { freshFolder } from '../kit/folder.ts';
import { backUp, filledFolder, restoreTo, secretOf, stateOf } from './kit.ts';

const coded = (code: string) => expect.objectContaining({ code });

test('a backup restores to what answers the same, with keys and settings', async () => {
  const folder = await filledFolder();
  writeFileSync(join(folder, 'features.json'), '{}');
  const { file, databases } = await backUp(folder);
  expect(databases['graph.db']?.tables).toMatchObject({ identity: 5 });
  expect(databases['records.db']?.tables).toMatchObject({ record: 5 });
  const other = join(freshFolder(), 'restored');
  const done = await restoreTo(other, file);
  expect(done).toMatchObject({ replaced: null, secret: true });
  expect(await stateOf(other)).toEqual(await stateOf(folder));
  expect(readdirSync(other).toSorted()).toEqual([
    'features.json',
    'graph.db',
    'held.json',
    'records.db',
    'secret',
    'store.db',
  ]);
  expect(statSync(other).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(other)) expect(statSync(join(other, name)).mode & 0o777).toBe(0o600);
});

test('a backup made while calls are recorded holds every call that was recorded before, and counts as many as it holds', async () => {
  const folder = await filledFolder();
  const recorder = startCallRecorder({ file: getStoreFile(folder) });
  const load = { on: true, recorded: 0 };
  const loading = (async () => {
    while (load.on) {
      await Promise.all(Array.from({ length: 8 }, () => recorder.write(sampleCall())));
      load.recorded += 8;
    }
  })();
  while (load.recorded < 100) await new Promise((resolve) => setTimeout(resolve, 5));
  let [before, after, file] = [0, 0, ''];
  // On a busy machine a backup may end before the writer thread has answered once.
  for (let tries = 0; after === before && tries < 20; tries++) {
    before = load.recorded;
    ({ file } = await backUp(folder));
    after = load.recorded;
  }
  load.on = false;
  await loading;
  await recorder.close();
  expect(after).toBeGreaterThan(before);
  const other = freshFolder();
  await restoreTo(other, file);
  const store = openSqliteStore({ file: getStoreFile(other) });
  const ask = (sql: string) => store.raw.prepare<[], number>(sql).pluck().get() ?? -1;
  const calls = ask('SELECT count(*) FROM calls');
  expect(calls).toBeGreaterThanOrEqual(before);
  expect(calls).toBeLessThan(load.recorded);
  expect(ask('SELECT sum(calls) FROM usage')).toBe(calls);
  store.close();
});

test('a backup leaves out the files of a graph or a store that the settings keep elsewhere', async () => {
  const folder = await filledFolder();
  const withoutGraph = await backUp(folder, { elsewhere: ['graph.db'] });
  expect(Object.keys(withoutGraph.databases)).toEqual(['store.db']);
  const withoutStore = await backUp(folder, { elsewhere: ['store.db'] });
  expect(Object.keys(withoutStore.databases)).toEqual(['graph.db', 'records.db']);
  await expect(backUp(folder, { elsewhere: ['graph.db', 'store.db'] })).rejects.toThrow(
    expect.objectContaining({
      code: 'empty_backup',
      message: expect.stringContaining('pg_dump --schema bonafide --schema bonafide_store'),
    }),
  );
});

test('a backup is one private file and leaves nothing beside it', async () => {
  const { file } = await backUp(await filledFolder());
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file))).toEqual(['backup.tar']);
});

test('without the secret a backup names no one, and the restored graph waits for it', async () => {
  const folder = await filledFolder();
  const { file, secret } = await backUp(folder, { secret: undefined });
  expect(secret).toBe(false);
  const bytes = readFileSync(file, 'latin1');
  expect(bytes).not.toContain('secret\0');
  expect(bytes).not.toMatch(/Abernathy|stranger\.example/i);
  const other = freshFolder();
  expect(await restoreTo(other, file)).toMatchObject({ secret: false });
  await expect(stateOf(other)).rejects.toThrow(coded('secret_missing'));
  writeFileSync(join(other, 'secret'), readFileSync(join(folder, 'secret')), { mode: 0o600 });
  expect(await stateOf(other)).toEqual(await stateOf(folder));
});

test('settings that are a folder are named, and not the backup', async () => {
  const folder = await filledFolder();
  mkdirSync(join(folder, 'features.json'));
  await expect(backUp(folder)).rejects.toMatchObject({
    code: 'unreadable_file',
    message: expect.stringContaining('features.json is not a file'),
  });
});

test('an encrypted backup shows nothing and opens under its passphrase only', async () => {
  const folder = await filledFolder();
  const { file } = await backUp(folder, { passphrase: 'correct horse battery' });
  expect(readFileSync(file, 'latin1')).not.toContain('graph.db');
  const other = freshFolder();
  await expect(restoreTo(other, file)).rejects.toThrow(coded('wrong_passphrase'));
  await restoreTo(other, file, { passphrase: 'correct horse battery' });
  expect(await stateOf(other)).toEqual(await stateOf(folder));
});

test('a file that is there is not replaced unasked', async () => {
  const folder = await filledFolder();
  const { file } = await backUp(folder);
  const before = readFileSync(file);
  await expect(backUp(folder, { file })).rejects.toThrow(coded('already_there'));
  expect(readFileSync(file)).toEqual(before);
  expect((await backUp(folder, { file, force: true })).file).toBe(file);
});

test.each(['graph.db', 'store.db', 'store.db-wal', 'secret', 'held.json'])(
  'a backup never goes where the folder has its own %s, though it is asked to replace it',
  async (name) => {
    const folder = await filledFolder();
    const file = join(folder, '../', basename(folder), name);
    const before = await stateOf(folder);
    await expect(backUp(folder, { file, force: true })).rejects.toThrow(coded('invalid_arguments'));
    expect(await stateOf(folder)).toEqual(before);
    expect((await backUp(folder, { file: join(folder, 'own.tar'), force: true })).bytes).toBeGreaterThan(0);
  },
);

test('nothing, and what holds nothing, is not backed up', async () => {
  await expect(backUp(freshFolder(), { secret: undefined })).rejects.toThrow(coded('empty_backup'));
  const folder = freshFolder();
  openSqliteStore({ file: getStoreFile(folder) }).close();
  const file = join(freshFolder(), 'empty.tar');
  await expect(backUp(folder, { secret: undefined, file })).rejects.toThrow(coded('empty_backup'));
  expect(existsSync(file)).toBe(false);
});

test('what is left of a folder is not backed up as if it were all', async () => {
  const folder = await filledFolder();
  registerDataFolderDatabase(folder, 'records');
  rmSync(join(folder, 'graph.db'));
  await expect(backUp(folder)).rejects.toThrow(coded('data_missing'));
});

test('a damaged database is not backed up as if it were whole', async () => {
  const folder = await filledFolder(200);
  const bytes = readFileSync(join(folder, 'graph.db'));
  bytes.fill(0xff, bytes.length - 30_000, bytes.length - 20_000);
  writeFileSync(join(folder, 'graph.db'), bytes);
  const file = join(freshFolder(), 'backup.tar');
  await expect(backUp(folder, { file })).rejects.toThrow(/damaged/);
  expect(readdirSync(dirname(file))).toEqual([]);
});

test('a rekey counts as interrupted only if the secret of the settings is not the old one', async () => {
  const folder = await filledFolder();
  const configuredSecret = secretOf(folder);
  renameSync(join(folder, 'secret'), join(folder, 'secret.old'));
  await expect(backUp(folder, { configuredSecret, secret: undefined })).resolves.toBeDefined();
  const other = { configuredSecret: 'ab'.repeat(32), secret: undefined };
  await expect(backUp(folder, other)).rejects.toEqual(coded('wrong_secret'));
});
