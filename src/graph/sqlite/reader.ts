import type { Identity } from '../../model.ts';
import type { Db } from '../../platform/sqlite.ts';
import { createBoundedCache } from '../../link/bounded-cache.ts';
import {
  type IdentityPrefilterHashEncoder,
  parseIdentityPrefilterHashes,
  toFilterCharacterOfLookupKey,
} from '../encryption/hints.ts';
import type { ProfileCipher } from '../encryption/profile.ts';
import { toIdentityDates } from '../resolve/contact-ages.ts';
import type { BirthDateHashes, GraphReader } from '../resolve/reader.ts';
import { readPublishedTotals } from './meta.ts';
import { type PackedIdentitiesOfLookupKey, unpackIdentitiesOfLookupKey } from './lookup-keys.ts';
import { convertDaysToMilliseconds } from './schema.ts';

export interface GraphReaderDecryptionFunctions {
  profiles: Pick<ProfileCipher, 'decrypt'>;
  hints: Pick<IdentityPrefilterHashEncoder, 'mayHaveExactPart'>;
}

/**
 * Minimum number of identities in the cache: with names (`whole`, about 1,300 bytes each) and without (`short`, 200 bytes each). Reading and
 * decrypting an identity is the slowest part of a check call.
 */
const CACHED = { whole: 10_000, short: 50_000 };
/**
 * Minimum number of decrypted rows in the cache, about 700 bytes each. A check can need the names, the data for typo searches and the birth dates of
 * one identity, and later checks names of the same people; the cache saves these look-ups and decryptions.
 */
const CACHED_ROWS = 5000;

type IdentityRow = [profile: Buffer, records: number, sources: number];
type ShortRow = [firstSeen: number | null, lastSeen: number | null, hints: Buffer];

/** Creates a reader of the graph file with prepared statements. `forget` clears its caches; call it after the file changed. */
export function createSqliteGraphReader(
  db: Db,
  keys: GraphReaderDecryptionFunctions,
): GraphReader & { forget(): void } {
  const identity = db
    .prepare<[number], IdentityRow>('SELECT profile, records, sources FROM identity WHERE id = ?')
    .raw();
  const short = db
    .prepare<[number], ShortRow>('SELECT first_seen, last_seen, hints FROM identity WHERE id = ?')
    .raw();
  const rows = createBoundedCache(CACHED_ROWS, (id: number) => {
    const row = identity.get(id);
    if (!row) return null;
    const [sealed, records, sources] = row;
    return { profile: keys.profiles.decrypt(sealed), records, sources };
  });
  const wholeIdentities = createBoundedCache(CACHED.whole, (id: number): Identity | null => {
    const row = rows.get(id);
    if (!row) return null;
    const { profile, records, sources } = row;
    return {
      id,
      names: profile.readNames(),
      ...toIdentityDates(shortIdentities.get(id)),
      records,
      sources,
    };
  });
  const birthMarks = createBoundedCache(
    CACHED.whole,
    (id: number): readonly BirthDateHashes[] => rows.get(id)?.profile.readBirthDateHashes() ?? [],
  );
  const shortIdentities = createBoundedCache(CACHED.short, (id: number) => {
    const [first, last, hints] = short.get(id) ?? [null, null, undefined];
    return {
      firstSeen: convertDaysToMilliseconds(first),
      lastSeen: convertDaysToMilliseconds(last),
      ...parseIdentityPrefilterHashes(hints),
    };
  });
  const selectPostings = preparedByCount((count) => preparePostings(db, count));
  let totals: ReturnType<typeof readPublishedTotals> | undefined;
  return {
    getPostings(lookupKeys) {
      const rows = selectPostings(lookupKeys.length).all(lookupKeys);
      const { identities, newest } = (totals ??= readPublishedTotals(db));
      const postings = lookupKeys.map((key, i) => unpackIdentitiesOfLookupKey(key, rows[i] ?? null));
      return { postings, total: identities, newest };
    },
    findHolders: createHolderLookup(db, (id) => shortIdentities.get(id).keyBytes),
    getIdentity: wholeIdentities.get,
    getSeenDates: shortIdentities.get,
    getBirthDateHashes: birthMarks.get,
    getSignatures(ids, exactParts) {
      const mayHave = (id: number) =>
        exactParts === null ||
        keys.hints.mayHaveExactPart(id, shortIdentities.get(id).partHashes, exactParts);
      return new Map(ids.filter(mayHave).map((id) => [id, rows.get(id)?.profile.readSignatures() ?? []]));
    },
    forget() {
      rows.clear();
      wholeIdentities.clear();
      birthMarks.clear();
      shortIdentities.clear();
      totals = undefined;
    },
  };
}

