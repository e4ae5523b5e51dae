import type { Agreement } from '../../model.ts';

/** A key that was looked up: how many identities share it, and the first of them. */
export interface Found {
  key: number;
  share: number;
  rows: PostingRow[];
}
export type PostingRow = [id: number, meta: number];

/** Whose names a check reads, and who is known by fingerprints to share the given name. */
export interface Chosen {
  read: number[];
  given: number[];
}

/** Linked identities that are looked up one by one under a key that very many share; the best corroborated first. */
const ASKED = 48;
/** Bearers of the name that are read. */
const BEARERS = 6;
/** Where nobody linked bears the name by its keys, so many are read all the same: a bad slip may hide it. */
const STRANGERS = 2;
/** Identities that are read though nothing but a key of the name points to them. */
const BY_NAME = 2;

export interface ChooseInput {
  values: Agreement[][];
  /** Identities that a key of the name points to, the exact key's first. */
  named: number[];
  nameKeys: Found[];
  /** Key of the given name: it is never looked up, because very many share it; linked identities are asked for it. */
  givenKey: number | null;
  /** Does an identity have this key? */
  has(key: number, id: number): boolean;
}

/**
 * Reading an identity's names means decrypting and comparing them, so only those are read that bear the name by its fingerprints. Two
 * names that are one nearly always share a key; where nobody does, the best corroborated identities are read to be sure.
 */
export function choose({ values, named, nameKeys, givenKey, has }: ChooseInput): Chosen {
  const linked = byWeight(values);
  const sharing = (found: Found) => {
    const first = new Set(found.rows.map(([id]) => id));
    const complete = found.share <= found.rows.length;
    return (id: number, i: number) => first.has(id) || (!complete && i < ASKED && has(found.key, id));
  };
  const ofName = nameKeys.map(sharing);
  const bearers = linked.filter((id, i) => ofName.some((shares) => shares(id, i))).slice(0, BEARERS);
  const given = givenKey === null ? [] : linked.filter((id) => has(givenKey, id));
  if (bearers.length > 0) return { read: bearers, given };
  const known = new Set(linked);
  const others = named.filter((id) => !known.has(id)).slice(0, BY_NAME);
  return { read: [...linked.slice(0, STRANGERS), ...others], given };
}

/** What an agreement weighs here, less log2 of its share; in thousandths, so that sums are exact in any order. */
const WEIGHT = 10_000;

/** Identities that any value is linked to: a rare value before a crowd's, then the lower number. */
function byWeight(values: Agreement[][]): number[] {
  const weight = new Map<number, number>();
  for (const agreements of values)
    for (const { identity, share } of agreements) {
      const rarity = Math.max(1, Math.round(WEIGHT - 1000 * Math.log2(share)));
      weight.set(identity, (weight.get(identity) ?? 0) + rarity);
    }
  return [...weight].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([id]) => id);
}
