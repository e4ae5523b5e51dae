import type { Identity } from '../../model.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { GraphReader } from '../resolve/reader.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { readTotals } from './meta.ts';
import { type Packed, unpack } from './postings.ts';
import { fromDays } from './schema.ts';
import { type HintMaker, parseHints, toKeyHint } from '../encryption/hints.ts';
import type { ProfileSealing } from '../encryption/profile.ts';

type IdentityRow = [Buffer, number | null, number | null, number, number];
type ShortRow = [firstSeen: number | null, lastSeen: number | null, hints: Buffer];

/** What reading needs of the secret. */
export interface ReaderKeys {
  profiles: Pick<ProfileSealing, 'openNames' | 'openSignatures'>;
  hints: Pick<HintMaker, 'mayHaveExactPart'>;
}

/**
 * Identities that are kept as they were read, since opening a seal, reading rows and preparing names again costs a check more than all its
 * look-ups; some 1,300 bytes each with their names, 200 without.
 */
const KEPT = { opened: 10_000, short: 50_000 };

/** What resolving asks of the file, by prepared statements. `forget` what was kept when the file has changed. */
export function graphReader(db: Db, keys: ReaderKeys): GraphReader & { forget(): void } {
  const identity = db
    .prepare<[number], IdentityRow>(
      'SELECT profile, first_seen, last_seen, records, sources FROM identity WHERE id = ?',
    )
    .raw();
  const short = db
    .prepare<[number], ShortRow>('SELECT first_seen, last_seen, hints FROM identity WHERE id = ?')
    .raw();
  const profile = db.prepare<[number], Buffer>('SELECT profile FROM identity WHERE id = ?').pluck();
  const opened = createBoundedCache(KEPT.opened, (id: number): Identity | null => {
    const row = identity.get(id);
    if (!row) return null;
    const [sealed, first, last, records, sources] = row;
    const [firstSeen, lastSeen] = [fromDays(first), fromDays(last)];
    return { id, names: keys.profiles.openNames(sealed), firstSeen, lastSeen, records, sources };
  });
  const shorts = createBoundedCache(KEPT.short, (id: number) => {
    const [first, last, hints] = short.get(id) ?? [null, null, undefined];
    return { firstSeen: fromDays(first), lastSeen: fromDays(last), ...parseHints(hints) };
  });
  const { getPostings: postings, forget: forgetPostings } = postingsOf(db);
  return {
    getPostings: postings,
    findHolders: createHolderLookup(db, (id) => shorts.get(id).keyBytes),
    getIdentity: opened.get,
    getSeenDates: shorts.get,
    getSignatures(ids, exactParts) {
      const likely = ids.filter((id) =>
        keys.hints.mayHaveExactPart(id, shorts.get(id).partHashes, exactParts),
      );
      return new Map(
        likely.map((id) => {
          const sealed = profile.get(id);
          return [id, sealed ? keys.profiles.openSignatures(sealed) : []];
        }),
      );
    },
    forget() {
      opened.clear();
      shorts.clear();
      forgetPostings();
    },
  };
}

/** Looks keys up in one statement, prepared once for each number of keys. What is true of the whole file is asked once. */
function postingsOf(db: Db): Pick<GraphReader, 'getPostings'> & { forget(): void } {
  const statements = new Map<number, ReturnType<typeof preparePostings>>();
  let totals: ReturnType<typeof readTotals> | undefined;
  return {
    getPostings(keys) {
      let select = statements.get(keys.length);
      if (!select) statements.set(keys.length, (select = preparePostings(db, keys.length)));
      const rows = select.all(keys);
      const { identities, newest } = (totals ??= readTotals(db));
      return { postings: keys.map((key, i) => unpack(key, rows[i] ?? null)), total: identities, newest };
    },
    forget: () => (totals = undefined),
  };
}

/**
 * One statement for `count` keys, a row each in their order (the right side of a LEFT JOIN is never read first): entering SQLite costs as
 * much as a look-up, and so does a subquery with a cursor of its own.
 */
function preparePostings(db: Db, count: number) {
  const keys = Array.from({ length: count }, () => '(?)').join();
  return db
    .prepare<[number[]], Packed>(`SELECT ids FROM (VALUES ${keys}) LEFT JOIN posting ON key = column1`)
    .pluck();
}

type HolderRow = [key: number, identity: number, meta: number];

/** At most so many pairs are asked in one statement: SQLite takes 32,766 values. */
const MOST = 8192;

/**
 * Looks up which identities have which frequent keys, where the hints of the identities allow that they do: most have none of the keys,
 * and looking that up took longer than all other look-ups of a check. Many are asked in one statement.
 *
 * @param hintsOf a character for each key of an identity
 */
function createHolderLookup(db: Db, hintsOf: (identity: number) => string): GraphReader['findHolders'] {
  const statements = new Map<number, ReturnType<typeof preparePairs>>();
  const ask = (pairs: (number | null)[]): HolderRow[] => {
    const count = roundedUp(pairs.length / 2);
    let select = statements.get(count);
    if (!select) statements.set(count, (select = preparePairs(db, count)));
    while (pairs.length < 2 * count) pairs.push(null);
    return select.all(pairs);
  };
  return (keys, identities) => {
    const pairs = likelyPairs(keys, identities, hintsOf);
    const found = new Map<number, Map<number, boolean>>();
    for (let at = 0; at < pairs.length; at += 2 * MOST)
      for (const [key, identity, meta] of ask(pairs.slice(at, at + 2 * MOST))) {
        const holders = found.get(key);
        if (holders) holders.set(identity, meta === 1);
        else found.set(key, new Map([[identity, meta === 1]]));
      }
    return found;
  };
}

/** The same statement serves all that are as long but for a quarter: what is null is found nowhere, but looked for. */
function roundedUp(pairs: number): number {
  const step = Math.max(1, 2 ** (Math.floor(Math.log2(pairs)) - 2));
  return Math.ceil(pairs / step) * step;
}

/** A key and an identity, one pair after the other. */
function likelyPairs(keys: number[], identities: number[], hintsOf: (identity: number) => string): number[] {
  const hints = keys.map(toKeyHint);
  const pairs: number[] = [];
  for (const identity of identities) {
    const own = hintsOf(identity);
    for (const [i, key] of keys.entries()) if (own.includes(hints[i] ?? '')) pairs.push(key, identity);
  }
  return pairs;
}

function preparePairs(db: Db, count: number) {
  const pairs = Array.from({ length: count }, () => '(?,?)').join();
  return db
    .prepare<[(number | null)[]], HolderRow>(
      `SELECT key, id, meta FROM (VALUES ${pairs}) CROSS JOIN frequent ON key = column1 AND id = column2`,
    )
    .raw();
}
