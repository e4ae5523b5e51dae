// The tables of both engines have the columns that schema.ts describes.
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
