// The tables of both engines have the columns that schema.ts describes.
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { STORE_TABLES } from '../../src/store/schema.ts';
import { freshStore, onEngines, listColumns } from './engines.ts';

onEngines(() => {
  test.each(STORE_TABLES.map((table) => [getTableConfig(table).name, table] as const))(
    '%s has the columns that are described, and the same of them may be null',
    (name, table) => {
      const store = freshStore();
      const described = getTableConfig(table).columns.map((column) => ({
        name: column.name,
        notNull: column.notNull,
      }));
      const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
      // PostgreSQL has a column for the order of insertion.
      const columns = listColumns(store, name).filter((column) => column.name !== 'rowid');
      expect(columns.toSorted(byName)).toEqual(described.toSorted(byName));
    },
  );
});
