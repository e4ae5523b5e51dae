import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type BackupSchedule, createBackupFileName } from '../../src/maintenance/schedule.ts';
import { STORE_FILE_TYPE_DEFINITION } from '../../src/store/sqlite/connect.ts';
import { listStoreSchemaStatements } from '../../src/store/sqlite/open.ts';
import { runDoctor, type DoctorOptions } from '../../src/maintenance/doctor/doctor.ts';
import { registerDataFolderDatabase } from '../../src/platform/data-folder.ts';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { openLog } from '../../src/observe/log.ts';
import { runHere } from '../kit/cli.ts';
import { createFileOwnerMark } from '../../src/platform/temporary-files.ts';
import { freshFolder, runAsOtherUser } from '../kit/folder.ts';
import { backUp, filledFolder } from './kit.ts';

const HOUR = 3_600_000;

/** Returns the findings that are not in order, as `check state`. */
async function troublesOf(dataDir: string, over: Partial<DoctorOptions> = {}): Promise<string[]> {
  const findings = await runDoctor({ dataDir, backups: await madeBackups(), now: Date.now(), ...over });
  for (const { state, todo } of findings) expect(todo === null).toBe(state === 'ok');
  return findings.filter(({ state }) => state !== 'ok').map(({ check, state }) => `${check} ${state}`);
}

/** Returns a schedule whose last backup is `age` milliseconds old. */
async function madeBackups(age = 0): Promise<BackupSchedule> {
  const to = freshFolder();
  writeFileSync(join(to, createBackupFileName(Date.now() - age, false)), '');
  return { everyMs: HOUR, to, keep: 7, withSecret: false };
}

test('an installation that is in order has nothing to do', async () => {
  expect(await troublesOf(await filledFolder())).toEqual([]);
});

test('each fault is found and reported with the next step', async () => {
  const spoilt = async (spoil: (folder: string) => void) => {
    const folder = await filledFolder(100);
    spoil(folder);
    return troublesOf(folder);
  };
  expect(await spoilt((folder) => chmodSync(join(folder, 'secret'), 0o644))).toEqual(['folder bad']);
  expect(await spoilt((folder) => chmodSync(folder, 0o755))).toEqual(['folder bad']);
  expect(await spoilt((folder) => rmSync(join(folder, 'secret')))).toEqual(['secret bad']);
  expect(await spoilt((folder) => writeFileSync(join(folder, 'secret'), 'a'.repeat(64)))).toEqual([
    'secret bad',
  ]);
  expect(await spoilt((folder) => writeFileSync(join(folder, 'secret'), 'short'))).toEqual(['secret bad']);
  expect(await spoilt((folder) => rmSync(join(folder, 'store.db')))).toEqual(['store.db warning']);
  const lost = await spoilt((folder) => {
    registerDataFolderDatabase(folder, 'keys');
    rmSync(join(folder, 'store.db'));
  });
  expect(lost).toEqual(['store.db bad']);
  expect(await spoilt((folder) => writeFileSync(join(folder, 'graph.db'), ''))).toEqual(['graph.db bad']);
  expect(await spoilt((folder) => mkdirSync(join(folder, 'replaced-2026')))).toEqual(['leftovers warning']);
  const killed = `.bonafide-scratch-${createFileOwnerMark().replace(/-\d+$/, '-999999999')}-abcdef`;
  expect(await spoilt((folder) => mkdirSync(join(folder, killed)))).toEqual(['leftovers warning']);
  const room = 'graph.db-room-17acf86fc723';
  expect(await spoilt((folder) => writeFileSync(join(folder, room), ''))).toEqual(['leftovers warning']);
  expect(await spoilt((folder) => setVersion(folder, 99))).toEqual(['store.db bad']);
  expect(await spoilt((folder) => setVersion(folder, 3, 'graph.db'))).toEqual(['graph.db bad']);
  expect(await spoilt((folder) => writeFileSync(join(folder, 'graph.db'), 'no database at all'))).toEqual([
    'graph.db bad',
  ]);
  expect(await spoilt(damage)).toContain('integrity bad');
  expect(await spoilt((folder) => writeFileSync(join(folder, 'link.db'), 'no database at all'))).toEqual([
    'link.db warning',
  ]);
});

