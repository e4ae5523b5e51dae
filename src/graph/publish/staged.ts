// Postings on their way into an engine's tables: added in any order, they come back key by key.
import { POSTING_IDS_LIMIT } from '../graph.ts';
import { BLOCKING_KEY_LIMIT, type SortEntries, createExternalSort } from '../external-sort.ts';

/** Who has a key. A holder is twice an identity's number, plus 1 where the value is its primary one. */
export interface StagedPosting {
  key: number;
  share: number;
  /** The first of them, by number: all, where they are at most `SHARE_LIMIT`. */
  holders: number[];
  /** All of them where they are more, else none. */
  all: number[];
}

export interface StagedKeys {
  /** Each key and identity once. */
  add(key: number, id: number, primary: boolean): void;
  pieces(): Iterable<Iterable<StagedPosting>>;
  drop(): void;
}

/** @param folder where sorted runs are kept */
export function stageKeys(folder: string): StagedKeys {
  const staged = createExternalSort({ folder, low: 0, high: BLOCKING_KEY_LIMIT });
  return {
    add: (key, id, primary) => staged.add(key, id * 2 + Number(primary)),
    *pieces() {
      for (const piece of staged.sortedPieces()) yield postingsIn(piece);
    },
    drop: staged.drop,
  };
}

function* postingsIn({ keys, values }: SortEntries): Iterable<StagedPosting> {
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    while (keys[to] === keys[from]) to++;
    const holders = Array.from(values.subarray(from, to).sort());
    const many = holders.length > POSTING_IDS_LIMIT;
    const first = many ? holders.slice(0, POSTING_IDS_LIMIT) : holders;
    yield { key: keys[from] ?? 0, share: holders.length, holders: first, all: many ? holders : [] };
  }
}
