import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createKey, listKeys } from '../../../src/store/keys.ts';
import { STORE_FILE_TYPE_DEFINITION, toSqliteStoreError } from '../../../src/store/sqlite/connect.ts';
import { listStoreSchemaStatements, openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { deleteWatches } from '../../../src/store/events/watches.ts';
import {
  clearPendingErasure,
  markErasurePending,
  readPendingErasure,
} from '../../../src/store/events/events.ts';
import { eraseDeletedRows } from '../../../src/store/open.ts';
import { verifyAuditLog } from '../../../src/store/audit.ts';
import { listAccountsSortedByName } from '../../../src/store/accounts.ts';
import { listCalls } from '../../../src/store/call-log.ts';
import { freshFolder } from '../../kit/folder.ts';
import { bareEnvironment } from '../../kit/programs/environment.ts';
import { listDrafts } from '../billed-store.ts';

const freshFile = () => `${freshFolder()}/store.db`;

/** Returns the error code of opening a file, if its message is one line that names the file. */
function codeOf(file: string): string {
  try {
    openSqliteStore({ file }).close();
    return 'opened';
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    const clear = message.includes(file) && !message.includes('\n') && !message.includes('SQLITE_');
    return clear ? code : `unclear: ${message}`;
  }
}

/** Returns a store with a few hundred rows, so that it has pages to damage. */
function filledStore(): string {
  const file = freshFile();
  const store = openSqliteStore({ file });
  for (let i = 0; i < 300; i++) createKey(store, { name: `key ${i}`, scopes: ['validate'] }, i);
  store.raw.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
  return file;
}

describe('the store', () => {
  it('is made private, in WAL, with full durability and foreign keys', () => {
    const file = `${freshFolder()}/deep/er/store.db`;
    const { raw, close } = openSqliteStore({ file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
    const pragma = (name: string) => raw.pragma(name, { simple: true });
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1]);
    close();
  });

  it('opens again with its data', () => {
    const store = openSqliteStore({ file: filledStore() });
    expect(listKeys(store)).toHaveLength(300);
    store.close();
  });

  it('of version 4 keeps its keys, accounts, calls and counts, and has the same tables as a new store', () => {
    const file = freshFile();
    const packed = new URL('../../fixtures/store/version-4.db.gz', import.meta.url);
    writeFileSync(file, gunzipSync(readFileSync(packed)));
    const store = openSqliteStore({ file });
    const [first, second, rotated] = listKeys(store);
    expect(first).toMatchObject({ name: 'first', chain: first?.id, allowedAddresses: '192.0.2.0/24' });
    expect(second).toMatchObject({ name: 'first', chain: first?.id, account: first?.account });
    expect(rotated).toMatchObject({ name: 'second', region: 'DE', revoked: expect.any(Number) });
    expect(listAccountsSortedByName(store)).toMatchObject([{ name: 'Shop', plans: [{ plan: 'starter' }] }]);
    const [invoice] = listDrafts(store, { month: '2026-11' });
    expect(invoice?.lines).toMatchObject([{ calls: 5, included: 3, overage: 2, amount: '0.10' }]);
    expect(listCalls(store, { limit: 10 }).calls.map(({ verdict }) => verdict)).toEqual(Array(5).fill(null));
    expect(verifyAuditLog(store)).toMatchObject({ acts: 6, broken: null });
    const columns = (raw: typeof store.raw) =>
      raw
        .prepare(
          `SELECT t.name, c.name, c.type, c."notnull", c.pk FROM pragma_table_list t, pragma_table_info(t.name) c
             WHERE t.schema = 'main' ORDER BY 1, 2`,
        )
        .raw()
        .all();
    const indexes = (raw: typeof store.raw) =>
      raw
        .prepare("SELECT type, name, tbl_name FROM sqlite_master WHERE type <> 'table' ORDER BY 1, 2")
        .raw()
        .all();
    const fresh = openSqliteStore({ file: freshFile() });
    expect(columns(store.raw)).toEqual(columns(fresh.raw));
    expect(indexes(store.raw)).toEqual(indexes(fresh.raw));
    for (const { close } of [store, fresh]) close();
  });

  it('of version 5 has counters of its watches once it is opened', () => {
    const file = freshFile();
    const old = new Database(file);
    for (const sql of listStoreSchemaStatements(5) ?? []) old.exec(sql);
    old.pragma('user_version = 5');
    old.pragma(`application_id = ${STORE_FILE_TYPE_DEFINITION.applicationId}`);
    old.exec("INSERT INTO counters VALUES ('watches', 3)");
    for (const id of [1, 2])
      old
        .prepare(
          `INSERT INTO watches (id, number, owner, created, expires, notify_on, min_change, claim, keys, digest, state, version)
             VALUES (?, ?, 'acc_a', 0, 1, 'band', 0, x'00', x'', x'', '', 0)`,
        )
        .run(id, id);
    old.close();
    const store = openSqliteStore({ file });
    expect(store.raw.prepare('SELECT name, value FROM counters ORDER BY name').raw().all()).toEqual([
      ['watch count of acc_a', 2],
      ['watches', 3],
    ]);
    store.close();
  });

  it('of an older version is refused', () => {
    const file = filledStore();
    const old = new Database(file);
    old.pragma('user_version = 3');
    old.close();
    expect(() => openSqliteStore({ file })).toThrow(
      expect.objectContaining({
        code: 'foreign_database',
        message: expect.stringContaining('made by an older'),
      }),
    );
  });

  it.each([-1, 0, -2_147_483_648])('with the version %i, which no Bonafide writes, is damaged', (version) => {
    const file = filledStore();
    const db = new Database(file);
    db.pragma(`user_version = ${version}`);
    db.close();
    expect(codeOf(file)).toBe('damaged_database');
  });

  it('is created once by processes that start together', async () => {
    const file = freshFile();
    const script = `const { openSqliteStore } = await import(${JSON.stringify(new URL('../../../src/store/sqlite/open.ts', import.meta.url).href)});
      for (let i = 0; i < 5; i++) openSqliteStore({ file: ${JSON.stringify(file)} }).close();`;
    const run = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
        env: bareEnvironment(),
      });
    const said = await Promise.all([1, 2, 3].map(run));
    expect(said.map(({ stderr }) => stderr)).toEqual(['', '', '']);
  });

  it('of a newer version is refused and not changed', () => {
    const file = filledStore();
    const db = new Database(file);
    db.pragma('user_version = 9999');
    db.close();
    expect(codeOf(file)).toBe('newer_database');
  });

  it('that is another database is refused and not changed', () => {
    const file = freshFile();
    const db = new Database(file);
    db.exec('CREATE TABLE theirs (a)');
    db.close();
    const before = readFileSync(file);
    expect(codeOf(file)).toBe('foreign_database');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('that is not a database is refused and not changed', () => {
    const file = freshFile();
    writeFileSync(file, 'Dear diary, today was a long day. '.repeat(100));
    expect(codeOf(file)).toBe('foreign_database');
  });

  it('that is damaged is reported as damaged', () => {
    const file = filledStore();
    const bytes = readFileSync(file);
    bytes.fill(0xaa, 4096, bytes.length - 4096);
    writeFileSync(file, bytes);
    expect(codeOf(file)).toBe('damaged_database');
  });

  it('that lost its second half is reported as damaged', () => {
    const file = filledStore();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    expect(codeOf(file)).toBe('damaged_database');
  });

  it('cannot be opened at a folder, nor below a file', () => {
    const folder = freshFolder();
    mkdirSync(`${folder}/store.db`);
    expect(codeOf(`${folder}/store.db`)).toBe('unreadable_file');
    writeFileSync(`${folder}/file`, '');
    expect(codeOf(`${folder}/file/store.db`)).toBe('unreadable_file');
  });

  it('in a read-only folder is reported as such, except to root', () => {
    const folder = freshFolder();
    mkdirSync(`${folder}/locked`, { mode: 0o500 });
    expect(codeOf(`${folder}/locked/store.db`)).toBe(process.getuid?.() === 0 ? 'opened' : 'read_only');
  });

  it.each([
    ['SQLITE_READONLY_DIRECTORY', 'read_only'],
    ['EROFS', 'read_only'],
    ['EACCES', 'read_only'],
    ['SQLITE_FULL', 'disk_full'],
    ['ENOSPC', 'disk_full'],
    ['SQLITE_BUSY_SNAPSHOT', 'database_busy'],
    ['SQLITE_CORRUPT_INDEX', 'damaged_database'],
    ['SQLITE_CANTOPEN', 'unreadable_file'],
    ['SQLITE_NOMEM', 'out_of_memory'],
    ['SQLITE_IOERR_NOMEM', 'out_of_memory'],
    ['ENOMEM', 'out_of_memory'],
    ['SQLITE_IOERR_FSYNC', 'disk_failed'],
    ['EIO', 'disk_failed'],
    ['SQLITE_MISUSE', 'internal_error'],
  ])('turns %s into %s', (code, expected) => {
    expect(toSqliteStoreError(Object.assign(new Error('x'), { code }), 'f')).toMatchObject({
      code: expected,
    });
  });

  it('reports a value that cannot be bound for lack of memory', () => {
    expect(toSqliteStoreError(new Error('Out of memory'), 'f')).toMatchObject({ code: 'out_of_memory' });
  });

  it('on a read-only file system is reported as such', () => {
    // Not even root can create files in /proc.
    const code = codeOf('/proc/bonafide/store.db');
    expect(['read_only', 'unreadable_file']).toContain(code);
  });
});

it.each([
  ['', 'the same process'],
  [', also if the process was killed that deleted them', 'another process'],
  [', also if another process has deleted rows since', 'a process that deleted others'],
])('no byte of deleted watches is left in a file in which SQLite has moved rows%s', (_, eraser) => {
  const file = freshFile();
  const store = openSqliteStore({ file });
  const { raw } = store;
  const add = raw.prepare(
    `INSERT INTO watches (id, number, owner, created, expires, notify_on, min_change, claim, keys, digest, state, version)
       VALUES (?, ?, 'a', 0, 9e15, 'band', 5, ?, x'010000000000', x'00', '50 LOW u///', 0)`,
  );
  const change = raw.prepare('UPDATE watches SET state = ? WHERE id = ?');
  const claims = Array.from({ length: 2000 }, (_, i) => createHash('sha512').update(String(i)).digest());
  raw.transaction(() => {
    for (const [i, claim] of claims.entries()) add.run(i, i, claim);
    for (let i = 0; i < 4000; i++) change.run('x'.repeat((i * 7919) % 300), (i * 7919) % 2000);
  })();
  const deleted = Array.from(claims.keys()).filter((i) => i % 10 === 0);
  const own = markErasurePending(raw, 1000);
  expect(own).toEqual({ before: null, after: 1000 });
  deleteWatches(raw, deleted);
  raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  const left = () => {
    const bytes = readFileSync(file);
    return deleted.filter((i) => bytes.includes(claims[i] ?? '')).length;
  };
  expect(left()).toBeGreaterThan(0);
  const sealed = deleted.map((i) => claims[i] ?? Buffer.alloc(0));
  const unknown = { sealed: null, generation: null };
  // A process that is killed here leaves it to the next, which does not know what was deleted. A large file is rewritten only if that is asked.
  const { size } = statSync(file);
  truncateSync(file, 300_000_000);
  expect(eraseDeletedRows(store, { file }, unknown)).toContain('so large that calls would wait');
  truncateSync(file, size);
  expect(left()).toBeGreaterThan(0);
  const isOther = eraser === 'a process that deleted others';
  if (isOther) markErasurePending(raw, 2000);
  const known = { sealed: isOther ? [] : sealed, generation: own.after };
  expect(eraseDeletedRows(store, { file }, eraser === 'another process' ? unknown : known)).toBeNull();
  expect(readPendingErasure(raw)).toBeNull();
  expect(left()).toBe(0);
  store.close();
});

it('the end of an erasure does not end that of rows that were deleted meanwhile', () => {
  const { raw, close } = openSqliteStore({ file: freshFile() });
  const { after } = markErasurePending(raw, 1000);
  const later = markErasurePending(raw, 1000);
  expect(later).toEqual({ before: after, after: 1001 });
  clearPendingErasure(raw, after);
  expect(readPendingErasure(raw)).toBe(later.after);
  clearPendingErasure(raw, later.after);
  expect(readPendingErasure(raw)).toBeNull();
  close();
});
