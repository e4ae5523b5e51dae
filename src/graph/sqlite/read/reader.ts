import type { Identity } from '../../../model.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { GraphReader } from '../../resolve/reader.ts';
import { kept } from './kept.ts';
import { readMeta } from '../meta.ts';
import { type Packed, unpack } from '../postings.ts';
import { fromDays } from '../sealed/days.ts';
import { marksIn, type ProfileSealing } from '../sealed/profile.ts';

type IdentityRow = [Buffer, number | null, number | null, number, number];

/**
 * Identities that are kept as they were read, since opening a seal, reading rows and preparing names again costs a check more than all its
 * look-ups; some 1,300 bytes each with their names, 100 without.
 */
const KEPT = { opened: 10_000, seen: 50_000 };

/** What resolving asks of the file, by prepared statements. `forget` what was kept when the file has changed. */
export function graphReader(db: Db, sealing: Omit<ProfileSealing, 'seal'>): GraphReader & { forget(): void } {
  const frequent = db
    .prepare<[number, number], number>('SELECT meta FROM frequent WHERE key = ? AND id = ?')
    .pluck();
  const identity = db
    .prepare<[number], IdentityRow>(
      'SELECT profile, first_seen, last_seen, records, sources FROM identity WHERE id = ?',
    )
    .raw();
  const seen = db
    .prepare<[number], [number | null, number | null]>(
      'SELECT first_seen, last_seen FROM identity WHERE id = ?',
    )
    .raw();
  const profile = db.prepare<[number], Buffer>('SELECT profile FROM identity WHERE id = ?').pluck();
  const opened = kept((id): Identity | null => {
    const row = identity.get(id);
    if (!row) return null;
    const [sealed, first, last, records, sources] = row;
    const [firstSeen, lastSeen] = [fromDays(first), fromDays(last)];
    return { id, names: sealing.names(sealed), firstSeen, lastSeen, records, sources };
  }, KEPT.opened);
  const dates = kept((id) => {
    const [first, last] = seen.get(id) ?? [null, null];
    return { firstSeen: fromDays(first), lastSeen: fromDays(last) };
  }, KEPT.seen);
  const marks = kept((id) => marksIn(profile.get(id)), KEPT.seen);
  const { postings, forget: forgetPostings } = postingsOf(db);
  return {
    postings,
    primaryOf(key, id) {
      const meta = frequent.get(key, id);
      return meta === undefined ? undefined : meta === 1;
    },
    identity: opened.get,
    seen: dates.get,
    signatures(ids, exactParts) {
      const may = sealing.mayHave(
        exactParts,
        ids.map((id) => ({ identity: id, marks: marks.get(id) })),
      );
      return new Map(
        ids.flatMap((id, i) => {
          const sealed = may[i] ? profile.get(id) : undefined;
          return sealed ? [[id, sealing.signatures(sealed)] as const] : [];
        }),
      );
    },
    forget() {
      for (const one of [opened, dates, marks]) one.forget();
      forgetPostings();
    },
  };
}

/**
 * An identity, or the one that its number leads to now; null where there is none.
 * @param db both files
 */
export function currentIdentity(db: Db, sealing: ProfileSealing, asked: number): Identity | null {
  const heir = db.prepare<[number], number | null>('SELECT heir FROM merged WHERE number = ?').pluck();
  return graphReader(db, sealing).identity(heir.get(asked) ?? asked);
}

/** Looks keys up in one statement, prepared once for each number of keys. What is true of the whole file is asked once. */
function postingsOf(db: Db): Pick<GraphReader, 'postings'> & { forget(): void } {
  const statements = new Map<number, ReturnType<typeof statement>>();
  let whole: { total: number; newest: number | null } | undefined;
  return {
    postings(keys) {
      let select = statements.get(keys.length);
      if (!select) statements.set(keys.length, (select = statement(db, keys.length)));
      const rows = select.all(keys);
      whole ??= wholeOf(db);
      return { postings: keys.map((key, i) => unpack(key, rows[i] ?? null)), ...whole };
    },
    forget: () => (whole = undefined),
  };
}

function wholeOf(db: Db): { total: number; newest: number | null } {
  const newest = Number(readMeta(db, 'newest') ?? 'none');
  return {
    total: Number(readMeta(db, 'identities') ?? 0),
    newest: Number.isFinite(newest) ? newest : null,
  };
}

/** For the file, when its newest record was last seen. Text, because what is not there must not become the year 1970. */
export function newestOf(db: Db): string {
  const last = db.prepare<[], number | null>('SELECT max(last_seen) FROM identity').pluck().get();
  return String(fromDays(last ?? null) ?? 'none');
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
