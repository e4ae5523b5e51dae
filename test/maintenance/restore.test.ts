import { cpSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import type * as FS from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { writeArchive } from '../../src/maintenance/file/archive.ts';
import { countRows } from '../../src/maintenance/sqlite/facts.ts';
import { completeInterruptedFileReplacement } from '../../src/maintenance/swap.ts';
import { getErrorCode } from '../../src/platform/files.ts';
import { openSqliteStore, getStoreFile } from '../../src/store/sqlite/open.ts';
import { freshFolder } from '../kit/folder.ts';
import { backUp, filledFolder, NOW, restoreTo, stateOf } from './kit.ts';

/** Number of file operations that still succeed; all later ones fail, as in a process that is killed there. */
const killed = vi.hoisted(() => ({ in: Number.POSITIVE_INFINITY }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof FS>();
  const dying =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      if (--killed.in < 0) throw new Error('killed');
      return work(...args);
    };
  return {
    ...fs,
    renameSync: dying(fs.renameSync),
    rmSync: dying(fs.rmSync),
    mkdirSync: dying(fs.mkdirSync),
  };
});

const coded = (code: string) => expect.objectContaining({ code });

describe('an existing folder', () => {
  test('is not replaced unasked, and is kept where it is', async () => {
    const [old, fresh] = [await filledFolder(3, 'old'), await filledFolder(5, 'new')];
    const { file } = await backUp(fresh);
    const before = await stateOf(old);
    await expect(restoreTo(old, file)).rejects.toThrow(coded('already_there'));
    expect(await stateOf(old)).toEqual(before);
    const { replaced } = await restoreTo(old, file, { force: true });
    expect(await stateOf(old)).toEqual(await stateOf(fresh));
    expect(replaced).toBe(join(old, 'replaced-2026-11-22T01-02-03Z'));
    expect(await stateOf(replaced ?? '')).toEqual(before);
    // The link cache belongs to the old graph.
    expect([old, replaced ?? ''].map((folder) => existsSync(join(folder, 'link.db')))).toEqual([false, true]);
  });

  test('is not replaced under a server that has it open', async () => {
    const [old, fresh] = [await filledFolder(3, 'old'), await filledFolder(5, 'new')];
    const { file } = await backUp(fresh);
    for (const open of [
      () => openSqliteStore({ file: getStoreFile(old) }),
      () => openSqliteGraph({ dataDir: old }),
    ]) {
      const server = open();
      await expect(restoreTo(old, file, { force: true })).rejects.toThrow(coded('database_busy'));
      await server.close();
    }
    expect(await stateOf(old)).not.toEqual(await stateOf(fresh));
  });

  test('is replaced with its WAL if it cannot be opened', async () => {
    const fresh = await filledFolder(5, 'new');
    const { file } = await backUp(fresh);
    const old = await filledFolder(3, 'old');
    for (const name of ['graph.db', 'graph.db-wal']) writeFileSync(join(old, name), Buffer.alloc(5000, 'x'));
    await restoreTo(old, file, { force: true });
    expect(await stateOf(old)).toEqual(await stateOf(fresh));
  });
});

