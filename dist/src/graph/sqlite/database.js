import { existsSync } from 'node:fs';
import { BonafideError } from '../../errors.js';
import { asSqliteError, connect, isStorageError } from '../../platform/sqlite.js';
import { exactPartsOf } from './identities.js';
import { packPostings, POSTING_TABLES, stage } from './postings.js';
/** A graph: the letters "BFGR". An import that a power cut takes back is simply run again. */
const GRAPH = { applicationId: 0x42_46_47_52, name: 'graph', synchronous: 'NORMAL' };
const VERSION = 2;
const ANCHOR_TABLE = `
-- What the signatures of an identity say in short, so that they are decrypted only where a slip is likely; see identities.ts.
CREATE TABLE anchor (id INTEGER PRIMARY KEY, anchors TEXT NOT NULL);
`;
const SCHEMA = `
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
  sketches BLOB
);
${ANCHOR_TABLE}${POSTING_TABLES}`;
/**
 * Opens the graph file, makes it where it is missing, and checks that it is ours and that the secret is its own.
 * Errors: those of `connect` in src/sqlite.ts, `newer_database`, `wrong_secret`, and `graph_unavailable` where it may not be made.
 */
export function openDatabase({ file, vault, create }) {
    if (!existsSync(file) && !create)
        throw new BonafideError('graph_unavailable', `There is no graph at ${file}: import records first.`);
    const db = connect(file, GRAPH);
    try {
        translated(file, () => prepareFile(db, file, vault));
        db.pragma('mmap_size = 8589934592');
        db.pragma('cache_size = -65536');
        return db;
    }
    catch (error) {
        db.close();
        throw error;
    }
}
function prepareFile(db, file, vault) {
    const check = vault.key('check', 'bonafide graph').toString();
    const version = db.pragma('user_version', { simple: true });
    if (db.pragma('application_id', { simple: true }) === 0) {
        db.transaction(() => {
            if (db.pragma('application_id', { simple: true }) !== 0)
                return;
            db.exec(SCHEMA);
            db.prepare("INSERT INTO meta VALUES ('secret_check', ?), ('revision', '0'), ('linked_revision', '0')").run(check);
            db.pragma(`application_id = ${GRAPH.applicationId}`);
            db.pragma(`user_version = ${VERSION}`);
        }).immediate();
    }
    else if (version > VERSION) {
        throw new BonafideError('newer_database', `${file} was made by a newer Bonafide: update this one to read it.`);
    }
    if (readMeta(db, 'secret_check') !== check)
        throw new BonafideError('wrong_secret', `The secret does not belong to ${file}: put back the file "secret" (or BONAFIDE_SECRET) that the graph was made with.`);
    if (version === 1)
        db.transaction(() => repack(db, vault)).immediate();
}
/** Version 1 kept a row for each key and identity, and under identity 0 how many there are; of exact parts it kept none in short. */
function repack(db, vault) {
    if (db.pragma('user_version', { simple: true }) !== 1)
        return;
    stage(db);
    db.exec('INSERT INTO temp.staged SELECT key, id, meta FROM posting WHERE id > 0');
    writeMeta(db, 'postings', String(packPostings(db)));
    db.exec(`DROP TABLE IF EXISTS anchor; ${ANCHOR_TABLE}`);
    const next = db.prepare('SELECT id, sketches FROM identity WHERE id > ? AND sketches IS NOT NULL ORDER BY id LIMIT 1');
    const insert = db.prepare('INSERT INTO anchor VALUES (?, ?)');
    for (let row, id = 0; (row = next.get(id)); id = row.id)
        insert.run(row.id, exactPartsOf(JSON.parse(vault.open(row.sketches))));
    db.pragma('user_version = 2');
}
export function readMeta(db, name) {
    return (db.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(name) ?? null);
}
export function writeMeta(db, name, value) {
    db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value').run(name, value);
}
/** Runs `work`, and gives the errors of SQLite and of the file system a code and one clear sentence. */
export function translated(file, work) {
    try {
        return work();
    }
    catch (error) {
        throw isStorageError(error) ? asSqliteError(error, file, GRAPH) : error;
    }
}
