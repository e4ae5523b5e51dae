import type { Identity } from '../../../model.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { TextSealing } from '../../sealing.ts';
import type { GraphReader } from '../../resolve/reader.ts';
import { kept } from './kept.ts';
import { readMeta } from '../meta.ts';
import { type Packed, unpack } from '../postings.ts';
import { mayHold, openSignatures, partsOf } from '../signatures.ts';

type IdentityRow = [Buffer | null, number | null, number | null, number, number];

/**
 * Identities that are kept as they were read, since opening a seal, reading rows and preparing names again costs a check more than all its
 * look-ups; some 1,300 bytes each with their names, 100 without.
 */
const KEPT = { opened: 10_000, seen: 50_000 };

/** What resolving asks of the file, by prepared statements. `forget` what was kept when the file has changed. */
export function graphReader(db: Db, sealing: TextSealing): GraphReader & { forget(): void } {
  const frequent = db
    .prepare<[number, number], number>('SELECT meta FROM frequent WHERE key = ? AND id = ?')
    .pluck();
  const identity = db
    .prepare<[number], IdentityRow>(
      'SELECT names, first_seen, last_seen, records, sources FROM identity WHERE id = ?',
    )
    .raw();
  const seen = db
    .prepare<[number], [number | null, number | null]>(
      'SELECT first_seen, last_seen FROM identity WHERE id = ?',
    )
    .raw();
  const parts = db.prepare<[number], string>('SELECT parts FROM exact_part WHERE id = ?').pluck();
  const signatures = db
    .prepare<[number], Buffer | null>('SELECT signatures FROM identity WHERE id = ?')
    .pluck();
  const opened = kept((id): Identity | null => {
    const row = identity.get(id);
    if (!row) return null;
    const [names, firstSeen, lastSeen, records, sources] = row;
    return { id, names: namesOf(names, sealing), firstSeen, lastSeen, records, sources };
  }, KEPT.opened);
  const dates = kept((id) => {
    const [firstSeen, lastSeen] = seen.get(id) ?? [null, null];
    return { firstSeen, lastSeen };
  }, KEPT.seen);
  const exactParts = kept((id) => partsOf(parts.get(id)), KEPT.seen);
  const { postings, forget: forgetPostings } = postingsOf(db);
  return {
    postings,
    primaryOf(key, id) {
      const meta = frequent.get(key, id);
      return meta === undefined ? undefined : meta === 1;
    },
    identity: opened.get,
    seen: dates.get,
    signatures(ids, wanted) {
      const likely = ids.filter((id) => mayHold(exactParts.get(id), wanted));
      return new Map(likely.map((id) => [id, openSignatures(signatures.get(id), sealing)]));
    },
    forget() {
      for (const one of [opened, dates, exactParts]) one.forget();
      forgetPostings();
    },
  };
}

/** An identity, or the one that its number leads to now; null where there is none. */
export function currentIdentity(db: Db, sealing: TextSealing, asked: number): Identity | null {
  const leads = db.prepare<[number], number | null>('SELECT merged_into FROM identity WHERE id = ?').pluck();
  const found = graphReader(db, sealing).identity(leads.get(asked) ?? asked);
  return found && found.records > 0 ? found : null;
}

/** Names are kept sealed together, one a line. */
function namesOf(sealed: Buffer | null, sealing: TextSealing): string[] {
  return sealed === null ? [] : sealing.open(sealed).split('\n');
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
  // Files that were published before this was written beside the identities are asked.
  const newest = Number(readMeta(db, 'newest') ?? newestOf(db));
  return {
    total: Number(readMeta(db, 'identities') ?? 0),
    newest: Number.isFinite(newest) ? newest : null,
  };
}

/** For the file, when its newest record was last seen. Text, because what is not there must not become the year 1970. */
export function newestOf(db: Db): string {
  return String(db.prepare('SELECT max(last_seen) FROM identity').pluck().get() ?? 'none');
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
