import type { Facts } from '../../link/counted/facts.ts';
import type { Group } from '../../link/pairing.ts';
import { spilledKeys } from '../runs/blocks.ts';
import { sortedByKey } from '../runs/sorted.ts';
import type { Entries } from '../runs/spilled.ts';
import type { AddBehind } from './blocks.ts';
import { type Behind, NOBODY } from './entries.ts';

/** What a value says beside twice the row: that nobody is compared for the key. */
const FOUND = 1;

/** The entries of all records, while they are put in order. */
export function stagedEntries(folder: string) {
  const entries = spilledKeys(folder);
  const persons: number[] = [];
  return {
    add(row: number, { contacts, keys, words, streets, label, person }: Facts) {
      persons[row] = person;
      for (const key of contacts) entries.add(key, row * 2);
      for (const key of keys) entries.add(key, row * 2);
      for (const key of words) entries.add(key, row * 2 + FOUND);
      for (const key of streets) entries.add(key, row * 2 + FOUND);
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

/** By person, then by row. */
function behindIn({ keys, values }: Entries, persons: number[], add: AddBehind): void {
  const personOf = (value: number) => (value % 2 === FOUND ? NOBODY : (persons[value >>> 1] ?? 0));
  const behind: Behind[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    const key = keys[from] ?? 0;
    while (keys[to] === key) to++;
    if (to - from === 1) {
      const only = values[from] ?? 0;
      add(key, personOf(only), only >>> 1);
      continue;
    }
    behind.length = 0;
    for (let i = from; i < to; i++) {
      const value = values[i] ?? 0;
      behind.push({ person: personOf(value), row: value >>> 1 });
    }
    behind.sort(byPerson);
    for (const { person, row } of behind) add(key, person, row);
  }
}

const byPerson = (a: Behind, b: Behind) => a.person - b.person || a.row - b.row;

/** The keys under which more than one record is compared. */
function groupsIn({ keys, values }: Entries): Group[] {
  const groups: Group[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    const key = keys[from] ?? 0;
    while (keys[to] === key) to++;
    if (to - from === 1) continue;
    const rows: number[] = [];
    for (let i = from; i < to; i++) if ((values[i] ?? 0) % 2 !== FOUND) rows.push((values[i] ?? 0) >>> 1);
    if (rows.length > 1) groups.push({ key, rows });
  }
  return groups;
}
