// The tables of a store in PostgreSQL, from which its migrations are generated. After a change of src/store/schema.ts:
//     npm run migration -- --config .config/drizzle/postgres.ts --name WHAT_CHANGED
import * as pg from 'drizzle-orm/pg-core';
import type { TableDefinitionFunctions } from '../../src/store/drizzle.ts';
import { defineLimitTables, defineStoreTables } from '../../src/store/schema.ts';

/** Text in the order of its bytes, whatever the language of the database: pages continue after the last row by comparing. */
const text = pg.customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const bytes = pg.customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const bigint = (name: string) => pg.bigint(name, { mode: 'number' });

const POSTGRES = {
  table: pg.pgTable,
  text,
  bytes,
  integer: pg.integer,
  bigint,
  real: pg.doublePrecision,
  flag: pg.smallint,
  falseDefault: 0,
  sequence: (name: string) => bigint(name).primaryKey(),
  ownColumns: { rowid: bigint('rowid').generatedAlwaysAsIdentity() },
  isPostgres: true,
  index: pg.index,
  uniqueIndex: pg.uniqueIndex,
  primaryKey: pg.primaryKey,
};

/** Builders of PostgreSQL have the form of those of SQLite, which give the tables their types. */
const DIALECT = POSTGRES as unknown as TableDefinitionFunctions;

export const {
  plans,
  planVersions,
  accounts,
  accountPlans,
  keys,
  usage,
  accountUsage,
  invoices,
  calls,
  refusals,
  idempotency,
  probes,
  webhooks,
  jobs,
  jobParts,
  endpoints,
  events,
  counters,
  watches,
  watchKeys,
  watchReservations,
  watchProgress,
  audit,
} = defineStoreTables(DIALECT);

// UNLOGGED in the migration.
export const { buckets, work, flights, processes, links, sessions } = defineLimitTables(DIALECT);

/** Highest number that an audit entry ever had; one row. */
export const auditLast = pg.pgTable('audit_last', { seq: bigint('seq').notNull() });

export default {
  dialect: 'postgresql',
  schema: './.config/drizzle/postgres.ts',
  out: './src/store/postgres/migrations',
};
