import type { Agreement } from '../../model.ts';
import {
  filterIdentitiesByKey,
  type GraphReader,
  isFrequentKeyPosting,
  isListedKeyHolder,
  type KeyPosting,
} from './reader.ts';

/** Identities whose names a check compares, and identities that have the given name according to their keys. */
export interface ChosenIdentities {
  toRead: number[];
  /** Identities that have a value of the query and a key of the name. */
  withName: number[];
  sharingGivenName: number[];
}

/** Maximum number of linked identities that are looked up under frequent keys; identities with the most evidence first. */
const MAX_LOOKED_UP = 48;
const MAX_WITH_NAME = 6;
/** Number of identities with a value of the query that are read if none of them has the name. A serious typo may hide the name. */
const READ_WITHOUT_NAME = 2;
/** Maximum number of holders of a value for which all holders are read if none of them has the name. */
const FEW_HOLDERS = 3;
/** Maximum number of holders of a value for which holders without a name are read. */
const FEW_FOR_NAMELESS = 8;
const READ_BY_NAME = 2;

export interface ChooseIdentitiesInput {
  values: Agreement[][];
  /** Identities that have a key of the name; those with the exact key first. */
  nameMatches: number[];
  nameKeys: KeyPosting[];
  nameless: KeyPosting;
  /** Posting of the given name alone; null if the query has none. */
  givenName: KeyPosting | null;
  /** True if the submitted name has a suffix (Jr, Sr, III), which a namesake may have on record. */
  hasSuffix: boolean;
  reader: GraphReader;
}

/**
 * Chooses the identities whose names are read. Names must be decrypted and compared, which is slow, so identities are chosen by the fingerprints
 * of their names: two spellings of one name nearly always share one. If no holder of a value has the name, its holders are chosen without regard
 * to the other values.
 */
export function chooseIdentities(input: ChooseIdentitiesInput): ChosenIdentities {
  const { values, nameKeys, givenName, reader } = input;
  const linked = sortByEvidence(values);
  const lookedUp = linked.slice(0, MAX_LOOKED_UP);
  const hasKey = lookUpHolders(givenName ? [...nameKeys, givenName] : nameKeys, lookedUp, reader);
  const withName: number[] = [];
  for (const id of linked) {
    if (withName.length === MAX_WITH_NAME) break;
    if (nameKeys.some((posting) => hasKey(posting, id))) withName.push(id);
  }
  // An identity with a value and another form of the name must not hide a person on record with exactly this
  // name.
  const [exact] = nameKeys;
  const notLookedUp = withName.filter((id) => !lookedUp.includes(id));
  const hasExactName =
    exact !== undefined &&
    (withName.some((id) => hasKey(exact, id)) ||
      filterIdentitiesByKey(exact, notLookedUp, reader).length > 0);
  const toRead = new Set(withName);
  addFewHoldersWithoutName(toRead, values, withName);
  for (const id of findNameless(input)) toRead.add(id);
  for (let i = 0; withName.length === 0 && i < READ_WITHOUT_NAME; i++) {
    const id = linked[i];
    if (id !== undefined) toRead.add(id);
  }
  if (!hasExactName || input.hasSuffix) addMatchesByNameAlone(toRead, input.nameMatches, linked);
  const sharingGivenName = givenName === null ? [] : lookedUp.filter((id) => hasKey(givenName, id));
  return { toRead: [...toRead], withName, sharingGivenName };
}

function lookUpHolders(
  postings: readonly KeyPosting[],
  identities: number[],
  { findHolders }: GraphReader,
): (posting: KeyPosting, id: number) => boolean {
  const keys: number[] = [];
  for (const posting of postings) if (isFrequentKeyPosting(posting)) keys.push(posting.key);
  const holders = keys.length > 0 && identities.length > 0 ? findHolders(keys, identities) : null;
  return (posting, id) => isListedKeyHolder(posting, id) || (holders?.get(posting.key)?.has(id) ?? false);
}

function addMatchesByNameAlone(toRead: Set<number>, nameMatches: number[], linked: number[]): void {
  const known = new Set(linked);
  let count = 0;
  for (const id of nameMatches) {
    if (count === READ_BY_NAME) return;
    if (known.has(id)) continue;
    toRead.add(id);
    count++;
  }
}

/** Adds the holders of values that few identities have, if none of the holders has the name. */
function addFewHoldersWithoutName(toRead: Set<number>, values: Agreement[][], withName: number[]): void {
  for (const agreements of values)
    if (agreements.length <= FEW_HOLDERS && !agreements.some(({ identity }) => withName.includes(identity)))
      addHoldersOfSharedByFew(toRead, agreements, FEW_HOLDERS);
}

/** Returns the identities without a name that have a value of the query. They must not count as people with another name. */
function findNameless({ values, nameless, reader }: ChooseIdentitiesInput): number[] {
  if (nameless.share === 0) return [];
  const few = new Set<number>();
  for (const agreements of values) addHoldersOfSharedByFew(few, agreements, FEW_FOR_NAMELESS);
  return filterIdentitiesByKey(nameless, [...few], reader);
}

function addHoldersOfSharedByFew(ids: Set<number>, agreements: Agreement[], maxShare: number): void {
  for (const { identity, share } of agreements) if (share <= maxShare) ids.add(identity);
}

/** Weight of an agreement, before 1000 * log2 of its share is subtracted. Weights are integers, so that sums do not depend on the order. */
const WEIGHT = 10_000;

/** Larger than any identity number. Multiplied by a sum of weights, it is still an exact integer. */
const NUMBER_RANGE = 2 ** 33;

/**
 * Returns the identities that have any of the values, those with rare values first, then by number. Sorts one number per identity, because
 * common values link hundreds of identities, and sorting objects took longer than looking them up.
 */
function sortByEvidence(values: Agreement[][]): number[] {
  const weights = new Map<number, number>();
  for (const agreements of values)
    for (const { identity, share } of agreements) {
      const weight = Math.max(1, Math.round(WEIGHT - 1000 * Math.log2(share)));
      weights.set(identity, (weights.get(identity) ?? 0) + weight);
    }
  const sortKeys = new Float64Array(weights.size);
  let count = 0;
  for (const [id, sum] of weights) sortKeys[count++] = id - sum * NUMBER_RANGE;
  const sorted: number[] = [];
  for (const key of sortKeys.sort()) sorted.push(key - NUMBER_RANGE * Math.floor(key / NUMBER_RANGE));
  return sorted;
}
