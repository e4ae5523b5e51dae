// Answers a query from the postings and identities of an engine. All engines use this code, so that they give equal answers.
import type { ContactMatch, Identity, LookupKeyType } from '../../model.ts';
import type { FingerprintFunctions } from '../encryption/fingerprints.ts';
import type { GraphAnswer, GraphQuery } from '../graph.ts';
import { findPairsWithDifferentBirthDates } from './birth-dates.ts';
import { NAMELESS_LOOKUP_KEY } from './gather.ts';
import { chooseIdentitiesForNameComparison } from './choose-identities.ts';
import { findContactLastSeen } from './contact-ages.ts';
import { findHousemates } from './housemates.ts';
import {
  decodeIdentityWithoutPrimaryFlag,
  encodeIdentityWithPrimaryFlag,
  type GraphReader,
  isFrequentLookupKey,
  hasPrimaryFlagInEncodedIdentity,
  type IdentitiesOfLookupKey,
} from './reader.ts';
import { addAndRemoveTypoMatches } from './typos.ts';

const NAME_LIMIT = 24;

/** Answers a query from the data of an engine. Errors: those of the reader. */
export function resolveGraphQuery(
  query: GraphQuery,
  reader: GraphReader,
  fingerprints: FingerprintFunctions,
): GraphAnswer {
  return resolveFingerprintedGraphQuery(toQueryKeyFingerprints(query, fingerprints), {
    query,
    reader,
    fingerprints,
  });
}

/** Answers a query whose look-up keys were fingerprinted before. Errors: those of the reader. */
export function resolveFingerprintedGraphQuery(
  keys: QueryKeyFingerprints,
  {
    query,
    reader,
    fingerprints,
  }: { query: GraphQuery; reader: GraphReader; fingerprints: FingerprintFunctions },
): GraphAnswer {
  const { postings, total, newest } = reader.getPostings(keys.all);
  const { nameKeyCount } = keys;
  const nameKeys = postings.slice(0, nameKeyCount);
  const nameless = postings[nameKeyCount] ?? EMPTY_POSTING;
  const givenName = keys.hasGivenName ? (postings[nameKeyCount + 1] ?? EMPTY_POSTING) : null;
  const nameMatches = findNameMatches(nameKeys);
  const exact = findAgreements(keys, { postings, nameMatches, reader });
  const values = addAndRemoveTypoMatches({ query, values: exact, nameMatches, reader, fingerprints });
  const { hasSuffix } = query;
  const chosen = chooseIdentitiesForNameComparison({
    values,
    nameMatches,
    nameKeys,
    nameless,
    givenName,
    hasSuffix,
    reader,
  });
  // `nameMatches` is incomplete if many identities have the name. `withName` adds those that also have a submitted value.
  const named = [...new Set([...chosen.withName, ...nameMatches])];
  const housemates = findHousemates({ nameMatches: named, exact: nameKeys[0] }, values, reader);
  const identities = new Map<number, Identity>();
  for (const id of new Set([...chosen.toRead, ...housemates.flat()])) {
    const identity = reader.getIdentity(id);
    if (identity) identities.set(id, identity);
  }
  const differentPeople = findPairsWithDifferentBirthDates(chosen.withName, reader);
  const name = {
    identities: nameMatches,
    bearers: nameKeys[0]?.share ?? 0,
    given: chosen.sharingGivenName,
    ...(differentPeople.length > 0 ? { differentPeople } : {}),
    ...(housemates.length > 0 ? { housemates } : {}),
  };
  return { total, newest, values, name, identities };
}

export interface QueryKeyFingerprints {
  /**
   * Fingerprints of all look-up keys, in this order: keys of the name, the key of all identities without a name, the key of the given name (if there
   * is one), and the keys of each contact.
   */
  all: number[];
  nameKeyCount: number;
  hasGivenName: boolean;
  /** Index in `all` of the first look-up key of a contact. */
  firstValueKey: number;
  valueTypes: LookupKeyType[][];
}

