import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  openSqliteFile,
  WAL_CHECKPOINT_PAGES,
  requireSqliteVersion,
  checkpointWals,
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
    checkpointWals(db);
    const [told] = db.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
    return told ? told.log - told.checkpointed : -1;
  };
  write(WAL_CHECKPOINT_PAGES / 4);
  expect(waiting()).toBeGreaterThan(WAL_CHECKPOINT_PAGES / 4);
  write(WAL_CHECKPOINT_PAGES / 2);
  expect(waiting()).toBe(0);
  db.close();
});
