import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import type * as FS from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, test, vi } from 'vitest';
import { connect } from '../../src/platform/sqlite.ts';
import type { Db } from '../../src/platform/sqlite.ts';
import { upgrade } from '../../src/platform/upgrade.ts';
import { freshFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/pages.ts';

const disk = vi.hoisted(() => ({ free: Number.POSITIVE_INFINITY }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof FS>();
  return { ...fs, statfsSync: () => ({ bavail: disk.free, bsize: 1 }) };
});
beforeEach(() => void (disk.free = Number.POSITIVE_INFINITY));

const KIND = { applicationId: 7, name: 'test', synchronous: 'FULL' } as const;
const coded = (code: string) => expect.objectContaining({ code });
const ROWS = 500;

/** A file of version 1 with some hundred rows. */
function firstVersion(): string {
  const file = join(freshFolder(), 'some.db');
  const db = connect(file, KIND);
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, old TEXT)');
  const insert = db.prepare('INSERT INTO t (old) VALUES (?)');
  for (let i = 0; i < ROWS; i++) insert.run(`row ${i} ${'x'.repeat(100)}`);
  db.pragma('application_id = 7');
  db.pragma('user_version = 1');
  db.close();
  return file;
}

const change = (db: Db) => {
  db.exec('ALTER TABLE t RENAME COLUMN old TO new');
  db.exec("UPDATE t SET new = new || ' upgraded'");
};
const unchanged = (db: Db) => db.prepare('SELECT count(*) FROM t').pluck().get();
const UPGRADE = { kind: KIND, version: 2, change, unchanged };

/** Version, column and rows of a file, opened as any program would. */
function contentOf(file: string): unknown[] {
  const db = new Database(file);
  const [column] = db.prepare("SELECT name FROM pragma_table_info('t') WHERE pk = 0").pluck().all();
  const found = [
    db.pragma('user_version', { simple: true }),
    column,
    unchanged(db),
    db.pragma('integrity_check'),
  ];
  db.close();
  return found;
}
const WHOLE = [{ integrity_check: 'ok' }];
const EARLIER = [1, 'old', ROWS, WHOLE];
const UPGRADED = [2, 'new', ROWS, WHOLE];

test('a file is upgraded, and the earlier one is kept, private and whole', () => {
  const file = firstVersion();
  upgrade({ ...UPGRADE, file });
  expect(contentOf(file)).toEqual(UPGRADED);
  expect(contentOf(`${file}.version-1`)).toEqual(EARLIER);
  expect(statSync(`${file}.version-1`).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file)).toSorted()).toEqual(['some.db', 'some.db.version-1']);
});

test.each([
  ['throws half-way', () => fail()],
  ['loses a row', (db: Db) => void db.exec('DELETE FROM t WHERE id = 7')],
])('an upgrade that %s leaves the file as it was, and no copy', (_, after) => {
  const file = firstVersion();
  const spoilt = (db: Db) => {
    change(db);
    after(db);
  };
  expect(() => upgrade({ ...UPGRADE, file, change: spoilt })).toThrow(/half-way|would not be whole/);
  expect(contentOf(file)).toEqual(EARLIER);
  expect(readdirSync(dirname(file))).toEqual(['some.db']);
});

function fail(): never {
  throw new Error('half-way');
}

test('without room for it nothing is begun, and how much is needed is told', () => {
  const file = firstVersion();
  disk.free = 100_000;
  expect(() => upgrade({ ...UPGRADE, file })).toThrow(coded('disk_full'));
  expect(() => upgrade({ ...UPGRADE, file })).toThrow(/needs \d+ kB in .* and 100 kB are free/);
  expect(existsSync(`${file}.version-1`)).toBe(false);
  expect(contentOf(file)).toEqual(EARLIER);
});

test('a file that another process has open is not upgraded under it', () => {
  const file = firstVersion();
  const other = connect(file, KIND);
  expect(() => upgrade({ ...UPGRADE, file })).toThrow(coded('database_busy'));
  other.close();
  expect(contentOf(file)).toEqual(EARLIER);
  upgrade({ ...UPGRADE, file });
  const upgraded = connect(file, KIND);
  upgrade({ ...UPGRADE, file });
  upgraded.close();
});

test('an upgrade that takes long says how far it is', () => {
  const file = firstVersion();
  const clock = vi.spyOn(performance, 'now');
  let now = 0;
  clock.mockImplementation(() => (now += 6000));
  const said: string[] = [];
  const telling = (db: Db, tell: (done: number) => void) => (tell(0.25), change(db));
  upgrade({ ...UPGRADE, file, change: telling }, (text) => said.push(text));
  clock.mockRestore();
  expect(said).toEqual([
    'upgrading some.db: keeping the earlier file',
    'upgrading some.db: changing 25 %',
    'upgrading some.db: checking',
  ]);
});

test.each(['before', 'amid', 'after'])(
  'killed %s the change, the file is of the earlier version and whole',
  (when) => {
    const file = firstVersion();
    const program = `
    import { upgrade } from './src/platform/upgrade.ts';
    const die = (at) => at === '${when}' && process.kill(process.pid, 'SIGKILL');
    upgrade({
      file: ${JSON.stringify(file)}, kind: ${JSON.stringify(KIND)}, version: 2,
      unchanged: (db) => db.prepare('SELECT count(*) FROM t').pluck().get(),
      change: (db) => {
        db.pragma('cache_size = 10');
        die('before');
        db.exec('ALTER TABLE t RENAME COLUMN old TO new');
        db.exec("UPDATE t SET new = new || ' upgraded'");
        die('amid');
        db.exec('CREATE INDEX i ON t (new)');
        die('after');
      },
    });`;
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
    expect(spawnSync(process.execPath, args, { cwd: ROOT }).signal).toBe('SIGKILL');
    expect(contentOf(file)).toEqual(EARLIER);
    upgrade({ ...UPGRADE, file });
    expect(contentOf(file)).toEqual(UPGRADED);
  },
);
