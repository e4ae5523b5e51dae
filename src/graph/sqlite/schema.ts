import type { FileKind } from '../../platform/sqlite.ts';
import { SHARE_LIMIT } from '../graph.ts';

/** A graph: the letters "BFGR". An import that a power cut takes back is simply run again. */
export const GRAPH: FileKind = { applicationId: 0x42_46_47_52, name: 'graph', synchronous: 'NORMAL' };

/** Version 1 and 2 are read by migrate.ts. Another one where a table or the JSON in a sealed column changes. */
export const VERSION = 3;

export const EXACT_PART_TABLE = `
-- What the signatures of an identity say in short, so that they are decrypted only where a typo is likely; see signatures.ts.
CREATE TABLE exact_part (id INTEGER PRIMARY KEY, parts TEXT NOT NULL);
`;

export const POSTING_TABLES = `
-- key: fingerprint of a lookup key. ids: who has it; see postings.ts.
CREATE TABLE posting (key INTEGER PRIMARY KEY, ids NOT NULL);
-- Everybody who has a key that more than ${SHARE_LIMIT} share, for asking after one of them.
CREATE TABLE frequent (key INTEGER NOT NULL, id INTEGER NOT NULL, meta INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
`;

/** Tables that a file of this version may still lack: made when it is first written to. */
export const LATER_TABLES = `
-- What keeps records out that were erased: keyed digests of what they are called and of whose they were (see marks.ts), and when.
CREATE TABLE IF NOT EXISTS forgotten (mark BLOB PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;
`;

export const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- One row a record that was imported. key: fingerprint of source and record id; ref: of the record id alone; sealed: names, dates, ids and fingerprints, encrypted (see records.ts).
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  ref INTEGER NOT NULL,
  identity INTEGER,
  sealed BLOB NOT NULL
);
CREATE INDEX record_ref ON record (ref);
CREATE INDEX record_identity ON record (identity);
-- One row an identity. merged_into: the lower number that proved to be the same person.
CREATE TABLE identity (
  id INTEGER PRIMARY KEY,
  merged_into INTEGER,
  first_seen INTEGER,
  last_seen INTEGER,
  records INTEGER NOT NULL,
  sources INTEGER NOT NULL,
  names BLOB,
  signatures BLOB
);
${EXACT_PART_TABLE}${POSTING_TABLES}${LATER_TABLES}`;
