import { nameTablesDigest } from '../../names/index.js';
import { readMeta } from './database.js';
export function graphStats(db) {
    const count = (sql) => db.prepare(sql).pluck().get();
    return {
        records: count('SELECT count(*) FROM record'),
        identities: count('SELECT count(*) FROM identity WHERE records > 0'),
        merged: count('SELECT count(*) FROM identity WHERE merged_into IS NOT NULL'),
        postings: Number(readMeta(db, 'postings') ?? 0),
        unlinked: readMeta(db, 'revision') === readMeta(db, 'linked_revision')
            ? 0
            : count('SELECT count(*) FROM record WHERE identity IS NULL'),
        linkedAt: readMeta(db, 'linked_at'),
    };
}
/** What makes checks weaker than they could be, and what to do about it: a sentence each. */
export function graphWarnings(db) {
    const warnings = [];
    if (readMeta(db, 'revision') !== readMeta(db, 'linked_revision'))
        warnings.push('Records were imported that are not linked yet. Run that import again, or: bonafide graph link');
    const linkedWith = readMeta(db, 'name_tables');
    if (linkedWith !== null && linkedWith !== nameTablesDigest())
        warnings.push('The name tables are others than those the records were linked with, so some names are not found in all their forms. Run: bonafide graph link');
    return warnings;
}