export function toQueryKeyFingerprints(
  { nameKeys, givenNameKey, values }: GraphQuery,
  fingerprints: FingerprintFunctions,
): QueryKeyFingerprints {
  const all: number[] = [];
  for (const text of nameKeys) all.push(fingerprints.of('name', text));
  all.push(fingerprints.of(NAMELESS_LOOKUP_KEY.type, NAMELESS_LOOKUP_KEY.text));
  if (givenNameKey !== null) all.push(fingerprints.of('name', givenNameKey));
  const firstValueKey = all.length;
  const valueTypes: LookupKeyType[][] = [];
  for (const { keys } of values) {
    const types: LookupKeyType[] = [];
    for (const { type, text } of keys) {
      // If the address has other look-up keys, the one of the street alone is not used, because it is weak evidence.
      if (type === 'street' && keys.length > 1) continue;
      all.push(fingerprints.of(type, text));
      types.push(type);
    }
    valueTypes.push(types);
  }
  return {
    all,
    nameKeyCount: nameKeys.length,
    hasGivenName: givenNameKey !== null,
    firstValueKey,
    valueTypes,
  };
}

const EMPTY_POSTING: IdentitiesOfLookupKey = { key: 0, share: 0, holders: [] };

function findNameMatches(postings: IdentitiesOfLookupKey[]): number[] {
  const ids = new Set<number>();
  for (const { holders } of postings)
    for (const holder of holders) {
      if (ids.size === NAME_LIMIT) break;
      ids.add(decodeIdentityWithoutPrimaryFlag(holder));
    }
  return [...ids];
}

/**
 * Returns the identities that have each submitted contact, with their most exact type of match. Of very many identities with one contact, returns the
 * first ones, and those that also have the submitted name or a rare submitted contact.
 */
function findAgreements(
  { valueTypes, firstValueKey }: QueryKeyFingerprints,
  {
    postings,
    nameMatches,
    reader,
  }: { postings: IdentitiesOfLookupKey[]; nameMatches: number[]; reader: GraphReader },
): ContactMatch[][] {
  const frequent = findFrequentKeys(postings, firstValueKey);
  const candidates = frequent.length > 0 ? findCandidates(postings, firstValueKey, nameMatches) : [];
  const holders = candidates.length > 0 ? reader.findHolders(frequent, candidates) : null;
  let at = firstValueKey;
  return valueTypes.map((types) => {
    const agreements = new Map<number, ContactMatch>();
    for (const type of types) {
      const posting = postings[at++] ?? EMPTY_POSTING;
      for (const holder of posting.holders) addAgreement(agreements, { type, posting, holder, reader });
      const lookedUp = holders?.get(posting.key);
      if (lookedUp)
        for (const [id, primary] of lookedUp)
          addAgreement(agreements, {
            type,
            posting,
            holder: encodeIdentityWithPrimaryFlag(id, primary),
            reader,
          });
    }
    return agreements.size === 0 ? [] : [...agreements.values()];
  });
}

interface FoundHolder {
  type: LookupKeyType;
  posting: IdentitiesOfLookupKey;
  holder: number;
  reader: GraphReader;
}

function addAgreement(
  agreements: Map<number, ContactMatch>,
  { type, posting: { key, share }, holder, reader }: FoundHolder,
): void {
  const identity = decodeIdentityWithoutPrimaryFlag(holder);
  const primary = hasPrimaryFlagInEncodedIdentity(holder);
  const known = agreements.get(identity);
  if (known) {
    known.primary ||= primary;
    return;
  }
  const seen = reader.getSeenDates(identity);
  const contactLastSeen = findContactLastSeen(seen, type, key);
  agreements.set(identity, {
    identity,
    type,
    primary,
    share,
    firstSeen: seen.firstSeen,
    lastSeen: seen.lastSeen,
    ...(contactLastSeen === undefined ? {} : { contactLastSeen }),
  });
}

function findFrequentKeys(postings: readonly IdentitiesOfLookupKey[], first: number): number[] {
  const keys: number[] = [];
  for (let i = first; i < postings.length; i++) {
    const posting = postings[i] ?? EMPTY_POSTING;
    if (isFrequentLookupKey(posting) && !keys.includes(posting.key)) keys.push(posting.key);
  }
  return keys;
}

/**
 * Returns the identities that must be looked up in the full lists of very frequent look-up keys: those with the submitted name or a rare submitted
 * contact.
 */
function findCandidates(
  postings: readonly IdentitiesOfLookupKey[],
  first: number,
  nameMatches: number[],
): number[] {
  const candidates = new Set(nameMatches);
  for (let i = first; i < postings.length; i++) {
    const posting = postings[i] ?? EMPTY_POSTING;
    if (isFrequentLookupKey(posting)) continue;
    for (const holder of posting.holders) candidates.add(decodeIdentityWithoutPrimaryFlag(holder));
  }
  return [...candidates];
}
