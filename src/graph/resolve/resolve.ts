// Which keys to ask and whom to read: what engines share. One question, top to bottom.
import type { Agreement, Identity, LookupKeyType, LookupKey } from '../../model.ts';
import type { Fingerprints } from '../encryption/fingerprints.ts';
import type { GraphAnswer, GraphQuery } from '../graph.ts';
import { NAMELESS } from '../publish/gather.ts';
import { chooseIdentities } from './choose-identities.ts';
import { type GraphReader, identityHasKey, type Posting, isFrequentPosting } from './reader.ts';
import { findTypos } from './typos.ts';

/** Identities looked up by a name key alone. */
const NAME_LIMIT = 24;

/** Answers a query from what a reader knows. Errors: those of the reader. */
export function resolveQuery(
  query: GraphQuery,
  reader: GraphReader,
  fingerprints: Fingerprints,
): GraphAnswer {
  return resolveWithKeys(toQueryKeys(query, fingerprints), { query, reader, fingerprints });
}

/** The same, for whoever has made the keys already. */
export function resolveWithKeys(
  keys: QueryKeys,
  { query, reader, fingerprints }: { query: GraphQuery; reader: GraphReader; fingerprints: Fingerprints },
): GraphAnswer {
  const asked = lookUpAll(keys, reader);
  const named = namedBy(asked.nameKeys);
  const exact = findAgreements(asked.values, named, reader);
  const values = findTypos({ query, values: exact, nameMatches: named, reader, fingerprints });
  const has = (posting: Posting, id: number) => identityHasKey(reader, posting, id);
  const { nameKeys, nameless, givenKey } = asked;
  const { findHolders: holders } = reader;
  const { toRead: read, sharingGivenName: given } = chooseIdentities({
    values,
    nameMatches: named,
    nameKeys,
    nameless,
    givenKey,
    identityHasKey: has,
    findHolders: holders,
  });
  const identities = new Map<number, Identity>();
  for (const id of read) {
    const identity = reader.getIdentity(id);
    if (identity) identities.set(id, identity);
  }
  dateAgreements(values, identities, reader);
  const name = { identities: named, bearers: asked.nameKeys[0]?.share ?? 0, given };
  return { total: asked.total, newest: asked.newest, values, name, identities };
}

/** When those who have a value were seen. */
function dateAgreements(values: Agreement[][], identities: Map<number, Identity>, reader: GraphReader): void {
  for (const agreements of values)
    for (const agreement of agreements) {
      const { identity } = agreement;
      const seen = identities.get(identity) ?? reader.getSeenDates(identity);
      agreement.firstSeen = seen.firstSeen;
      agreement.lastSeen = seen.lastSeen;
    }
}

interface LookedUp {
  total: number;
  newest: number | null;
  nameKeys: Posting[];
  /** Identities that have no name at all. */
  nameless: Posting;
  /** Of the given name; null where it was not asked for. */
  givenKey: Posting | null;
  values: ValueKey[][];
}

/** The keys that a query asks for. */
export interface QueryKeys {
  /** Fingerprints: of the name first, then the one of those without a name, the given name's, and each value's. */
  all: number[];
  /** How many of them are of the name. */
  nameKeyCount: number;
  hasGivenName: boolean;
  /** The types of each value's keys. */
  valueTypes: LookupKeyType[][];
}

export function toQueryKeys(
  { nameKeys, givenNameKey: givenKey, values }: GraphQuery,
  fingerprints: Fingerprints,
): QueryKeys {
  const wanted = values.map((value) => wantedKeys(value.keys));
  const all = nameKeys.map((text) => fingerprints.of('name', text));
  all.push(fingerprints.of(NAMELESS.type, NAMELESS.text));
  if (givenKey !== null) all.push(fingerprints.of('name', givenKey));
  for (const some of wanted) for (const { type, text } of some) all.push(fingerprints.of(type, text));
  const types = wanted.map((some) => some.map(({ type }) => type));
  return { all, nameKeyCount: nameKeys.length, hasGivenName: givenKey !== null, valueTypes: types };
}

/** Everything that a query asks for, in one go. */
function lookUpAll(
  { all, nameKeyCount: names, hasGivenName: hasGiven, valueTypes: values }: QueryKeys,
  reader: GraphReader,
): LookedUp {
  const { postings, total, newest } = reader.getPostings(all);
  let at = names;
  const next = () => postings[at++] ?? NOBODY;
  return {
    total,
    newest,
    nameKeys: postings.slice(0, at),
    nameless: next(),
    givenKey: hasGiven ? next() : null,
    values: values.map((types) => types.map((type) => ({ type, posting: next() }))),
  };
}

const NOBODY: Posting = { key: 0, share: 0, ids: [], primary: [] };

/** A street alone says little beside a whole address: it is looked up only where nothing stricter was given. */
function wantedKeys(keys: LookupKey[]): LookupKey[] {
  return keys.length > 1 ? keys.filter(({ type }) => type !== 'street') : keys;
}

/** Identities that a key of the name points to, the exact key's first. */
function namedBy(postings: Posting[]): number[] {
  const named = new Set<number>();
  for (const { ids } of postings) for (const id of ids) named.add(id);
  return [...named].slice(0, NAME_LIMIT);
}

/** A key of a value, and who has it. */
interface ValueKey {
  type: LookupKeyType;
  posting: Posting;
}

/**
 * Who each value is linked to, by its strictest key. Of a value that very many share the first ones are read, and those are asked for
 * that the name or a value of few points to; all values are resolved against the same ones, so their order does not matter.
 *
 * @param named identities that a key of the name points to
 */
function findAgreements(values: ValueKey[][], named: number[], reader: GraphReader): Agreement[][] {
  const frequent = values.flatMap((keys) => keys.map(({ posting }) => posting).filter(isFrequentPosting));
  const candidates = frequent.length > 0 ? candidatesOf(values, named) : [];
  const keys = new Set(frequent.map(({ key }) => key));
  const held = candidates.length > 0 ? reader.findHolders([...keys], candidates) : NO_HOLDERS;
  return values.map((keys) => {
    const shared = keys.filter(({ posting }) => posting.share > 0);
    if (shared.length === 0) return [];
    const agreed = new Map<number, Agreement>();
    for (const asked of shared) {
      const { posting } = asked;
      for (let i = 0; i < posting.ids.length; i++)
        agree(agreed, asked, posting.ids[i] ?? 0, posting.primary[i] === true);
      for (const [id, primary] of held.get(posting.key) ?? NO_HOLDERS_OF_KEY)
        agree(agreed, asked, id, primary);
    }
    return [...agreed.values()];
  });
}

const NO_HOLDERS_OF_KEY = new Map<number, boolean>();
const NO_HOLDERS = new Map<number, typeof NO_HOLDERS_OF_KEY>();

/** Whom frequent keys are asked after. */
function candidatesOf(values: ValueKey[][], named: number[]): number[] {
  const candidates = new Set(named);
  for (const keys of values)
    for (const { posting } of keys)
      if (!isFrequentPosting(posting)) for (const id of posting.ids) candidates.add(id);
  return [...candidates];
}

function agree(
  agreed: Map<number, Agreement>,
  { type, posting }: ValueKey,
  identity: number,
  primary: boolean,
): void {
  const known = agreed.get(identity);
  if (!known)
    agreed.set(identity, { identity, type, primary, share: posting.share, firstSeen: null, lastSeen: null });
  else if (primary) known.primary = true;
}