test('a database without contents is reported in the words of the server', async () => {
  const folder = await filledFolder(100);
  for (const part of ['keys', 'records'] as const) registerDataFolderDatabase(folder, part);
  for (const name of ['graph.db', 'store.db']) {
    writeFileSync(join(folder, name), '');
    const findings = await runDoctor({ dataDir: folder, now: Date.now() });
    const [finding] = findings.filter(({ check }) => check === name);
    const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder, port: '0' } });
    await expect(openApp(config, openLog('silent'))).rejects.toThrow(finding?.says);
    if (name === 'graph.db') await runHere(['graph', 'link', '--data-dir', folder]);
  }
});

function setVersion(folder: string, version: number, name = 'store.db'): void {
  const db = new Database(join(folder, name));
  db.pragma(`user_version = ${version}`);
  db.close();
}

function damage(folder: string): void {
  const file = join(folder, 'graph.db');
  const bytes = readFileSync(file);
  bytes.fill(0xff, bytes.length - 20_000, bytes.length - 12_000);
  writeFileSync(file, bytes);
}

test('a clock that is behind, a backup that is overdue and a passphrase that is gone are found', async () => {
  const folder = await filledFolder();
  expect(await troublesOf(folder, { now: Date.now() - HOUR })).toContain('clock bad');
  expect(await troublesOf(folder, { now: 0 })).toContain('clock bad');
  expect(await troublesOf(folder, { backups: await madeBackups(3 * HOUR) })).toEqual(['backups bad']);
  expect(await troublesOf(folder, { backups: undefined })).toEqual(['backups warning']);
  const encrypted = { ...(await madeBackups()), passphraseFile: '/nowhere' };
  expect(await troublesOf(folder, { backups: encrypted })).toEqual(['backups bad']);
});

test('a file of an older version is reported, and not changed', async () => {
  const folder = await filledFolder();
  const file = join(folder, 'store.db');
  const old = new Database(file);
  old.pragma('user_version = 3');
  old.close();
  expect(await troublesOf(folder)).toContain('store.db bad');
  const db = new Database(file);
  expect(db.pragma('user_version', { simple: true })).toBe(3);
  db.close();
});

test('a store of an older supported version is in order, because a server updates it', async () => {
  const folder = await filledFolder();
  const file = join(folder, 'store.db');
  rmSync(file);
  const old = new Database(file);
  for (const sql of listStoreSchemaStatements(4) ?? []) old.exec(sql);
  old.pragma('user_version = 4');
  old.pragma(`application_id = ${STORE_FILE_TYPE_DEFINITION.applicationId}`);
  old.close();
  const findings = await runDoctor({ dataDir: folder, backups: await madeBackups(), now: Date.now() });
  expect(findings.find(({ check }) => check === 'store.db')).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('version 4; the next start of a server updates it'),
  });
});

test.each(['graph.db', 'records.db', 'store.db', 'link.db'])(
  'a sound %s that this user cannot use is reported without advice to restore or delete it',
  async (name) => {
    const folder = await filledFolder(100);
    const file = join(folder, name);
    expect(existsSync(file)).toBe(true);
    const backups = await madeBackups();
    const check = (dataDir: string) => runDoctor({ dataDir, backups, now: Date.now() });
    const denied = await runAsOtherUser(folder, name, () => check(folder));
    const locked = new Database(file);
    locked.pragma('locking_mode = EXCLUSIVE');
    locked.exec('BEGIN EXCLUSIVE; COMMIT');
    const busy = await check(folder);
    locked.close();
    for (const [findings, says] of [
      [denied, /cannot be (?:opened|written)/],
      [busy, /is locked/],
    ] as const) {
      expect(findings).toContainEqual(
        expect.objectContaining({ check: name, state: 'bad', says: expect.stringMatching(says) }),
      );
      for (const { todo } of findings) expect(todo ?? '').not.toMatch(/restore|delete/i);
    }
  },
);

test('a folder, a secret and backups that this user may not read are reported, and do not end the command', async () => {
  const folder = await filledFolder();
  const backups = { ...(await madeBackups()), to: join(folder, 'backups') };
  mkdirSync(backups.to);
  for (const [name, check] of [
    ['secret', 'secret'],
    ['backups', 'backups'],
    ['', 'folder'],
  ] as const) {
    const options = { dataDir: folder, backups, now: Date.now() };
    const findings = await runAsOtherUser(folder, name, () => runDoctor(options));
    const says = `This user may not use ${join(folder, name)} (EACCES).`;
    expect(findings).toContainEqual(
      expect.objectContaining({ check, state: 'bad', says: expect.stringContaining(says) }),
    );
  }
});

