// Copies a whole store from one engine to another, both ways: every table by its primary key, so that a copy that was interrupted goes on.
import { getTableConfig } from '../drizzle.ts';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { verifyAudit } from '../audit.ts';
import * as schema from '../schema.ts';
import type { Store } from '../store.ts';

/** In this order: what a row speaks of is there before it. */
const TABLES: SQLiteTable[] = [
  schema.plans,
  schema.planVersions,
  schema.accounts,
  schema.accountPlans,
  schema.keys,
  schema.usage,
  schema.accountUsage,
  schema.calls,
  schema.idempotency,
  schema.probes,
  schema.webhooks,
  schema.audit,
];

/** Rows that are read and written at a time: the parameters of one statement are bounded, in SQLite to 32,766. */
const AT_ONCE = 500;

export interface CopyOptions {
  from: Store;
  to: Store;
  /** Told of each table that is copied. */
  onTable?: (name: string, rows: number) => void;
}

interface Shape {
  name: string;
  columns: string[];
  key: string[];
}

/** What was found of a copy, table by table: rows here and there. */
export interface Copied {
  tables: { name: string; from: number; to: number }[];
  /** The last link of the audit log, of both. */
  heads: [from: string, to: string];
  /** Rows that were compared one by one. */
  compared: number;
  /** Tables of whose compared rows one differs. */
  differing: string[];
}

/**
 * Copies every row that is not there yet, as of one moment, and compares: counts of all, the audit log's chain, and rows here and there of each table.
 * Nobody else may write to the target meanwhile.
 */
export function copyStore({ from, to, onTable }: CopyOptions): Copied {
  const copy = (): Copied => {
    const tables = TABLES.map((table) => {
      const shape = shapeOf(table);
      copyTable(from, to, shape);
      const found = { name: shape.name, from: countOf(from, shape), to: countOf(to, shape) };
      onTable?.(shape.name, found.to);
      return found;
    });
    const samples = TABLES.map((table) => compare(from, to, shapeOf(table)));
    return {
      tables,
      heads: [verifyAudit(from).head, verifyAudit(to).head],
      compared: samples.reduce((sum, { rows }) => sum + rows, 0),
      differing: samples.filter(({ same }) => !same).map(({ name }) => name),
    };
  };
  return from.raw.transaction(copy)();
}

/** Whether a copy has all that was to be copied, and nothing else. */
export const isWhole = ({ tables, heads: [before, after], differing }: Copied): boolean =>
  tables.every(({ from, to }) => from === to) && before === after && differing.length === 0;

function shapeOf(table: SQLiteTable): Shape {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const own = columns.filter(({ primary }) => primary);
  const key = primaryKeys[0]?.columns ?? own;
  return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
}

const quoted = (names: readonly string[], table?: string): string =>
  names.map((name) => (table ? `"${table}"."${name}"` : `"${name}"`)).join();

type Row = unknown[];

/** Rows behind one, in the order of the key: of accounts' usage in the order in which they were added, which invoices keep. */
function pagesOf(store: Store, { name, columns, key }: Shape) {
  const order = name === 'account_usage' ? ['rowid'] : key;
  const all = quoted([...order, ...columns]);
  const marks = order.map(() => '?').join();
  const first = store.raw
    .prepare<[], Row>(`SELECT ${all} FROM "${name}" ORDER BY ${quoted(order)} LIMIT ${AT_ONCE}`)
    .raw();
  const next = store.raw
    .prepare<unknown[], Row>(
      `SELECT ${all} FROM "${name}" WHERE (${quoted(order)}) > (${marks}) ORDER BY ${quoted(order)} LIMIT ${AT_ONCE}`,
    )
    .raw();
  return function* pages(): Iterable<Row[]> {
    for (let rows = first.all(); rows.length > 0;) {
      yield rows.map((row) => row.slice(order.length));
      rows = next.all(...(rows.at(-1)?.slice(0, order.length) ?? []));
    }
  };
}

function copyTable(from: Store, to: Store, shape: Shape): void {
  const one = `(${shape.columns.map(() => '?').join()})`;
  for (const rows of pagesOf(from, shape)()) {
    const text = `INSERT INTO "${shape.name}" (${quoted(shape.columns)}) VALUES ${rows.map(() => one).join()} ON CONFLICT DO NOTHING`;
    to.raw.prepare<unknown[]>(text).run(...rows.flat());
  }
}

const countOf = ({ raw }: Store, { name }: Shape): number =>
  raw.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0;

/** The first page of a table here, and its rows there. */
function compare(from: Store, to: Store, shape: Shape): { name: string; rows: number; same: boolean } {
  const [rows = []] = pagesOf(from, shape)();
  const at = shape.key.map((name) => shape.columns.indexOf(name));
  const find = to.raw
    .prepare<unknown[], Row>(
      `SELECT ${quoted(shape.columns)} FROM "${shape.name}" WHERE ${shape.key.map((name) => `"${name}" = ?`).join(' AND ')}`,
    )
    .raw();
  const same = rows.every((row) => {
    const there = find.get(...at.map((place) => row[place]));
    return there !== undefined && textOf(there) === textOf(row);
  });
  return { name: shape.name, rows: rows.length, same };
}

const textOf = (row: Row): string =>
  JSON.stringify(
    row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
  );
