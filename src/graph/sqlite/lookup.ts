import type { LookupKey } from '../../model.ts';
import type { Vault } from '../vault.ts';
import type { Db } from './database.ts';
import { type Found, type Packed, unpack } from './postings.ts';

export interface LookUps {
  /** Looks all keys up in one statement; an answer each, in their order, and how many identities there are. */
  all(keys: LookupKey[]): { found: Found[]; total: number };
  /** Whether the value is the identity's primary one, where the identity has this key; else undefined. */
  primaryOf(found: Found, id: number): boolean | undefined;
}

/** Look-ups in the postings. */
export function lookUps(db: Db, vault: Vault): LookUps {
  const statements = new Map<number, ReturnType<typeof statement>>();
  const one = db.prepare('SELECT meta FROM crowd WHERE key = ? AND id = ?').pluck();
  return {
    all(wanted) {
      const keys = wanted.map(({ type, text }) => vault.key(type, text));
      let select = statements.get(keys.length);
      if (!select) statements.set(keys.length, (select = statement(db, keys.length)));
      const rows = select.all(keys) as Packed[];
      const found = keys.map((key, i) => unpack(wanted[i].type, key, rows[i]));
      return { found, total: (rows[keys.length] as number | undefined) ?? 0 };
    },
    primaryOf(found, id) {
      const place = found.ids.indexOf(id);
      if (place >= 0) return found.primary[place];
      const meta = isWide(found) ? (one.get(found.key, id) as number | undefined) : undefined;
      return meta === undefined ? undefined : meta === 1;
    },
  };
}

/** Do more identities share the key than were read? */
export function isWide({ share, ids }: Found): boolean {
  return share > ids.length;
}

/**
 * One statement for `count` keys, a row each in their order (the right side of a LEFT JOIN is never read first), and a last row for
 * how many identities there are. Entering SQLite costs as much as a look-up, and so does a subquery with a cursor of its own.
 */
function statement(db: Db, count: number) {
  const keys = Array.from({ length: count }, () => '(?)').join();
  return db
    .prepare(
      `SELECT ids FROM (VALUES ${keys}) LEFT JOIN posting ON key = column1
       UNION ALL SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'identities'`,
    )
    .pluck();
}
