import type { ContactMatch } from '../../model.ts';
import {
  filterIdentitiesByLookupKey,
  type GraphReader,
  isFrequentLookupKey,
  isIdentityListedForLookupKey,
  type IdentitiesOfLookupKey,
} from './reader.ts';

/**
 * Identities whose names are read and compared with the submitted name (`toRead`), and those that have this name (`withName`) or its given name
 * (`sharingGivenName`).
 */
export interface ChosenIdentities {
  toRead: number[];
  /** Identities that have both a submitted contact and the submitted name. */
  withName: number[];
  sharingGivenName: number[];
}

/**
 * If very many identities have the submitted name, the graph is asked which identities with a submitted contact have it. Maximum number of these
 * identities; those with the most evidence come first.
 */
const MAX_LOOKED_UP = 48;
const MAX_WITH_NAME = 6;
/**
 * Number of identities with a submitted contact whose names are read even if none of them has the submitted name, because a name may be badly
 * misspelt.
 */
const READ_WITHOUT_NAME = 2;
/** If at most this many identities have a submitted contact, and none of them the submitted name, the names of all of them are read. */
const FEW_HOLDERS = 3;
/** If at most this many identities have a submitted contact, those without a name are read, too. */
const FEW_FOR_NAMELESS = 8;
const READ_BY_NAME = 2;

export interface ChooseIdentitiesInput {
  values: ContactMatch[][];
  /** Identities that have the submitted name. Those with exactly this form of the name are first. */
  nameMatches: number[];
  nameKeys: IdentitiesOfLookupKey[];
  nameless: IdentitiesOfLookupKey;
  /** Identities that have the submitted given name; null if the query has no given name. */
  givenName: IdentitiesOfLookupKey | null;
  /** True if the submitted name has a suffix (Jr, Sr, III). People with this name but without a suffix may then be on record, too. */
  hasSuffix: boolean;
  reader: GraphReader;
}

/**
 * Chooses the few identities whose names are read and compared, because that is slow. Prefers identities that have both a submitted contact and the
 * submitted name, according to look-up keys. If no identity with a contact has the name, chooses some for each contact.
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
  // The keys of the name also find relatives with a similar name (Cody, Jodie). For contacts of a whole family, the others are read too.
  const isShared = values.flat().every(({ share }) => share > 1);
  addFewHoldersWithoutName(toRead, values, isShared && !hasExactName ? [] : withName);
  addLaterPhoneHolders(toRead, values, withName);
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

/**
 * For each contact of few identities, none of which has the submitted name, adds all these identities to `toRead`. Other identities in the building of
 * an address do not count.
 */
function addFewHoldersWithoutName(toRead: Set<number>, values: ContactMatch[][], withName: number[]): void {
  for (const agreements of values) {
    const few = agreements.filter(({ share }) => share <= FEW_HOLDERS);
    if (few.length <= FEW_HOLDERS && !agreements.some(({ identity }) => withName.includes(identity)))
      addHoldersOfSharedByFew(toRead, few, FEW_HOLDERS);
  }
}

/**
 * For each phone of few identities that a person of the submitted name was last seen with before other contacts, adds all these identities to
 * `toRead`: relatives still have the phone of the family, and others a phone that passed on.
 */
function addLaterPhoneHolders(toRead: Set<number>, values: ContactMatch[][], withName: number[]): void {
  const isFormer = ({ identity, type, contactLastSeen }: ContactMatch) =>
    type === 'phone' && Boolean(contactLastSeen) && withName.includes(identity);
  for (const agreements of values)
    if (agreements.length > 1 && agreements.some(isFormer))
      addHoldersOfSharedByFew(toRead, agreements, FEW_HOLDERS);
}

/**
 * Returns the identities without a name that have a submitted contact. They must be read, because otherwise they would count as people with another
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
 * Weight of one matching contact, from which 1000 * log2 of the number of identities with this contact is subtracted. Integers, so that sums do not
 * depend on the order of addition.
 */
const WEIGHT = 10_000;

/** Number greater than any identity number. Its product with a sum of weights is still an exact integer. */
const NUMBER_RANGE = 2 ** 33;

/** Returns the identities with a submitted contact, by descending sum of weights (many and rare contacts first), then by number. */
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