/** Creates a function that returns the prepared statement for a number of values. It prepares each statement only once. */
function preparedByCount<T>(prepare: (count: number) => T): (count: number) => T {
  const statements = new Map<number, T>();
  return (count) => {
    let statement = statements.get(count);
    if (!statement) statements.set(count, (statement = prepare(count)));
    return statement;
  };
}

/** Prepares a statement that looks up `count` look-up keys at once. It returns one row for each, in the same order. */
function preparePostings(db: Db, count: number) {
  const values = Array.from({ length: count }, () => '(?)').join();
  return db
    .prepare<[number[]], PackedIdentitiesOfLookupKey>(
      `SELECT ids FROM (VALUES ${values}) LEFT JOIN posting ON key = column1`,
    )
    .pluck();
}

type HolderRow = [key: number, identity: number, meta: number];

/** Maximum number of pairs of look-up key and identity in one statement. SQLite accepts 32,766 parameters. */
const MOST_PAIRS = 8192;

/**
 * Creates a function that finds out which identities have which of the very frequent look-up keys. Filter hashes exclude most pairs without a
 * look-up.
 * @param hintsOf returns the filter characters of an identity, one for each of its look-up keys
 */
function createHolderLookup(db: Db, hintsOf: (identity: number) => string): GraphReader['findHolders'] {
  const selectPairs = preparedByCount((count) => preparePairs(db, count));
  const lookUp = (pairs: (number | null)[]): HolderRow[] => {
    const count = roundUp(pairs.length / 2);
    while (pairs.length < 2 * count) pairs.push(null);
    return selectPairs(count).all(pairs);
  };
  return (keys, identities) => {
    const pairs = listLikelyPairs(keys, identities, hintsOf);
    const holders = new Map<number, Map<number, boolean>>();
    for (let at = 0; at < pairs.length; at += 2 * MOST_PAIRS)
      for (const [key, identity, meta] of lookUp(pairs.slice(at, at + 2 * MOST_PAIRS))) {
        const ofKey = holders.get(key);
        if (ofKey) ofKey.set(identity, meta === 1);
        else holders.set(key, new Map([[identity, meta === 1]]));
      }
    return holders;
  };
}

/** Rounds a number of pairs up by at most a quarter, so that few different statements are prepared. Parameters that are left over are null. */
function roundUp(pairs: number): number {
  const step = Math.max(1, 2 ** (Math.floor(Math.log2(pairs)) - 2));
  return Math.ceil(pairs / step) * step;
}

function listLikelyPairs(
  keys: number[],
  identities: number[],
  hintsOf: (identity: number) => string,
): number[] {
  const keyHints = keys.map(toFilterCharacterOfLookupKey);
  const pairs: number[] = [];
  for (const identity of identities) {
    const hints = hintsOf(identity);
    for (let i = 0; i < keys.length; i++)
      if (hints.includes(keyHints[i] ?? '')) pairs.push(keys[i] ?? 0, identity);
  }
  return pairs;
}

function preparePairs(db: Db, count: number) {
  const values = Array.from({ length: count }, () => '(?,?)').join();
  return db
    .prepare<[(number | null)[]], HolderRow>(
      `SELECT key, id, meta FROM (VALUES ${values}) CROSS JOIN frequent ON key = column1 AND id = column2`,
    )
    .raw();
}