test('a trigger of another program is reported, which no backup may contain', async () => {
  const folder = await filledFolder();
  const db = new Database(join(folder, 'store.db'));
  db.exec('CREATE TRIGGER t AFTER INSERT ON calls BEGIN SELECT 1; END');
  db.close();
  const findings = await runDoctor({ dataDir: folder, backups: await madeBackups(), now: Date.now() });
  const found = findings.find(({ check }) => check === 'store.db');
  expect(found).toMatchObject({
    state: 'bad',
    says: 'The file has the trigger t, which Bonafide did not make. No backup can be made of it.',
  });
  await expect(backUp(folder)).rejects.toMatchObject({ code: 'damaged_backup' });
});

test('files of an embedded graph that hold people are reported if the graph is elsewhere', async () => {
  const elsewhere = ['graph.db'] as const;
  const folder = await filledFolder(100);
  const findings = await runDoctor({
    dataDir: folder,
    elsewhere,
    backups: await madeBackups(),
    now: Date.now(),
  });
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([
    {
      check: 'old graph',
      state: 'warning',
      says: expect.stringMatching(
        /^graph\.db, records\.db(, link\.db)? in .* the files still contain people\.$/,
      ),
      todo: expect.stringContaining('delete graph.db* records.db*'),
    },
  ]);
  expect(await troublesOf(folder)).toEqual([]);
  for (const name of ['graph.db', 'records.db'])
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, name + end), { force: true });
  expect(await troublesOf(folder, { elsewhere })).toEqual([]);
});

test('backups that leave out the graph or the store are reported', async () => {
  const folder = await filledFolder(100);
  const backups = await madeBackups();
  const says = async (elsewhere: readonly ('graph.db' | 'store.db')[], given?: typeof backups) =>
    (await runDoctor({ dataDir: folder, elsewhere, backups: given, now: Date.now() })).find(
      ({ check }) => check === 'backups',
    );
  expect(await says(['graph.db'], backups)).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('pg_dump --schema bonafide'),
  });
  expect(await says(['graph.db', 'store.db'], backups)).toMatchObject({
    state: 'bad',
    todo: 'Remove the setting backup.',
  });
  expect(await says(['graph.db', 'store.db'])).toMatchObject({ state: 'ok' });
});

test('a store.db with keys is reported if the store is elsewhere', async () => {
  const folder = await filledFolder(100);
  expect(await troublesOf(folder, { elsewhere: ['store.db'] })).toEqual(['old store warning']);
  const keyless = new Database(join(folder, 'store.db'));
  keyless.exec('DELETE FROM keys');
  keyless.close();
  expect(await troublesOf(folder, { elsewhere: ['store.db'] })).toEqual([]);
});

test('a machine that only asks an upstream graph needs no folder, keys or backups', async () => {
  const elsewhere = ['graph.db'] as const;
  const folder = freshFolder();
  expect(await troublesOf(folder, { elsewhere, backups: undefined })).toEqual([]);
  expect(await troublesOf(join(folder, 'none'), { elsewhere, backups: undefined })).toEqual([]);
  expect(await troublesOf(join(folder, 'none'))).toEqual(['folder bad']);
});

test('the command prints what it found, also as JSON, and ends with 1 where something is bad', async () => {
  const folder = await filledFolder();
  const well = await runHere(['doctor', '--data-dir', folder, '--json']);
  const findings = JSON.parse(well.stdout) as { check: string; state: string }[];
  expect([well.code, findings.filter(({ state }) => state === 'bad')]).toEqual([0, []]);
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['settings', 'integrity', 'models']),
  );
  chmodSync(join(folder, 'graph.db'), 0o666);
  const open = await runHere(['doctor', '--data-dir', folder]);
  expect(open.code).toBe(1);
  expect(open.stdout).toContain(`folder: chmod 600 ${join(folder, 'graph.db')}`);
  const wrong = await runHere(['doctor', '--data-dir', folder, '--config', '/nowhere.json']);
  expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('There is no settings file')]);
});
