import type { Identity } from '../../model.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { Sealing } from '../sealing.ts';
import type { GraphReader } from '../resolve/reader.ts';
import { type Packed, unpack } from './postings.ts';
import { mayHold, openSignatures } from './signatures.ts';

type IdentityRow = [Buffer | null, number | null, number | null, number, number];

/** What resolving asks of the file, by prepared statements. */
export function graphReader(db: Db, sealing: Sealing): GraphReader {
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
  return {
    postings: postingsOf(db),
    primaryOf(key, id) {
      const meta = frequent.get(key, id);
      return meta === undefined ? undefined : meta === 1;
    },
    identity(id) {
      const row = identity.get(id);
      if (!row) return null;
      const [names, firstSeen, lastSeen, records, sources] = row;
      return { id, names: namesOf(names, sealing), firstSeen, lastSeen, records, sources };
    },
    seen(id) {
      const [firstSeen, lastSeen] = seen.get(id) ?? [null, null];
      return { firstSeen, lastSeen };
    },
    signatures(ids, exactParts) {
      const likely = ids.filter((id) => mayHold(parts.get(id), exactParts));
      return new Map(likely.map((id) => [id, openSignatures(signatures.get(id), sealing)]));
    },
  };
}

/** An identity, or the one that its number leads to now; null where there is none. */
export function currentIdentity(db: Db, sealing: Sealing, asked: number): Identity | null {
  const leads = db.prepare<[number], number | null>('SELECT merged_into FROM identity WHERE id = ?').pluck();
  const found = graphReader(db, sealing).identity(leads.get(asked) ?? asked);
  return found && found.records > 0 ? found : null;
}

/** Names are kept sealed together, one a line. */
function namesOf(sealed: Buffer | null, sealing: Sealing): string[] {
  return sealed === null ? [] : sealing.open(sealed).split('\n');
}

/** Looks keys up in one statement, prepared once for each number of keys. */
function postingsOf(db: Db): GraphReader['postings'] {
  const statements = new Map<number, ReturnType<typeof statement>>();
  // Files that were published before this was written beside the identities are asked once.
  let computed: string | undefined;
  return (keys) => {
    let select = statements.get(keys.length);
    if (!select) statements.set(keys.length, (select = statement(db, keys.length)));
    const rows = select.all(keys);
    const postings = keys.map((key, i) => unpack(key, rows[i] ?? null));
    const newest = Number(rows[keys.length + 1] ?? (computed ??= newestOf(db)));
    return {
      postings,
      total: Number(rows[keys.length] ?? 0),
      newest: Number.isFinite(newest) ? newest : null,
    };
  };
}

/** For the file, when its newest record was last seen. Text, because what is not there must not become the year 1970. */
export function newestOf(db: Db): string {
  return String(db.prepare('SELECT max(last_seen) FROM identity').pluck().get() ?? 'none');
}

/**
 * One statement for `count` keys, a row each in their order (the right side of a LEFT JOIN is never read first), and two more for
 * how many identities there are and when the newest was last seen. Entering SQLite costs as much as a look-up, and so does a subquery with a cursor of its own.
 */
function statement(db: Db, count: number) {
  const keys = Array.from({ length: count }, () => '(?)').join();
  return db
    .prepare<[number[]], Packed>(
      `SELECT ids FROM (VALUES ${keys}) LEFT JOIN posting ON key = column1
       UNION ALL SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'identities'
       UNION ALL SELECT value FROM meta WHERE name = 'newest'`,
    )
    .pluck();
}
