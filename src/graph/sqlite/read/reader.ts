import type { Identity } from '../../../model.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { GraphReader } from '../../resolve/reader.ts';
import { createBoundedCache } from '../../bounded-cache.ts';
import { readTotals } from '../meta.ts';
import { type Packed, unpack } from '../postings.ts';
import { fromDays } from '../days.ts';
import { type HintMaker, parseHints } from '../../encryption/hints.ts';
import type { ProfileSealing } from '../../encryption/profile.ts';
import { holdersIn } from './holders.ts';

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
    findHolders: holdersIn(db, (id) => shorts.get(id).keyBytes),
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
  const statements = new Map<number, ReturnType<typeof statement>>();
  let totals: ReturnType<typeof readTotals> | undefined;
  return {
    getPostings(keys) {
      let select = statements.get(keys.length);
      if (!select) statements.set(keys.length, (select = statement(db, keys.length)));
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
function statement(db: Db, count: number) {
  const keys = Array.from({ length: count }, () => '(?)').join();
  return db
    .prepare<[number[]], Packed>(`SELECT ids FROM (VALUES ${keys}) LEFT JOIN posting ON key = column1`)
    .pluck();
}
