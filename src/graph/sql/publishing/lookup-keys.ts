// Postings: the identities that have a look-up key. A holder is twice the number of such an identity, plus 1 if the value is the identity's primary
// one.
import type { Awaitable } from '../../../model.ts';
import { BLOCKING_KEY_UPPER_BOUND, createExternalSort, type KeyValueArrays } from '../../external-sort.ts';
import { MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY } from '../../graph.ts';
import { decodeIdentityWithoutPrimaryFlag, encodeIdentityWithPrimaryFlag } from '../../resolve/reader.ts';

/**
 * Posting of one look-up key: the number of identities that have it (`share`), and the first `MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY` of them in
 * ascending order (`holders`).
 */
export interface StoredIdentitiesOfLookupKey {
  share: number;
  holders: number[];
}

export interface CollectedIdentitiesOfLookupKey extends StoredIdentitiesOfLookupKey {
  key: number;
  /** All identities that have the look-up key, if these are more than `MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY`; otherwise empty. */
  all: number[];
}

/**
 * Creates a collector of pairs of a look-up key and an identity, added in any order. It returns the identities of each look-up key, in ascending
 * order of the keys.
 * @param folder folder for temporary files with data that does not fit into memory
 */
export function createLookupKeyCollector(folder: string) {
  const staged = createExternalSort({ folder, low: 0, high: BLOCKING_KEY_UPPER_BOUND });
  return {
    /** Adds an identity to a look-up key. Add each pair only once. */
    add: (key: number, identity: number, primary: boolean) =>
      staged.add(key, encodeIdentityWithPrimaryFlag(identity, primary)),
    *pieces(): Iterable<Iterable<CollectedIdentitiesOfLookupKey>> {
      for (const piece of staged.sortedPieces()) yield postingsIn(piece);
    },
    drop: staged.drop,
  };
}

function* postingsIn({ keys, values }: KeyValueArrays): Iterable<CollectedIdentitiesOfLookupKey> {
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    while (keys[to] === keys[from]) to++;
    // Fast path: most look-up keys have one holder.
    const holders = to - from === 1 ? [values[from] ?? 0] : Array.from(values.subarray(from, to).sort());
    yield { key: keys[from] ?? 0, ...toStored(holders), all: isFrequent(holders.length) ? holders : [] };
  }
}

const isFrequent = (share: number) => share > MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY;
const toStored = (holders: number[]): StoredIdentitiesOfLookupKey => ({
  share: holders.length,
  holders: isFrequent(holders.length) ? holders.slice(0, MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY) : holders,
});

/**
 * Look-up keys in the database, with the identities that have them. Another table (`frequent`) contains all identities of look-up keys that more than
 * `MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY` have.
 */
export interface LookupKeyTable {
  /** Returns the identities of each look-up key. Leaves out look-up keys that no identity has. */
  read(keys: number[]): Awaitable<Map<number, StoredIdentitiesOfLookupKey>>;
  /** Writes the identities of each look-up key. Removes look-up keys that no identity has any more (`share` is 0). */
  write(postings: ReadonlyMap<number, StoredIdentitiesOfLookupKey>): Awaitable<void>;
  addFrequent(holders: [key: number, holder: number][]): Awaitable<void>;
  /** Removes pairs of look-up key and identity from the table `frequent`. Returns the look-up key of each pair that was there. */
  removeFrequent(identities: [key: number, identity: number][]): Awaitable<number[]>;
  /**
   * Returns the first `MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY` identities of each of these look-up keys in the table `frequent`, in ascending order.
   * Each is a number: twice the identity number, plus 1 if the key is that of a primary value.
   */
  firstFrequent(keys: number[]): Awaitable<Map<number, number[]>>;
  clearFrequent(keys: number[]): Awaitable<void>;
}

/**
 * Changes to the identities of one look-up key, by identity number: true adds an identity whose primary value has the key, false adds an identity
 * with another value, null removes it.
 */
export type IdentityChangesOfLookupKey = Map<number, boolean | null>;

export type IdentityChangesByLookupKey = Map<number, IdentityChangesOfLookupKey>;

