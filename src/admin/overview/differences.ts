import type { RecordRow } from '../../link/stored-record.ts';
import type { ContactKind } from '../../model.ts';
import { CONTACT_KINDS } from './survey.ts';

/** Number of compared pairs of records of one person (`pairs`), and of those without a common contact of one kind (`differ`). */
export interface RecordPairDifferenceCounts {
  pairs: number;
  differ: number;
}

/** Counts the pairs of records of one person that differ, by kind of contact. Needs about a hundred bytes of memory for each record. */
export function createRecordPairDifferenceCounter(): {
  add(row: RecordRow): void;
  count(): Record<ContactKind, RecordPairDifferenceCounts>;
} {
  const noPairs = (): RecordPairDifferenceCounts => ({ pairs: 0, differ: 0 });
  // Arrays of all records: an object for each record would need far more memory and garbage collection.
  const [names, identities]: [string[], number[]] = [[], []];
  const [keys, kinds, ends]: [number[], number[], number[]] = [[], [], []];
  const keysOf = (record: number, kind: ContactKind) => {
    const found: number[] = [];
    for (let i = record > 0 ? (ends[record - 1] ?? 0) : 0; i < (ends[record] ?? 0); i++)
      if (CONTACT_KINDS[kinds[i] ?? 0] === kind) found.push(keys[i] ?? 0);
    return found;
  };
  return {
    add({ identity, source, recordId, contacts }) {
      if (identity === null) return;
      names.push(`${source}\0${recordId}`);
      identities.push(identity);
      for (const {
        kind,
        keys: [exact],
      } of contacts)
        if (exact) {
          keys.push(exact[1]);
          kinds.push(CONTACT_KINDS.indexOf(kind));
        }
      ends.push(keys.length);
    },
    count() {
      const differences = { email: noPairs(), phone: noPairs(), address: noPairs() };
      // Sorted by name within a person, so that the counts do not depend on the order in which records were imported.
      const order = Uint32Array.from(names, (_, i) => i).sort(
        (a, b) =>
          (identities[a] ?? 0) - (identities[b] ?? 0) || ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1),
      );
      for (let i = 1; i < order.length; i++) {
        const [a, b] = [order[i - 1] ?? 0, order[i] ?? 0];
        if (identities[a] !== identities[b]) continue;
        for (const kind of CONTACT_KINDS) comparePair(differences[kind], keysOf(a, kind), keysOf(b, kind));
      }
      return differences;
    },
  };
}

/** Adds a pair of records to the counts. `first` and `second` are the look-up keys of their contacts of one kind. */
function comparePair(counts: RecordPairDifferenceCounts, first: number[], second: number[]): void {
  if (first.length === 0 || second.length === 0) return;
  counts.pairs++;
  if (!first.some((key) => second.includes(key))) counts.differ++;
}
