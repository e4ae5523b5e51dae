// Answers a query from the postings and identities of an engine. All engines use it, so that they give equal answers.
import type { Agreement, Identity, LookupKeyType, LookupKey } from '../../model.ts';
import type { Fingerprints } from '../encryption/fingerprints.ts';
import type { GraphAnswer, GraphQuery } from '../graph.ts';
import { findDifferentPeople } from './birth-marks.ts';
import { NAMELESS_KEY } from './gather.ts';
import { chooseIdentities } from './choose-identities.ts';
import { type GraphReader, type KeyPosting, isFrequentPosting } from './reader.ts';
import { correctAgreementsForTypos } from './typos.ts';

/** Maximum number of identities that are found by name keys. */
const NAME_LIMIT = 24;

/** Answers a query from the data of an engine. Errors: those of the reader. */
export function resolveQuery(
  query: GraphQuery,
  reader: GraphReader,
  fingerprints: Fingerprints,
): GraphAnswer {
  return resolveWithKeys(toQueryKeys(query, fingerprints), { query, reader, fingerprints });
}

/** Answers a query whose key fingerprints are already computed. Errors: those of the reader. */
export function resolveWithKeys(
  keys: QueryKeys,
  { query, reader, fingerprints }: { query: GraphQuery; reader: GraphReader; fingerprints: Fingerprints },
): GraphAnswer {
  const { total, newest, nameKeys, nameless, givenName, values: valueKeys } = lookUpKeys(keys, reader);
  const nameMatches = findNameMatches(nameKeys);
  const exact = findAgreements(valueKeys, nameMatches, reader);
  const values = correctAgreementsForTypos({ query, values: exact, nameMatches, reader, fingerprints });
  const { hasSuffix } = query;
  const chosen = chooseIdentities({ values, nameMatches, nameKeys, nameless, givenName, hasSuffix, reader });
  const identities = new Map<number, Identity>();
  for (const id of chosen.toRead) {
    const identity = reader.getIdentity(id);
    if (identity) identities.set(id, identity);
  }
  for (const agreement of values.flat()) {
    const seen = identities.get(agreement.identity) ?? reader.getSeenDates(agreement.identity);
    agreement.firstSeen = seen.firstSeen;
    agreement.lastSeen = seen.lastSeen;
  }
  const differentPeople = findDifferentPeople(chosen.withName, reader);
  const name = {
    identities: nameMatches,
    bearers: nameKeys[0]?.share ?? 0,
    given: chosen.sharingGivenName,
    ...(differentPeople.length > 0 ? { differentPeople } : {}),
  };
  return { total, newest, values, name, identities };
}

/** Fingerprints of all keys of a query, in one list for one look-up. */
export interface QueryKeys {
  /** Keys of the name, then the key of nameless identities, the key of the given name, and the keys of each value. */
  all: number[];
  nameKeyCount: number;
  hasGivenName: boolean;
  /** Types of the keys of each value. */
  valueTypes: LookupKeyType[][];
}

export function toQueryKeys(
  { nameKeys, givenNameKey, values }: GraphQuery,
  fingerprints: Fingerprints,
): QueryKeys {
  const valueKeys = values.map(({ keys }) => withoutStreet(keys));
  const all = nameKeys.map((text) => fingerprints.of('name', text));
  all.push(fingerprints.of(NAMELESS_KEY.type, NAMELESS_KEY.text));
  if (givenNameKey !== null) all.push(fingerprints.of('name', givenNameKey));
  for (const keys of valueKeys) for (const { type, text } of keys) all.push(fingerprints.of(type, text));
  const valueTypes = valueKeys.map((keys) => keys.map(({ type }) => type));
  return { all, nameKeyCount: nameKeys.length, hasGivenName: givenNameKey !== null, valueTypes };
}

/** Removes the key of a street alone, if there are stricter keys: beside a whole address it is weak evidence. */
function withoutStreet(keys: LookupKey[]): LookupKey[] {
  return keys.length > 1 ? keys.filter(({ type }) => type !== 'street') : keys;
}

/** A key of a value, with its posting. */
interface ValueKey {
  type: LookupKeyType;
  posting: KeyPosting;
}

/** Looks up all keys of a query at once. */
function lookUpKeys({ all, nameKeyCount, hasGivenName, valueTypes }: QueryKeys, reader: GraphReader) {
  const { postings, total, newest } = reader.getPostings(all);
  let at = nameKeyCount;
  const next = () => postings[at++] ?? EMPTY_POSTING;
  return {
    total,
    newest,
    nameKeys: postings.slice(0, at),
    nameless: next(),
    givenName: hasGivenName ? next() : null,
    values: valueTypes.map((types) => types.map((type): ValueKey => ({ type, posting: next() }))),
  };
}

const EMPTY_POSTING: KeyPosting = { key: 0, share: 0, ids: [], primary: [] };

/** Returns identities that have a key of the name; those with the exact key first. */
function findNameMatches(postings: KeyPosting[]): number[] {
  const ids = new Set<number>();
  for (const posting of postings) for (const id of posting.ids) ids.add(id);
  return [...ids].slice(0, NAME_LIMIT);
}

/**
 * Returns the holders of each value, by the strictest key. For a value with very many holders, the result has
 * the first holders, and the holders that also have the name or a rare value of the query. These additional
 * identities are the same for all values, so the order of the values has no effect.
 */
function findAgreements(values: ValueKey[][], nameMatches: number[], reader: GraphReader): Agreement[][] {
  const frequent = values.flat().flatMap(({ posting }) => (isFrequentPosting(posting) ? posting.key : []));
  const candidates = frequent.length > 0 ? findCandidates(values, nameMatches) : [];
  const holders = candidates.length > 0 ? reader.findHolders([...new Set(frequent)], candidates) : NO_HOLDERS;
  return values.map((keys) => {
    const agreements = new Map<number, Agreement>();
    for (const { type, posting } of keys) {
      const add = (identity: number, primary: boolean) => {
        const known = agreements.get(identity);
        if (!known) {
          const { share } = posting;
          agreements.set(identity, { identity, type, primary, share, firstSeen: null, lastSeen: null });
        } else if (primary) known.primary = true;
      };
      for (const [i, id] of posting.ids.entries()) add(id, posting.primary[i] === true);
      for (const [id, primary] of holders.get(posting.key) ?? NO_HOLDERS_OF_KEY) add(id, primary);
    }
    return [...agreements.values()];
  });
}

const NO_HOLDERS_OF_KEY = new Map<number, boolean>();
const NO_HOLDERS = new Map<number, typeof NO_HOLDERS_OF_KEY>();

/**
 * Returns the identities that are looked up under frequent keys: those with the name or with a rare value of
 * the query.
 */
function findCandidates(values: ValueKey[][], nameMatches: number[]): number[] {
  const candidates = new Set(nameMatches);
  for (const { posting } of values.flat())
    if (!isFrequentPosting(posting)) for (const id of posting.ids) candidates.add(id);
  return [...candidates];
}
