import type { FileKind } from '../../platform/sqlite.ts';
import { POSTING_IDS_LIMIT } from '../graph.ts';

/**
 * What checks read: the letters "BFGR". An import that a power cut takes back is simply run again, for all of it is made from the records.
 * The keys of one identity lie on as many pages as there are keys, so that a record that comes by itself writes some two dozen pages: in
 * small ones that is a quarter of the bytes, and looking keys up takes no longer.
 */
export const GRAPH: FileKind = {
  applicationId: 0x42_46_47_52,
  name: 'graph',
  synchronous: 'NORMAL',
  pageSize: 1024,
};

/** Version of the graph file: changes when a table or the content of a sealed column changes. */
export const VERSION = 4;

/** The records: the letters "BFRC". Synced at every commit, so that they are never older than the graph that was made from them. */
export const RECORDS: FileKind = { applicationId: 0x42_46_52_43, name: 'record file', synchronous: 'FULL' };

/** Another one where a table or the JSON in a sealed column changes. */
export const RECORDS_VERSION = 1;

export const POSTING_TABLES = `
-- key: fingerprint of a lookup key. ids: who has it; see postings.ts.
CREATE TABLE posting (key INTEGER PRIMARY KEY, ids NOT NULL);
-- Everybody who has a key that more than ${POSTING_IDS_LIMIT} share, for asking after one of them.
CREATE TABLE frequent (key INTEGER NOT NULL, id INTEGER NOT NULL, meta INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
`;

export const IDENTITY_TABLE = `
-- One row an identity. first_seen and last_seen: in days since 1970, so that a whole day takes two bytes. hints, profile: see hints.ts and profile.ts.
CREATE TABLE identity (
  id INTEGER PRIMARY KEY,
  first_seen INTEGER,
  last_seen INTEGER,
  records INTEGER NOT NULL,
  sources INTEGER NOT NULL,
  hints BLOB NOT NULL,
  profile BLOB NOT NULL
);
`;

export const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
${IDENTITY_TABLE}${POSTING_TABLES}`;

export const RECORD_SCHEMA = `
CREATE TABLE record_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
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
-- Numbers that are no identity's any more. heir: the one that stands for it now.
CREATE TABLE merged (number INTEGER PRIMARY KEY, heir INTEGER);
-- What keeps records out that were erased: keyed digests of what they are called and of whose they were (see marks.ts), and when.
CREATE TABLE forgotten (mark BLOB PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;
-- What the last import changed, as sealed as it was. put: the beginning of what was put, nothing where the record was taken out; before: nothing where it is new.
CREATE TABLE undo (row INTEGER PRIMARY KEY, put INTEGER, key BLOB, ref INTEGER, before BLOB);
-- The identity that a record had before it, and where a number led (nowhere where there is nothing), where that has changed.
CREATE TABLE undo_number (row INTEGER PRIMARY KEY, identity INTEGER NOT NULL);
CREATE TABLE undo_heir (number INTEGER PRIMARY KEY, heir INTEGER);
-- Which rows bore a number (see bore), where that is not remembered any more.
CREATE TABLE undo_bore (number INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (number, row)) WITHOUT ROWID;
-- The last import: when, what its command says of it, and the link_stamp that it ended with.
CREATE TABLE applied (at INTEGER NOT NULL, what TEXT NOT NULL, stamp TEXT);
-- What a person has judged about who is who (sealed), and when that was undone.
CREATE TABLE judgement (id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, undone INTEGER, sealed BLOB NOT NULL);
-- Rows that were put or taken out since somebody began to link all records anew; see incoming/late.ts.
CREATE TABLE late (row INTEGER PRIMARY KEY);
-- The label that standing judgements give to the record of this key.
CREATE TABLE judged (key BLOB PRIMARY KEY, label TEXT NOT NULL) WITHOUT ROWID;
-- Of numbers that lead elsewhere: the records that bore each when it was an identity's last (see link/numbers.ts).
CREATE TABLE bore (number INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (number, row)) WITHOUT ROWID;
CREATE INDEX bore_row ON bore (row);
-- A row's id is given again. While an import that can be taken back is under way (it has no stamp yet), its numbers are kept for that.
CREATE TRIGGER row_gone AFTER DELETE ON record BEGIN
  DELETE FROM bore WHERE row = old.id;
  DELETE FROM undo_number WHERE row = old.id AND EXISTS (SELECT 1 FROM applied WHERE stamp IS NOT NULL);
  DELETE FROM undo_bore WHERE row = old.id AND EXISTS (SELECT 1 FROM applied WHERE stamp IS NOT NULL);
END;
`;

const DAY_MS = 86_400_000;

/** Milliseconds since 1970 as days: with a fraction where a time is told, which keeps every millisecond. */
export function toDays(time: number | null): number | null {
  return time === null ? null : time / DAY_MS;
}

export function fromDays(days: number | null): number | null {
  return days === null ? null : Math.round(days * DAY_MS);
}
