import type { Facts } from '../../../link/counted/facts.ts';
import type { Group } from '../../../link/pairing.ts';
import { spilledKeys } from '../../runs/blocks.ts';
import { sortedByKey } from '../../runs/sorted.ts';
import type { Entries } from '../../runs/spilled.ts';
import type { AddBehind } from './blocks.ts';
import { NOBODY } from './entries.ts';

/** What a value says beside twice the row: that nobody is compared for the key. */
const FOUND = 1;

/** The entries of all records, while they are put in order. */
export function stagedEntries(folder: string) {
  const entries = spilledKeys(folder);
  const persons: number[] = [];
  return {
    add(row: number, { contacts, keys, words, label, person }: Facts) {
      persons[row] = person;
      for (const key of contacts) entries.add(key, row * 2);
      for (const key of keys) entries.add(key, row * 2);
      for (const key of words) entries.add(key, row * 2 + FOUND);
      if (label !== 0) entries.add(label, row * 2 + FOUND);
    },
    /** By ascending keys: who is behind each, and the groups of records that are compared. */
    *pieces(): Iterable<{ behind(add: AddBehind): void; groups(): Group[] }> {
      for (const piece of entries.pieces()) {
        const sorted = sortedByKey(piece);
        yield { behind: (add) => behindIn(sorted, persons, add), groups: () => groupsIn(sorted) };
      }
    },
    drop: entries.drop,
  };
}

function* spansOf(keys: Float64Array): Iterable<[from: number, to: number]> {
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    while (keys[to] === keys[from]) to++;
    yield [from, to];
  }
}

/** By person, then by row. */
function behindIn({ keys, values }: Entries, persons: number[], add: AddBehind): void {
  const personOf = (value: number) => (value % 2 === FOUND ? NOBODY : (persons[value >>> 1] ?? 0));
  for (const [from, to] of spansOf(keys)) {
    const key = keys[from] ?? 0;
    const [first = 0] = values.subarray(from, from + 1);
    if (to - from === 1) {
      add(key, personOf(first), first >>> 1);
      continue;
    }
    const behind = Array.from(values.subarray(from, to), (value): [number, number] => [
      personOf(value),
      value >>> 1,
    ]);
    behind.sort(([a, one], [b, two]) => a - b || one - two);
    for (const [person, row] of behind) add(key, person, row);
  }
}

/** The keys under which more than one record is compared. */
function groupsIn({ keys, values }: Entries): Group[] {
  const groups: Group[] = [];
  for (const [from, to] of spansOf(keys)) {
    if (to - from < 2) continue;
    const rows: number[] = [];
    for (let i = from; i < to; i++) if ((values[i] ?? 0) % 2 !== FOUND) rows.push((values[i] ?? 0) >>> 1);
    if (rows.length > 1) groups.push({ key: keys[from] ?? 0, rows });
  }
  return groups;
}