describe('a backup that cannot be used leaves the folder as it was:', () => {
  /** Restores a backup that `spoil` has damaged. Returns the error code, and whether the folder is unchanged. */
  async function tried(spoil: (file: string) => void): Promise<{ code: string; untouched: boolean }> {
    const old = await filledFolder(3, 'old');
    const { file } = await backUp(await filledFolder(5, 'new'));
    const inside = async () => JSON.stringify([readdirSync(old), await stateOf(old)]);
    const before = await inside();
    spoil(file);
    const error: unknown = await restoreTo(old, file, { force: true }).catch((thrown: unknown) => thrown);
    return { code: getErrorCode(error), untouched: (await inside()) === before };
  }
  const REFUSED = { code: 'damaged_backup', untouched: true };

  test.each([0, 100, 30_000, 60_000, 83_000])('cut short after %i bytes', async (length) => {
    expect(await tried((file) => truncateSync(file, length))).toEqual(REFUSED);
  });

  test.each([200, 5000, 45_000, 82_500])('with a byte changed at %i', async (at) => {
    const change = (file: string) => {
      const bytes = readFileSync(file);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      writeFileSync(file, bytes);
    };
    expect(await tried(change)).toEqual(REFUSED);
  });

  test('something else', async () => {
    expect(await tried((file) => writeFileSync(file, 'no backup'.repeat(200)))).toEqual(REFUSED);
  });

  test('whose manifest has a text in place of the time, which would be printed', async () => {
    const folder = await filledFolder();
    const { databases } = await backUp(folder);
    const file = join(freshFolder(), 'backup.tar');
    const about = { format: 1, made: '\u001b[2J', program: 'x', databases } as const;
    await writeArchive({
      folder,
      names: Object.keys(databases),
      about,
      file,
      passphrase: undefined,
      onBytes: () => undefined,
    });
    await expect(restoreTo(freshFolder(), file)).rejects.toThrow(coded('damaged_backup'));
  });

  test.each(['graph.db', 'records.db', 'store.db'])('whose %s is of a newer Bonafide', async (name) => {
    const newer = await filledFolder();
    const db = new Database(join(newer, name));
    db.pragma('user_version = 99');
    db.close();
    const { file } = await backUp(newer);
    await expect(restoreTo(freshFolder(), file)).rejects.toThrow(coded('newer_database'));
  });

  test('whose graph is not of the secret that the settings give', async () => {
    const { file } = await backUp(await filledFolder());
    const other = freshFolder();
    await expect(restoreTo(other, file, { secret: '0'.repeat(64) })).rejects.toThrow(coded('wrong_secret'));
    expect(readdirSync(other)).toEqual([]);
  });

  test('that is a folder', async () => {
    const made = join(freshFolder(), 'new');
    await expect(restoreTo(made, freshFolder())).rejects.toMatchObject({
      code: 'unreadable_file',
      message: expect.stringContaining('a backup is a single file'),
    });
    expect(existsSync(made)).toBe(false);
  });

  test('whose folder was made for it', async () => {
    const file = join(freshFolder(), 'backup.tar');
    writeFileSync(file, 'no backup'.repeat(200));
    const made = join(freshFolder(), 'new');
    await expect(restoreTo(made, file)).rejects.toThrow(coded('damaged_backup'));
    expect(existsSync(made)).toBe(false);
  });

  test('that is not there', async () => {
    await expect(restoreTo(freshFolder(), '/nowhere/backup.tar')).rejects.toThrow(coded('file_not_found'));
  });
});

/** Makes a backup of databases that `change` has modified, with checksums and counts of the modified content. */
async function repack(name: 'graph.db' | 'records.db' | 'store.db', change: string): Promise<string> {
  const folder = await filledFolder();
  const db = new Database(join(folder, name));
  db.exec(change);
  db.close();
  const names = ['graph.db', 'records.db', 'store.db'];
  const databases = Object.fromEntries(
    names.map((one) => {
      const copy = new Database(join(folder, one));
      copy.pragma('journal_mode = DELETE');
      const counts = countRows(copy);
      copy.close();
      return [one, counts];
    }),
  );
  const file = join(freshFolder(), 'repacked.tar');
  const about = { format: 1, made: new Date(NOW).toISOString(), program: 'x', databases } as const;
  await writeArchive({ folder, names, about, file, passphrase: undefined, onBytes: () => undefined });
  return file;
}

test('a repacked backup is restored if its tables are as they should be, or Litestream added its own', async () => {
  const file = await repack('store.db', 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)');
  expect(await restoreTo(freshFolder(), file)).toMatchObject({ replaced: null });
});

