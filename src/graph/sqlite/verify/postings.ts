// Postings as the identities make them, held against those that checks read.
import { dirname } from 'node:path';
import type { Db } from '../../../platform/sqlite.ts';
import { POSTING_IDS_LIMIT } from '../../graph.ts';
import { BLOCKING_KEY_LIMIT, createExternalSort } from '../../external-sort.ts';
import { createInvariantCounter, type Invariant } from '../../verifying.ts';
import { holdersIn, pack, type Packed } from '../postings.ts';
import { compareRows, iteratePages } from '../../link-cache/verify-entries.ts';

type Row = [key: number, ids: Packed];
type Frequent = [key: number, id: number, meta: number];

export interface PostingVerifier {
  add(key: number, identity: number, primary: boolean): void;
  /** How many there should be, and whether they are. */
  end(): { postings: number; found: Invariant[] };
}

export function postingVerifier(db: Db): PostingVerifier {
  const staged = createExternalSort({ folder: dirname(db.name), low: 0, high: BLOCKING_KEY_LIMIT });
  const few = createInvariantCounter('a key leads to whom its identities make it lead to');
  const many = createInvariantCounter('a key that very many share leads to all of them');
  return {
    add: (key, id, primary) => staged.add(key, id * 2 + Number(primary)),
    end() {
      const first = compareRows(postingsIn(db), { order: byKey, same: (a, b) => a[1] === b[1] }, few.check);
      const all = compareRows(frequentIn(db), { order: byBoth, same: (a, b) => a[2] === b[2] }, many.check);
      let postings = 0;
      for (const piece of staged.sortedPieces())
        for (const [key, ids] of holdersIn(piece)) {
          postings += ids.length;
          first.expect([key, pack(ids.length, ids.slice(0, POSTING_IDS_LIMIT))]);
          if (ids.length > POSTING_IDS_LIMIT) for (const [id, meta] of ids) all.expect([key, id, meta]);
        }
      first.end();
      all.end();
      staged.drop();
      return { postings, found: [few.counted, many.counted] };
    },
  };
}

const byKey = (a: Row, b: Row) => a[0] - b[0];
const byBoth = (a: Frequent, b: Frequent) => a[0] - b[0] || a[1] - b[1];

function postingsIn(db: Db): Generator<Row> {
  const some = db
    .prepare<[number], Row>('SELECT key, ids FROM posting WHERE key > ? ORDER BY key LIMIT 2000')
    .raw();
  return iteratePages<Row>((after) => some.all(after?.[0] ?? Number.MIN_SAFE_INTEGER));
}

function frequentIn(db: Db): Generator<Frequent> {
  const some = db
    .prepare<[number, number], Frequent>(
      'SELECT key, id, meta FROM frequent WHERE (key, id) > (?, ?) ORDER BY key, id LIMIT 2000',
    )
    .raw();
  const least = Number.MIN_SAFE_INTEGER;
  return iteratePages<Frequent>((after) => some.all(after?.[0] ?? least, after?.[1] ?? least));
}
