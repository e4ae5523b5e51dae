import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  createRowWriter,
  openSqliteFile,
  WAL_CHECKPOINT_PAGES,
  requireSqliteVersion,
  checkpointHalfFullWals,
} from '../../src/platform/sqlite.ts';
import { freshFolder } from '../kit/folder.ts';

it.each(['3.51.2', '3.50.9', '3.9.0', '2.99.99'])('SQLite %s is refused', (version) => {
  expect(() => requireSqliteVersion(version)).toThrow(
    `This is SQLite ${version}, which can damage databases.`,
  );
});

it('the one that comes with the packages, and later ones, are taken', () => {
  const version = new Database(':memory:').prepare('SELECT sqlite_version()').pluck().get();
  for (const good of ['3.51.3', '3.51.10', '3.52.0', '4.0.0', String(version)])
    expect(() => requireSqliteVersion(good)).not.toThrow();
});

it('moves a log into its file while nobody waits, once that is soon due anyway', () => {
  const kind = { applicationId: 0x42_46_54_54, name: 'test', synchronous: 'OFF', pageSize: 1024 } as const;
  const db = openSqliteFile(`${freshFolder()}/test.db`, kind);
  db.exec('CREATE TABLE some (bytes BLOB)');
  const write = (pages: number) => db.prepare('INSERT INTO some VALUES (zeroblob(?))').run(1024 * pages);
  const waiting = () => {
    checkpointHalfFullWals(db);
    const [told] = db.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
    return told ? told.log - told.checkpointed : -1;
  };
  write(WAL_CHECKPOINT_PAGES / 4);
  expect(waiting()).toBeGreaterThan(WAL_CHECKPOINT_PAGES / 4);
  write(WAL_CHECKPOINT_PAGES / 2);
  expect(waiting()).toBe(0);
  db.close();
});

it.each([0, 1, 31, 32, 33, 64, 100])('a row writer inserts %i rows in order', (count) => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE pair (a INTEGER, b TEXT)');
  const rows = Array.from({ length: count }, (_, i) => [i, `text ${i}`] as const);
  const writer = createRowWriter(db, 'pair', 2);
  for (const row of rows) writer.add(...row);
  writer.end();
  writer.end();
  expect(db.prepare('SELECT a, b FROM pair ORDER BY rowid').raw().all()).toEqual(rows);
});