test('a refused backup is told without the path that it was unpacked to', async () => {
  const { file } = await backUp(await filledFolder());
  const [none, other, short] = ['0'.repeat(63), '0'.repeat(64), ''].map((secret) => ({ secret }));
  for (const options of [none, other, short])
    await expect(restoreTo(freshFolder(), file, options)).rejects.toMatchObject({
      code: 'wrong_secret',
      message: expect.stringMatching(/^The backup cannot be restored\. (?!.*unpacked)/),
    });
});

test.each(['graph.db', 'records.db', 'store.db'])(
  'a backup whose %s is no database is damaged',
  async (name) => {
    const folder = await filledFolder();
    const { databases } = await backUp(folder);
    writeFileSync(join(folder, name), 'no database'.repeat(900));
    const file = join(freshFolder(), 'backup.tar');
    const about = { format: 1, made: new Date(NOW).toISOString(), program: 'x', databases } as const;
    await writeArchive({
      folder,
      names: Object.keys(databases),
      about,
      file,
      passphrase: undefined,
      onBytes: () => undefined,
    });
    await expect(restoreTo(freshFolder(), file)).rejects.toMatchObject({
      code: 'damaged_backup',
      message: expect.stringMatching(`^${name} in the backup is damaged`),
    });
  },
);

test.each([
  ['store.db', 'CREATE TRIGGER t AFTER INSERT ON calls BEGIN DELETE FROM keys; END', 'has the trigger t'],
  ['store.db', 'CREATE VIEW seen AS SELECT 1', 'has the view seen'],
  ['store.db', 'CREATE VIRTUAL TABLE search USING fts5(body)', 'has the table search'],
  ['store.db', 'CREATE UNIQUE INDEX one ON keys (name)', 'has the index one'],
  ['store.db', 'DROP TRIGGER audit_unremoved', 'lacks the trigger audit_unremoved'],
  ['store.db', 'DROP TABLE job_parts', 'lacks the table job_parts'],
  ['records.db', 'ALTER TABLE record ADD COLUMN extra', 'has another table record'],
  ['records.db', 'DROP TABLE forgotten', 'lacks the table forgotten'],
  ['graph.db', 'DROP TABLE frequent', 'lacks the table frequent'],
  ['graph.db', 'CREATE TRIGGER t AFTER INSERT ON identity BEGIN SELECT 1; END', 'has the trigger t'],
] as const)('a backup of which %s was changed by "%s" is refused', async (name, change, problem) => {
  const file = await repack(name, change);
  const folder = freshFolder();
  await expect(restoreTo(folder, file)).rejects.toMatchObject({
    code: 'damaged_backup',
    message: expect.stringContaining(`${name} in the backup ${problem}`),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('killed at any rename or removal, a restore has done all or nothing once somebody looks', async () => {
  const [old, fresh] = [await filledFolder(3, 'old'), await filledFolder(5, 'new')];
  const [before, after] = [await stateOf(old), await stateOf(fresh)];
  const { file } = await backUp(fresh);
  const seen = { before: 0, after: 0, twice: 0 };
  for (let at = 0; ; at++) {
    const folder = freshFolder();
    cpSync(old, folder, { recursive: true });
    killed.in = at;
    const done = await restoreTo(folder, file, { force: true }).then(
      () => true,
      () => false,
    );
    killed.in = Number.POSITIVE_INFINITY;
    if (existsSync(join(folder, '.bonafide-restored'))) {
      // The process that completes the restore may be killed as well.
      killed.in = at % 4;
      try {
        completeInterruptedFileReplacement(folder);
      } catch {
        seen.twice++;
      }
      killed.in = Number.POSITIVE_INFINITY;
    }
    completeInterruptedFileReplacement(folder);
    const state = await stateOf(folder);
    expect([before, after]).toContainEqual(state);
    seen[JSON.stringify(state) === JSON.stringify(before) ? 'before' : 'after']++;
    if (done) break;
  }
  expect(seen.before).toBeGreaterThan(3);
  expect(seen.after).toBeGreaterThan(8);
  expect(seen.twice).toBeGreaterThan(4);
});
