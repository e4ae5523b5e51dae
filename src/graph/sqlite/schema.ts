import type { SqliteFileType } from '../../platform/sqlite.ts';
import { MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY } from '../graph.ts';

/**
 * File type of `graph.db`, which checks read: application id "BFGR". `synchronous` is NORMAL, because the file can be built again from the records
 * after a power failure. Small pages reduce the number of bytes that are written, because each look-up key of a new record is on another page.
 */
export const GRAPH_FILE_TYPE_DEFINITION: SqliteFileType = {
  applicationId: 0x42_46_47_52,
  name: 'graph',
  synchronous: 'NORMAL',
  pageSize: 1024,
};

/** Version of `graph.db`. Increase it when a table or the content of an encrypted column changes. */
export const GRAPH_FILE_VERSION = 4;

/**
 * File type of `records.db`: application id "BFRC". Each commit is on disk before it returns, so that the file is never older than `graph.db`.
 */
export const RECORDS_FILE_TYPE_DEFINITION: SqliteFileType = {
  applicationId: 0x42_46_52_43,
  name: 'record file',
  synchronous: 'FULL',
};

/** Version of `records.db`. Increase it when a table or the JSON in an encrypted column changes. */
export const RECORDS_FILE_VERSION = 1;

export const LOOKUP_KEY_TABLES_SQL = `
-- One row per look-up key. key: fingerprint of the key. ids: the identities that have it; see postings.ts.
CREATE TABLE posting (key INTEGER PRIMARY KEY, ids NOT NULL);
-- All identities with a key that more than ${MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY} have. meta: 1 if the value is the identity's primary one.
CREATE TABLE frequent (key INTEGER NOT NULL, id INTEGER NOT NULL, meta INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
`;

export const GRAPH_TABLES_SQL = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- One row per identity. first_seen, last_seen: days since 1970, so that a whole day takes two bytes. hints, profile: see graph/encryption.
CREATE TABLE identity (
  id INTEGER PRIMARY KEY,
  first_seen INTEGER,
  last_seen INTEGER,
  records INTEGER NOT NULL,
  sources INTEGER NOT NULL,
  hints BLOB NOT NULL,
  profile BLOB NOT NULL
);
${LOOKUP_KEY_TABLES_SQL}`;

export const RECORD_TABLES_SQL = `
CREATE TABLE record_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO record_meta VALUES ('revision', '0');
-- One row per imported record. key: fingerprint of source and record id. ref: fingerprint of the record id. sealed: the encrypted record.
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  ref INTEGER NOT NULL,
  identity INTEGER,
  sealed BLOB NOT NULL
);
CREATE INDEX record_ref ON record (ref);
CREATE INDEX record_identity ON record (identity);
-- Identity numbers that lead to another number now. heir: that number; null if the records are gone.
CREATE TABLE merged (number INTEGER PRIMARY KEY, heir INTEGER);
-- The suppression list: marks of forgotten people, and when each was added.
CREATE TABLE forgotten (mark BLOB PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;
-- Records that the last import changed. put: first bytes of the new record; null if it was removed. before: the old record; null if it is new.
CREATE TABLE undo (row INTEGER PRIMARY KEY, put INTEGER, key BLOB, ref INTEGER, before BLOB);
-- Identities and redirects as they were before the last import, if it changed them.
CREATE TABLE undo_number (row INTEGER PRIMARY KEY, identity INTEGER NOT NULL);
CREATE TABLE undo_heir (number INTEGER PRIMARY KEY, heir INTEGER);
-- Rows of the table bore that the last import deleted.
CREATE TABLE undo_bore (number INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (number, row)) WITHOUT ROWID;
-- The last import. stamp: the link_stamp after it; null while the import runs.
CREATE TABLE applied (at INTEGER NOT NULL, what TEXT NOT NULL, stamp TEXT);
-- Manual links, sealed. undone: when the link was undone.
CREATE TABLE judgement (id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, undone INTEGER, sealed BLOB NOT NULL);
-- Rows that changed since a process began to link all records.
CREATE TABLE late (row INTEGER PRIMARY KEY);
-- Labels of manual links in force, by the key of the record.
CREATE TABLE judged (key BLOB PRIMARY KEY, label TEXT NOT NULL) WITHOUT ROWID;
-- Previous identity numbers: the records that had a number when it was last an identity's. See link/identity-numbers.ts.
CREATE TABLE bore (number INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (number, row)) WITHOUT ROWID;
CREATE INDEX bore_row ON bore (row);
-- The id of a deleted row is given to another record. While an import runs (its stamp is null), its undo rows are still needed.
CREATE TRIGGER row_gone AFTER DELETE ON record BEGIN
  DELETE FROM bore WHERE row = old.id;
  DELETE FROM undo_number WHERE row = old.id AND EXISTS (SELECT 1 FROM applied WHERE stamp IS NOT NULL);
  DELETE FROM undo_bore WHERE row = old.id AND EXISTS (SELECT 1 FROM applied WHERE stamp IS NOT NULL);
END;
`;

const DAY_MS = 86_400_000;

/** Converts milliseconds since 1970 to days with a fraction, without loss of precision; null stays null. */
export const convertMillisecondsToFractionalDays = (time: number | null): number | null =>
  time === null ? null : time / DAY_MS;

export const convertDaysToMilliseconds = (days: number | null): number | null =>
  days === null ? null : Math.round(days * DAY_MS);
