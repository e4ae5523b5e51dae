import { BonafideError } from '../../errors.ts';
import type { Db } from '../../platform/sqlite.ts';
import { SHARE_LIMIT } from '../graph.ts';
import type { Posting } from '../resolve/reader.ts';

/**
 * What is kept of a key: a number for the only identity that has it, else a text of such numbers, and where more than
 * `SHARE_LIMIT` identities share it, how many they are and the first of them (`31:2 5 8 …`). A number is twice the identity's, plus 1
 * where the value is its primary one. One row a key: fetching a row costs SQLite and the engine as much as finding it.
 */
export type Packed = number | string | null;

export function unpack(key: number, packed: Packed): Posting {
  if (packed === null) return { key, share: 0, ids: NO_IDS, primary: NO_MARKS };
  if (typeof packed === 'number')
    return { key, share: 1, ids: [half(packed)], primary: [(packed & 1) === 1] };
  if (typeof packed !== 'string') throw damaged();
  const colon = packed.indexOf(':');
  const ids: number[] = [];
  const primary: boolean[] = [];
  // By hand, because a key of very many has two dozen numbers, and splitting them costs several times as much.
  let number = 0;
  for (let i = colon + 1; i <= packed.length; i++) {
    const digit = packed.charCodeAt(i) - ZERO;
    if (digit > 9) throw damaged();
    if (digit >= 0) {
      number = number * 10 + digit;
      continue;
    }
    ids.push(half(number));
    primary.push((number & 1) === 1);
    number = 0;
  }
  const share = colon < 0 ? ids.length : Number(packed.slice(0, colon));
  if (!(share >= ids.length)) throw damaged();
  return { key, share, ids, primary };
}

/** Of the many keys that are nobody's. */
const NO_IDS: number[] = [];
const NO_MARKS: boolean[] = [];

const ZERO = 48;

function half(number: number): number {
  const identity = Math.floor(number / 2);
  if (Number.isSafeInteger(identity) && identity > 0) return identity;
  throw damaged();
}

const damaged = () => new BonafideError('damaged_database', 'The graph holds postings that nobody wrote.');

/**
 * Fills both tables anew from `temp.staged` (key, id, meta), in key order (SQLite sorts on disk). Returns how many postings there are.
 */
export function packPostings(db: Db): number {
  db.exec(`
    DELETE FROM posting; DELETE FROM frequent;
    INSERT INTO posting
      SELECT key, CASE WHEN count(*) = 1 THEN min(number) ELSE
        iif(count(*) > ${SHARE_LIMIT}, count(*) || ':', '')
          || group_concat(number, ' ' ORDER BY number) FILTER (WHERE place <= ${SHARE_LIMIT}) END
      FROM (SELECT key, id * 2 + meta AS number, row_number() OVER (PARTITION BY key ORDER BY id) AS place FROM temp.staged)
      GROUP BY key ORDER BY key;
    INSERT INTO frequent
      SELECT key, id, meta FROM (SELECT *, count(*) OVER (PARTITION BY key) AS share FROM temp.staged)
      WHERE share > ${SHARE_LIMIT} ORDER BY key, id`);
  const postings = db.prepare<[], number>('SELECT count(*) FROM temp.staged').pluck().get() ?? 0;
  db.exec('DROP TABLE temp.staged');
  return postings;
}

/** Makes room for postings, and takes them in any order, each key and identity once. */
export function stage(db: Db): (key: number, id: number, primary: boolean) => void {
  db.exec(
    'DROP TABLE IF EXISTS temp.staged; CREATE TEMP TABLE staged (key INTEGER, id INTEGER, meta INTEGER)',
  );
  const insert = db.prepare('INSERT INTO temp.staged VALUES (?, ?, ?)');
  return (key, id, primary) => void insert.run(key, id, primary ? 1 : 0);
}
