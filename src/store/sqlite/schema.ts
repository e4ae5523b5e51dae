import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { LoggedCall } from '../../model.ts';

/** API keys. Of the key itself only its SHA-256 is kept; `prefix` is what a list may show. Times are milliseconds. */
export const keys = sqliteTable(
  'keys',
  {
    id: text('id').primaryKey(),
    /** The id of the first key of a chain of rotations: usage and the request stream belong to this. */
    account: text('account').notNull(),
    name: text('name').notNull(),
    hash: blob('hash', { mode: 'buffer' }).notNull(),
    prefix: text('prefix').notNull(),
    /** Words separated by commas. */
    scopes: text('scopes').notNull(),
    created: integer('created').notNull(),
    expires: integer('expires'),
    revoked: integer('revoked'),
    /** The key that replaces this one after `expires`. */
    rotatedTo: text('rotated_to'),
  },
  (table) => [uniqueIndex('keys_hash').on(table.hash), index('keys_account').on(table.account)],
);

/** Accepted calls, counted per account and month (`2026-11`, UTC). */
export const usage = sqliteTable(
  'usage',
  {
    key: text('key').notNull(),
    month: text('month').notNull(),
    calls: integer('calls').notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.month] })],
);

/** The call log, and the request stream that is read from it: one row per accepted call, counts and outcomes only. */
export const calls = sqliteTable(
  'calls',
  {
    requestId: text('request_id').primaryKey(),
    keyId: text('key').notNull(),
    time: integer('time').notNull(),
    endpoint: text('endpoint').$type<LoggedCall['endpoint']>().notNull(),
    responseVersion: text('response_version').$type<LoggedCall['responseVersion']>().notNull(),
    intent: text('intent').$type<LoggedCall['intent']>(),
    emails: integer('emails').notNull(),
    phones: integer('phones').notNull(),
    addresses: integer('addresses').notNull(),
    score: integer('score').notNull(),
    band: text('band').$type<LoggedCall['band']>().notNull(),
    confidence: text('confidence').$type<LoggedCall['confidence']>().notNull(),
    catfish: integer('catfish', { mode: 'boolean' }).notNull(),
    different: integer('different').notNull(),
    unverified: integer('unverified').notNull(),
    scoringModel: integer('scoring_model'),
    latencyMs: integer('latency_ms').notNull(),
    test: integer('test', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('calls_key_time').on(table.keyId, table.time)],
);
