import type { Agreement } from '../../model.ts';
import { type GraphReader, isFrequentPosting, type Posting } from './reader.ts';

/** Whose names a check reads, and who is known by fingerprints to share the given name. */
export interface ChosenIdentities {
  toRead: number[];
  sharingGivenName: number[];
}

/** Linked identities that are looked up one by one under a key that very many share; the best corroborated first. */
const ASKED = 48;
/** Bearers of the name that are read. */
const BEARERS = 6;
/** Where nobody linked bears the name by its keys, so many are read all the same: a bad typo may hide it. */
const STRANGERS = 2;
/** Of a value that so many have at the most, and none of whom bears the name by its keys, all are read. */
const FEW_HOLDERS = 3;
/** A value that more identities share than this makes none of the nameless ones among them a candidate. */
const FEW = 8;
/** Identities that are read though nothing but a key of the name points to them. */
const BY_NAME = 2;

export interface ChooseInput {
  values: Agreement[][];
  /** Identities that a key of the name points to, the exact key's first. */
  nameMatches: number[];
  nameKeys: Posting[];
  /** Identities that have no name at all. */
  nameless: Posting;
  /** Key of the given name: very many may share it, so linked identities are asked for it. */
  givenKey: Posting | null;
  /** Does an identity have this key? */
  identityHasKey(posting: Posting, id: number): boolean;
  /** The same of many. */
  findHolders: GraphReader['findHolders'];
}

/**
 * Reading an identity's names means decrypting and comparing them, so only those are read that bear the name by its fingerprints. Two
 * names that are one nearly always share a key; of a value that nobody of the name has, the holders are read to be sure. That is decided
 * value by value: whom one leads to must not depend on another.
 */
export function chooseIdentities(input: ChooseInput): ChosenIdentities {
  const { values, nameKeys, givenKey } = input;
  const linked = byWeight(values);
  const asked = linked.slice(0, ASKED);
  const has = hasAmong(givenKey ? [...nameKeys, givenKey] : nameKeys, asked, input);
  const bearers: number[] = [];
  for (const id of linked) {
    if (bearers.length === BEARERS) break;
    if (nameKeys.some((posting) => has(posting, id))) bearers.push(id);
  }
  const given = givenKey === null ? [] : asked.filter((id) => has(givenKey, id));
  const read = [...bearers, ...strangers(values, bearers), ...withoutName(input)];
  const most = bearers.length > 0 ? [] : linked.slice(0, STRANGERS);
  return { toRead: unique([...read, ...most, ...unlinked(input, linked, bearers)]), sharingGivenName: given };
}

/** Who has which of the keys, of a frequent one those among the asked alone: they are looked up together. */
function hasAmong(
  postings: readonly Posting[],
  asked: number[],
  { findHolders: holders }: ChooseInput,
): ChooseInput['identityHasKey'] {
  const frequent = postings.filter(isFrequentPosting).map(({ key }) => key);
  const held = frequent.length > 0 && asked.length > 0 ? holders(frequent, asked) : null;
  return ({ ids, key }, id) => ids.includes(id) || (held?.get(key)?.has(id) ?? false);
}

/**
 * Bearers of the name whom no value leads to. They are read unless one that a value leads to bears it to the letter: a value of somebody
 * who bears it in another form must not hide that it is on record.
 */
function unlinked(
  { nameMatches: named, nameKeys: [exact], identityHasKey: has }: ChooseInput,
  linked: number[],
  bearers: readonly number[],
): number[] {
  if (exact && bearers.some((id) => has(exact, id))) return [];
  const known = new Set(linked);
  return named.filter((id) => !known.has(id)).slice(0, BY_NAME);
}

const unique = (ids: number[]) => [...new Set(ids)];

/** Who has a value that few have, and nobody of the name. */
function strangers(values: Agreement[][], bearers: readonly number[]): number[] {
  const found = new Set<number>();
  for (const agreements of values) {
    if (agreements.length > FEW_HOLDERS || agreements.some(({ identity }) => bearers.includes(identity)))
      continue;
    for (const { identity, share } of agreements) if (share <= FEW_HOLDERS) found.add(identity);
  }
  return [...found];
}

/** Who bears no name has no key of it, and must not pass for somebody of another name: these are read as well. */
function withoutName({ values, nameless, identityHasKey: has }: ChooseInput): number[] {
  if (nameless.share === 0) return [];
  const few = new Set<number>();
  for (const agreements of values)
    for (const { identity, share } of agreements) if (share <= FEW) few.add(identity);
  return [...few].filter((id) => has(nameless, id));
}

/** What an agreement weighs here, less log2 of its share; in thousandths, so that sums are exact in any order. */
const WEIGHT = 10_000;

/** More than any identity's number; times more than any sum of weights, it is a number that floats still tell exactly. */
const NUMBERS = 2 ** 33;

/**
 * Identities that any value is linked to: a rare value before a frequent one, then the lower number. Sorted as one number each: values that
 * very many share link hundreds, and comparing two by two took longer than looking them up.
 */
function byWeight(values: Agreement[][]): number[] {
  const weight = new Map<number, number>();
  for (const agreements of values)
    for (const { identity, share } of agreements) {
      const rarity = Math.max(1, Math.round(WEIGHT - 1000 * Math.log2(share)));
      weight.set(identity, (weight.get(identity) ?? 0) + rarity);
    }
  const places = new Float64Array(weight.size);
  let at = 0;
  for (const [id, sum] of weight) places[at++] = id - sum * NUMBERS;
  const sorted: number[] = [];
  for (const place of places.sort()) sorted.push(place - NUMBERS * Math.floor(place / NUMBERS));
  return sorted;
}
