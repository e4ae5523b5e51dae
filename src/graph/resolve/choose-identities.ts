import type { ContactMatch } from '../../model.ts';
import {
  filterIdentitiesByLookupKey,
  type GraphReader,
  isFrequentLookupKey,
  isIdentityListedForLookupKey,
  type IdentitiesOfLookupKey,
} from './reader.ts';

/** Identities whose names are read and compared with the submitted name (`toRead`), and identities that have the name or the given name. */
export interface ChosenIdentities {
  toRead: number[];
  /** Identities that have both a submitted value and the submitted name. */
  withName: number[];
  sharingGivenName: number[];
}

/**
 * Maximum number of identities for which the engine looks up whether they have a look-up key of very many identities. Identities with the most
 * evidence are first.
 */
const MAX_LOOKED_UP = 48;
const MAX_WITH_NAME = 6;
/**
 * If no identity with a submitted value has the submitted name: number of these identities whose names are read, because a name may have serious
 * typos.
 */
const READ_WITHOUT_NAME = 2;
/** If at most this number of identities have a submitted value, and none has the submitted name, the names of all of them are read. */
const FEW_HOLDERS = 3;
/** If at most this number of identities have a submitted value, those without any name are also read. */
const FEW_FOR_NAMELESS = 8;
const READ_BY_NAME = 2;

export interface ChooseIdentitiesInput {
  values: ContactMatch[][];
  /** Identities that have the submitted name. Identities with the exact form of the name are first. */
  nameMatches: number[];
  nameKeys: IdentitiesOfLookupKey[];
  nameless: IdentitiesOfLookupKey;
  /** Identities with the submitted given name; null if the query has no given name. */
  givenName: IdentitiesOfLookupKey | null;
  /** True if the submitted name has a suffix (Jr, Sr, III). People with the same name without a suffix may then be on record. */
  hasSuffix: boolean;
  reader: GraphReader;
}

/**
 * Chooses the few identities whose names are read, because decrypting and comparing names is slow. It prefers identities that share a fingerprint of
 * the name with the query. If no identity with a submitted value has the name, identities are chosen for each value separately.
 */
export function chooseIdentitiesForNameComparison(input: ChooseIdentitiesInput): ChosenIdentities {
  const { values, nameKeys, givenName, reader } = input;
  const linked = sortByEvidence(values);
  const lookedUp = linked.slice(0, MAX_LOOKED_UP);
  const hasKey = lookUpHolders(givenName ? [...nameKeys, givenName] : nameKeys, lookedUp, reader);
  const withName: number[] = [];
  for (const id of linked) {
    if (withName.length === MAX_WITH_NAME) break;
    if (nameKeys.some((posting) => hasKey(posting, id))) withName.push(id);
  }
  // If an identity with a submitted value has only another form of the name, identities with exactly this name are read too.
  const [exact] = nameKeys;
  const notLookedUp = withName.filter((id) => !lookedUp.includes(id));
  const hasExactName =
    exact !== undefined &&
    (withName.some((id) => hasKey(exact, id)) ||
      filterIdentitiesByLookupKey(exact, notLookedUp, reader).length > 0);
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
  postings: readonly IdentitiesOfLookupKey[],
  identities: number[],
  { findHolders }: GraphReader,
): (posting: IdentitiesOfLookupKey, id: number) => boolean {
  const keys: number[] = [];
  for (const posting of postings) if (isFrequentLookupKey(posting)) keys.push(posting.key);
  const holders = keys.length > 0 && identities.length > 0 ? findHolders(keys, identities) : null;
  return (posting, id) =>
    isIdentityListedForLookupKey(posting, id) || (holders?.get(posting.key)?.has(id) ?? false);
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

/** Adds the identities that have a rare submitted value, if none of them has the submitted name. */
function addFewHoldersWithoutName(toRead: Set<number>, values: ContactMatch[][], withName: number[]): void {
  for (const agreements of values)
    if (agreements.length <= FEW_HOLDERS && !agreements.some(({ identity }) => withName.includes(identity)))
      addHoldersOfSharedByFew(toRead, agreements, FEW_HOLDERS);
}

/**
 * Returns the identities without any name that have a submitted value. They are read, because otherwise they would count as people with a different
 * name.
 */
function findNameless({ values, nameless, reader }: ChooseIdentitiesInput): number[] {
  if (nameless.share === 0) return [];
  const few = new Set<number>();
  for (const agreements of values) addHoldersOfSharedByFew(few, agreements, FEW_FOR_NAMELESS);
  return filterIdentitiesByLookupKey(nameless, [...few], reader);
}

function addHoldersOfSharedByFew(ids: Set<number>, agreements: ContactMatch[], maxShare: number): void {
  for (const { identity, share } of agreements) if (share <= maxShare) ids.add(identity);
}

/**
 * Weight of one matching value. It is reduced by 1000 * log2 of the number of identities that have the value. Weights are integers, so that sums do
 * not depend on the order of addition.
 */
const WEIGHT = 10_000;

/** Number larger than any identity number. Its product with a sum of weights is still an exact integer. */
const NUMBER_RANGE = 2 ** 33;

/** Returns the identities that have a submitted value, sorted by the sum of their weights (many and rare values first), then by number. */
function sortByEvidence(values: ContactMatch[][]): number[] {
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
