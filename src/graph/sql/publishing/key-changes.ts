// Log of the look-up keys that publications changed, with which watches find changes without reading the whole graph. Entries are written in the
// transaction of the publication. Look-up keys are stored as fingerprints under a separate secret key; see `createWatchKeyFingerprinter`.
import { randomBytes } from 'node:crypto';
import type { LookupKeyChangeReader, ChangedLookupKeys } from '../../capabilities.ts';
import type { Awaitable } from '../../../model.ts';
import { bytesToNumbers, numbersToBytes } from '../../link-cache/link-file.ts';
import type { SqlSession } from '../session.ts';
import type { PublishedIdentity } from '../published.ts';
import { decodeIdentityWithoutPrimaryFlag } from '../../resolve/reader.ts';

/**
 * Returns the SQL statement that creates the log of changed look-up keys. Columns: `stamp`, a random text of the row; `total`, the number of look-up
 * keys in all rows up to this one; `keys`, null if any look-up key may have changed.
 */
export const createLookupKeyChangeTableSql = (
  schema: string,
  types: { number: string; bytes: string },
): string =>
  `CREATE TABLE IF NOT EXISTS ${schema}.key_change (seq ${types.number} PRIMARY KEY, stamp text NOT NULL, total ${types.number} NOT NULL, keys ${types.bytes})`;

/** Maximum number of look-up keys in the log. A reader at an older position must assume that any look-up key may have changed. */
const KEPT_KEYS = 1_000_000;
const MOST_KEYS = 200_000;
const READ_KEYS = 20_000;

type LogRow = [seq: number, stamp: string, keys: Buffer | null];

/** Log of the look-up keys whose records changed in one graph. Call functions that write in the transaction that changes the identities. */
export interface LookupKeyChangeLog extends LookupKeyChangeReader {
  /** Logs the look-up keys that a linking changed. `keys` is null if the linking may have changed any look-up key. */
  note(keys: ReadonlySet<number> | null): Promise<void>;
}

/**
 * Opens the log of changed look-up keys. `toWatchKey` converts a look-up key to its fingerprint in the log. If the table is missing, nothing is
 * logged, and readers must assume that any look-up key may have changed.
 */
export function openLookupKeyChangeLog(
  { query }: SqlSession,
  toWatchKey: (key: number) => number,
  hasTable: () => Awaitable<boolean>,
): LookupKeyChangeLog {
  const last = async (): Promise<[seq: number, stamp: string, total: number]> => {
    const [row] = await query<[number, string, number]>(
      'SELECT seq, stamp, total FROM key_change ORDER BY seq DESC LIMIT 1',
    );
    return row ?? [0, '', 0];
  };
  return {
    async note(keys) {
      if (keys?.size === 0 || !(await hasTable())) return;
      const [seq, , before] = await last();
      const bytes = keys && keys.size <= MOST_KEYS ? numbersToBytes(Array.from(keys, toWatchKey)) : null;
      const total = before + (bytes === null ? 1 : Math.max(1, keys?.size ?? 0));
      const stamp = randomBytes(9).toString('base64url');
      await query('INSERT INTO key_change (seq, stamp, total, keys) VALUES ($1, $2, $3, $4)', [
        seq + 1,
        stamp,
        total,
        bytes,
      ]);
      await query('DELETE FROM key_change WHERE total < $1', [total - KEPT_KEYS]);
    },
    async read(position): Promise<ChangedLookupKeys> {
      if (!(await hasTable())) return { position: null, keys: null };
      const from = position === null ? -1 : Number.parseInt(position, 10);
      // One statement, because a publication may remove rows between two.
      const rows = await query<LogRow>(
        `SELECT seq, stamp, CASE WHEN seq > $1 THEN keys END FROM key_change
           WHERE seq >= $1 AND (seq = $1 OR total <= (SELECT min(total) FROM key_change WHERE seq > $1) + ${READ_KEYS}) ORDER BY seq`,
        [from],
      );
      // The row of the position. An empty log has none.
      const [known = [0, '', null]] = from > 0 ? rows.splice(0, 1) : [];
      const [next] = rows;
      if (toPosition(known) !== position || (next && next[0] !== known[0] + 1))
        return { position: toPosition(await last()), keys: null };
      const isUnknown = rows.some(([, , keys]) => keys === null);
      const keys = new Set(rows.flatMap(([, , keys]) => bytesToNumbers(keys ?? undefined)));
      return { position: toPosition(rows.at(-1) ?? known), keys: isUnknown ? null : [...keys] };
    },
  };
}

const toPosition = ([seq, stamp]: readonly [seq: number, stamp: string, ...rest: unknown[]]): string =>
  `${seq}:${stamp}`;

/** Returns all look-up keys that changed or removed identities had before a change or have after it. */
export function collectChangedLookupKeys(
  changed: readonly Pick<PublishedIdentity, 'number' | 'keys'>[],
  gone: readonly number[],
  before: ReadonlyMap<number, readonly number[]>,
): Set<number> {
  const keys = new Set<number>();
  const add = (list: ArrayLike<number> = []) => {
    for (let i = 0; i < list.length; i++) keys.add(decodeIdentityWithoutPrimaryFlag(list[i] ?? 0));
  };
  for (const identity of changed) {
    add(identity.keys);
    add(before.get(identity.number));
  }
  for (const number of gone) add(before.get(number));
  return keys;
}
