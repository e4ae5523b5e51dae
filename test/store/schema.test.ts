// The tables of both engines have the columns that schema.ts describes.
import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { STORE_TABLES } from '../../src/store/schema.ts';
import { freshStore, onEngines, listColumns } from './engines.ts';

onEngines(() => {
  test('every table has the columns that are described, and the same of them may be null', () => {
    const store = freshStore();
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    for (const { name, columns } of STORE_TABLES.map(getTableConfig)) {
      const described = columns.map((column) => ({ name: column.name, notNull: column.notNull }));
      // PostgreSQL has a column for the order of insertion.
      const found = listColumns(store, name).filter((column) => column.name !== 'rowid');
      expect([name, found.toSorted(byName)]).toEqual([name, described.toSorted(byName)]);
    }
  });
});

/** Beginning of the SHA-256 of each migration. Add a line for a new one, and never change another: existing stores have run it. */
const MIGRATIONS = {
  'postgres/migrations/0000_store.sql': '56185241229e3bef',
  'postgres/migrations/0001_functions.sql': '1ef07fb7d64adf8d',
  'postgres/migrations/0002_operating.sql': 'efd402da5686049c',
  'postgres/migrations/0003_lookups.sql': 'b3bf2a6cc491a360',
  'postgres/migrations/0004_watch_counts.sql': '4446786d1a2dad98',
  'sqlite/migrations/0000_store.sql': 'ab50fc922585616c',
  'sqlite/migrations/0001_operating.sql': '19018f56d8471ec3',
  'sqlite/migrations/0002_watch_counts.sql': '78964dc2f6e28d51',
};

test('no migration changes, because `doctor` compares the stores that exist with it', () => {
  const folder = new URL('../../src/store/', import.meta.url).pathname;
  const files = globSync('*/migrations/*.sql', { cwd: folder }).toSorted();
  const hashOf = (file: string) => hash('sha256', readFileSync(folder + file)).slice(0, 16);
  expect(Object.fromEntries(files.map((file) => [file, hashOf(file)]))).toEqual(MIGRATIONS);
});
