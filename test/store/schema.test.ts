// The tables of both engines are those that are described.
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { STORE_TABLES } from '../../src/store/schema.ts';
import { freshStore, onEngines, tableColumns } from './engines.ts';

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
      // The order in which rows were added is a column of its own in PostgreSQL.
      const columns = tableColumns(store, name).filter((column) => column.name !== 'rowid');
      expect(columns.toSorted(byName)).toEqual(described.toSorted(byName));
    },
  );
});
