import { SHARE_LIMIT } from '../graph.js';
export const POSTING_TABLES = `
-- key: fingerprint of a lookup key. ids: who has it; see postings.ts.
CREATE TABLE posting (key INTEGER PRIMARY KEY, ids NOT NULL);
-- Everybody who has a key that very many share, for asking after one of them.
CREATE TABLE crowd (key INTEGER NOT NULL, id INTEGER NOT NULL, meta INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
`;
export function unpack(type, key, packed) {
    if (packed === null)
        return { type, key, share: 0, ids: [], primary: [] };
    if (typeof packed === 'number')
        return { type, key, share: 1, ids: [half(packed)], primary: [(packed & 1) === 1] };
    const colon = packed.indexOf(':');
    const ids = [];
    const primary = [];
    // By hand, because a key of very many has two dozen numbers, and splitting them costs several times as much.
    let number = 0;
    for (let i = colon + 1; i <= packed.length; i++) {
        const digit = packed.charCodeAt(i) - ZERO;
        if (digit >= 0) {
            number = number * 10 + digit;
            continue;
        }
        ids.push(half(number));
        primary.push((number & 1) === 1);
        number = 0;
    }
    return { type, key, share: colon < 0 ? ids.length : Number(packed.slice(0, colon)), ids, primary };
}
const ZERO = 48;
const half = (number) => Math.floor(number / 2);
/**
 * Builds both tables anew from `temp.staged` (key, id, meta), in key order (SQLite sorts on disk), in the place of the old ones.
 * Returns how many postings there are.
 */
export function packPostings(db) {
    db.exec(`
    DROP TABLE posting; DROP TABLE IF EXISTS crowd; ${POSTING_TABLES}
    INSERT INTO posting
      SELECT key, CASE WHEN count(*) = 1 THEN min(number) ELSE
        iif(count(*) > ${SHARE_LIMIT}, count(*) || ':', '')
          || group_concat(number, ' ' ORDER BY number) FILTER (WHERE place <= ${SHARE_LIMIT}) END
      FROM (SELECT key, id * 2 + meta AS number, row_number() OVER (PARTITION BY key ORDER BY id) AS place FROM temp.staged)
      GROUP BY key ORDER BY key;
    INSERT INTO crowd
      SELECT key, id, meta FROM (SELECT *, count(*) OVER (PARTITION BY key) AS share FROM temp.staged)
      WHERE share > ${SHARE_LIMIT} ORDER BY key, id`);
    const postings = db.prepare('SELECT count(*) FROM temp.staged').pluck().get();
    db.exec('DROP TABLE temp.staged');
    return postings;
}
/** Makes room for postings, and takes them in any order, each key and identity once. */
export function stage(db) {
    db.exec('DROP TABLE IF EXISTS temp.staged; CREATE TEMP TABLE staged (key INTEGER, id INTEGER, meta INTEGER)');
    const insert = db.prepare('INSERT INTO temp.staged VALUES (?, ?, ?)');
    return (key, id, primary) => void insert.run(key, id, primary ? 1 : 0);
}
