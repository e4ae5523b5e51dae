import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { refuseOldSqlite } from '../../src/platform/sqlite.ts';

it.each(['3.51.2', '3.50.9', '3.9.0', '2.99.99'])('SQLite %s is refused', (version) => {
  expect(() => refuseOldSqlite(version)).toThrow(`This is SQLite ${version}, which can damage databases.`);
});

it('the one that comes with the packages, and later ones, are taken', () => {
  const version = new Database(':memory:').prepare('SELECT sqlite_version()').pluck().get();
  for (const good of ['3.51.3', '3.51.10', '3.52.0', '4.0.0', String(version)])
    expect(() => refuseOldSqlite(good)).not.toThrow();
});