/**
 * Adds the changed look-up keys of one identity to `changes`.
 * @param keys encoded as in `PublishedIdentity.keys`
 */
export function addChangedLookupKeys(
  changes: IdentityChangesByLookupKey,
  identity: number,
  { before, after }: { before: ArrayLike<number>; after: ArrayLike<number> },
): void {
  const note = (key: number, primary: boolean | null) => {
    let change = changes.get(key);
    if (!change) changes.set(key, (change = new Map()));
    change.set(identity, primary);
  };
  const had = new Set(Array.from(before));
  const has = new Set(Array.from(after, decodeIdentityWithoutPrimaryFlag));
  for (const key of Array.from(before, decodeIdentityWithoutPrimaryFlag)) if (!has.has(key)) note(key, null);
  for (const key of Array.from(after))
    if (!had.has(key)) note(decodeIdentityWithoutPrimaryFlag(key), key % 2 === 1);
}

/**
 * Applies changes to the look-up keys, with the same result as if all of them were written again. Returns by how many the number of postings grew.
 * Errors: those of the engine.
 */
export async function applyLookupKeyIdentityChanges(
  table: LookupKeyTable,
  changes: IdentityChangesByLookupKey,
): Promise<number> {
  const before = await table.read([...changes.keys()]);
  const after = new Map<number, StoredIdentitiesOfLookupKey>();
  const frequent: IdentityChangesByLookupKey = new Map();
  const becomeFrequent: [key: number, holder: number][] = [];
  for (const [key, change] of changes) {
    const { share, holders } = before.get(key) ?? { share: 0, holders: [] };
    if (isFrequent(share)) {
      frequent.set(key, change);
      continue;
    }
    const changed = changeHolders(holders, change);
    if (isFrequent(changed.length)) for (const holder of changed) becomeFrequent.push([key, holder]);
    after.set(key, toStored(changed));
  }
  await table.addFrequent(becomeFrequent);
  for (const [key, posting] of await changeFrequent(table, frequent, before)) after.set(key, posting);
  await table.write(after);
  let more = 0;
  for (const [key, { share }] of after) more += share - (before.get(key)?.share ?? 0);
  return more;
}

function changeHolders(holders: number[], change: IdentityChangesOfLookupKey): number[] {
  const changed = holders.filter((holder) => !change.has(decodeIdentityWithoutPrimaryFlag(holder)));
  for (const [identity, primary] of change)
    if (primary !== null) changed.push(encodeIdentityWithPrimaryFlag(identity, primary));
  return changed.sort((a, b) => a - b);
}

/** Returns the new postings of those look-up keys that more than `MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY` identities had before the change. */
async function changeFrequent(
  table: LookupKeyTable,
  changes: IdentityChangesByLookupKey,
  before: ReadonlyMap<number, StoredIdentitiesOfLookupKey>,
): Promise<Map<number, StoredIdentitiesOfLookupKey>> {
  const after = new Map<number, StoredIdentitiesOfLookupKey>();
  if (changes.size === 0) return after;
  const keys = [...changes.keys()];
  const shares = new Map(keys.map((key) => [key, before.get(key)?.share ?? 0]));
  const count = (key: number, by: number) => void shares.set(key, (shares.get(key) ?? 0) + by);
  const all = [...changes].flatMap(([key, change]) =>
    Array.from(change, ([identity, primary]) => ({ key, identity, primary })),
  );
  const removed = await table.removeFrequent(all.map(({ key, identity }) => [key, identity]));
  for (const key of removed) count(key, -1);
  const added = all.flatMap(({ key, identity, primary }): [number, number][] =>
    primary === null ? [] : [[key, encodeIdentityWithPrimaryFlag(identity, primary)]],
  );
  for (const [key] of added) count(key, 1);
  await table.addFrequent(added);
  const first = await table.firstFrequent(keys);
  for (const key of keys) after.set(key, { share: shares.get(key) ?? 0, holders: first.get(key) ?? [] });
  await table.clearFrequent(keys.filter((key) => !isFrequent(shares.get(key) ?? 0)));
  return after;
}
