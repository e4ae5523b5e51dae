// Blocks and pairs as sorted runs: for every engine that has a folder to write in.
import { pairOf } from '../../link/pairs.ts';
import type { Group } from '../../link/pairing.ts';
import type { Blocks } from '../parts/linking.ts';
import { sortedByKey } from './sorted.ts';
import { type Entries, spilled } from './spilled.ts';

/** Fingerprints are below this; weak keys are negative. */
export const KEYS = 2 ** 52;

/** Room for (key, value) entries whose keys are blocking keys. */
export const spilledKeys = (folder: string) => spilled({ folder, low: -KEYS, high: KEYS });

/** Like `Blocks`, but answers at once. @param rows one more than the highest row */
export function sortedBlocks(folder: string, rows: number) {
  const entries = spilledKeys(folder);
  const wanted = spilled({ folder, low: 0, high: pairOf(rows, rows) + 1 });
  return {
    add(page) {
      for (const [row, keys] of page) for (const key of keys) entries.add(key, row);
    },
    *groups() {
      for (const piece of entries.pieces()) yield groupsOf(sortedByKey(piece));
    },
    addPairs(pairs) {
      for (const pair of pairs) wanted.add(pair, 0);
    },
    *pairs() {
      for (const piece of wanted.pieces()) yield distinct(sortedByKey(piece).keys);
    },
    drop() {
      entries.drop();
      wanted.drop();
    },
  } satisfies Blocks;
}

/** The keys that more than one row has, of entries in order. */
export function groupsOf({ keys, values }: Entries): Group[] {
  const groups: Group[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    while (keys[to] === keys[from]) to++;
    if (to - from > 1) groups.push({ key: keys[from] ?? 0, rows: [...values.subarray(from, to)] });
  }
  return groups;
}

/** Ascending numbers, each once. */
function distinct(sorted: Float64Array): Float64Array {
  let count = 0;
  for (const number of sorted) if (count === 0 || number !== sorted[count - 1]) sorted[count++] = number;
  return sorted.subarray(0, count);
}
