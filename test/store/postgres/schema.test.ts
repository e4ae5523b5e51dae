// Both engines have the same tables: one statement reads and writes either.
import { getTableConfig as postgresTable, type PgTable } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import * as sqlite from '../../../src/store/schema.ts';
import { translatePlaceholders } from '../../../src/store/postgres/bridge.ts';
import * as postgres from '../../../src/store/postgres/schema.ts';

const THERE = new Map<string, PgTable>(Object.entries(postgres));

type Column = { name: string; notNull: boolean };
const shapeOf = (columns: readonly Column[]) =>
  columns.map(({ name, notNull }) => `${name}${notNull ? '' : '?'}`).toSorted();

test.each(Object.entries(sqlite))(
  '%s has the same columns in both, and the same may be missing',
  (name, table) => {
    const there = postgresTable(THERE.get(name) ?? postgres.keys);
    const here = sqliteTable(table);
    expect(there.name).toBe(here.name);
    // The order in which rows were added is a column of its own there.
    const columns = there.columns.filter((column) => column.name !== 'rowid');
    expect(shapeOf(columns)).toEqual(shapeOf(here.columns));
  },
);

test('placeholders are numbered, by their names where they have some, and texts and names are left alone', () => {
  const [one, two] = [
    translatePlaceholders('a = ? AND b = ?'),
    translatePlaceholders(`@x OR "a?" = '@x?''?' OR @y OR @x`),
  ];
  expect(one.text).toBe('a = $1 AND b = $2');
  expect(one.toParameters([1, undefined])).toEqual([1, null]);
  expect(one.toParameters([[1, 2]])).toEqual([1, 2]);
  expect(two.text).toBe(`$1 OR "a?" = '@x?''?' OR $2 OR $1`);
  expect(two.toParameters([{ y: 2, x: 1 }])).toEqual([1, 2]);
});
