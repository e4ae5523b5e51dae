import { BonafideError } from '../../errors.ts';
import { type Db, createRowWriter } from '../../platform/sqlite.ts';
import { MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY } from '../graph.ts';
import {
  decodeIdentityWithoutPrimaryFlag,
  encodeIdentityWithPrimaryFlag,
  type IdentitiesOfLookupKey,
} from '../resolve/reader.ts';
import type {
  LookupKeyTable,
  CollectedIdentitiesOfLookupKey,
  StoredIdentitiesOfLookupKey,
} from '../sql/publishing/lookup-keys.ts';

/**
 * Posting of a look-up key in the database: a number for one identity, a text for several. If there are more identities than are listed, the text
 * begins with their total number (`31:2 5 8 …`). Each identity is twice its number, plus 1 if the key is that of its primary value.
 */
export type PackedIdentitiesOfLookupKey = number | string | null;

export function unpackIdentitiesOfLookupKey(
  key: number,
  packed: PackedIdentitiesOfLookupKey,
): IdentitiesOfLookupKey {
  if (packed === null) return { key, share: 0, holders: NO_HOLDERS };
  if (typeof packed === 'number') return { key, share: 1, holders: [requireHolder(packed)] };
  if (typeof packed !== 'string') throw damaged();
  const colon = packed.indexOf(':');
  const holders: number[] = [];
  // Digit by digit: splitting the text of a frequent key costs several times as much.
  let number = 0;
  for (let i = colon + 1; i <= packed.length; i++) {
    const digit = packed.charCodeAt(i) - ZERO;
    if (digit > 9) throw damaged();
    if (digit >= 0) {
      number = number * 10 + digit;
      continue;
    }
    holders.push(requireHolder(number));
    number = 0;
  }
  const share = colon < 0 ? holders.length : Number(packed.slice(0, colon));
  if (!(share >= holders.length)) throw damaged();
  return { key, share, holders };
}

/** List of identities that all look-up keys without an identity share. */
const NO_HOLDERS: readonly number[] = [];

const ZERO = 48;

function requireHolder(holder: number): number {
  if (Number.isSafeInteger(holder) && holder > 1) return holder;
  throw damaged();
}

const damaged = () =>
  new BonafideError(
    'damaged_database',
    'The file graph.db is damaged: the list of identities of a look-up key is invalid. Restore the file from a backup, or delete it and run bonafide graph link.',
  );

export function packIdentitiesOfLookupKey({ share, holders }: StoredIdentitiesOfLookupKey): number | string {
  if (share === 1) return holders[0] ?? 0;
  return `${share > MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY ? `${share}:` : ''}${holders.join(' ')}`;
}

/** Writes look-up keys with their identities. The tables must not contain these keys yet. */
export function writeLookupKeys(db: Db, postings: Iterable<CollectedIdentitiesOfLookupKey>): void {
  const [posting, frequent] = [createRowWriter(db, 'posting', 2), createRowWriter(db, 'frequent', 3)];
  for (const { key, share, holders, all } of postings) {
    posting.add(key, packIdentitiesOfLookupKey({ share, holders }));
    for (const holder of all) frequent.add(key, decodeIdentityWithoutPrimaryFlag(holder), holder % 2);
  }
  posting.end();
  frequent.end();
}

export function openLookupKeyTable(db: Db): LookupKeyTable {
  const get = db
    .prepare<[number], PackedIdentitiesOfLookupKey>('SELECT ids FROM posting WHERE key = ?')
    .pluck();
  const put = db.prepare('INSERT OR REPLACE INTO posting VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM posting WHERE key = ?');
  const first = db
    .prepare<[number], [number, number]>(
      `SELECT id, meta FROM frequent WHERE key = ? ORDER BY id LIMIT ${MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY}`,
    )
    .raw();
  const putFrequent = db.prepare('INSERT OR REPLACE INTO frequent VALUES (?, ?, ?)');
  const removeFrequent = db.prepare('DELETE FROM frequent WHERE key = ? AND id = ?');
  const clear = db.prepare('DELETE FROM frequent WHERE key = ?');
  const read = (key: number): [number, StoredIdentitiesOfLookupKey] => {
    const { share, holders } = unpackIdentitiesOfLookupKey(key, get.get(key) ?? null);
    return [key, { share, holders: [...holders] }];
  };
  const readFirst = (key: number): [number, number[]] => [
    key,
    first.all(key).map(([id, meta]) => encodeIdentityWithPrimaryFlag(id, meta === 1)),
  ];
  return {
    read: (keys) => new Map(keys.map(read).filter(([, { share }]) => share > 0)),
    write(postings) {
      for (const [key, posting] of postings)
        if (posting.share === 0) remove.run(key);
        else put.run(key, packIdentitiesOfLookupKey(posting));
    },
    addFrequent(holders) {
      for (const [key, holder] of holders)
        putFrequent.run(key, decodeIdentityWithoutPrimaryFlag(holder), holder % 2);
    },
    removeFrequent: (identities) =>
      identities.filter(([key, id]) => removeFrequent.run(key, id).changes > 0).map(([key]) => key),
    firstFrequent: (keys) => new Map(keys.map(readFirst)),
    clearFrequent(keys) {
      for (const key of keys) clear.run(key);
    },
  };
}
