import { numberIdentities } from '../../../link/numbers.ts';
import { type Db, onceFor } from '../../../platform/sqlite.ts';
import type { LinkedPart } from '../../linking.ts';
import { gatheredRow } from '../gathering/works.ts';
import { boreAround, writeBore } from '../numbers/bore.ts';
import { ledAsBefore, nextNumber } from '../numbers/so-far.ts';
import { readMeta, writeMeta } from '../meta.ts';
import { newestOf } from '../read/reader.ts';
import { fromDays, toDays } from '../days.ts';
import { identityWriter, type PublishTarget, writeLinked } from './publish.ts';
import { repost, type Reposting } from './repost.ts';

/** What publishing asks of the file that remembers linking. */
export interface PublishedKeys {
  of(id: number): number[];
  set(id: number, keys: number[]): void;
  forget(id: number): void;
  /** Numbers that lead to one of these. */
  leadingTo(ids: number[]): [number: number, heir: number | null][];
  redirect(number: number, heir: number | null): void;
  /** A number leads nowhere any more. */
  lives(number: number): void;
}

/** Writes the identities of some records anew, and leaves all others as they are; inside a transaction. Answers how many there are now. */
export function publishPart(target: PublishTarget, part: LinkedPart, keys: PublishedKeys): number {
  const { db, table } = target;
  const changed = new Set(part.changed);
  const previous = previousOf(db, part.rows);
  const old = new Set([...part.affectedIdentities, ...[...previous.values()].flatMap((id) => id ?? [])]);
  const before = target.before();
  const isFree = freeBut(db, old);
  const leading = keys.leadingTo([...old]);
  const numbers = [...old, ...leading.map(([number]) => number)];
  const { heirs, ...remembered } = boreAround(db, { rows: part.rows, numbers, isFree }, before);
  const known = new Map([...heirs, ...leading, ...Array.from(old, (id): [number, null] => [id, null])]);
  ledAsBefore(known, before);
  const numbering = numberIdentities({
    clusters: part.clusters,
    previous,
    known,
    next: nextNumber(db),
    before: before ? new Map([...before.rows].filter(([, id]) => isFree(id))) : undefined,
    ...remembered,
  });
  const { identities, redirects } = numbering;
  const [sizes, bereft] = [sizesOf(previous), new Set(part.affectedIdentities)];
  const moved = identities.filter(
    ({ number, rows }) =>
      bereft.has(number) ||
      rows.length !== sizes.get(number) ||
      rows.some((row) => changed.has(row) || previous.get(row) !== number),
  );
  const changes = new Map<number, Reposting>();
  const post = (id: number, was: number[], is: number[]) => {
    const now = new Map(is.map((key) => [half(key), key % 2 === 1]));
    for (const key of was.map(half)) if (!now.has(key)) repostOf(changes, key).set(id, null);
    const had = new Set(was);
    for (const key of is)
      if (!had.has(key)) repostOf(changes, half(key)).set(id, now.get(half(key)) ?? false);
  };
  const lastSeen = lastSeenOf(db, [...old]);
  const write = identityWriter(db);
  for (const { number, rows } of moved) {
    const gathered = gatheredRow(number, table.readRows(rows), target.keys);
    const [was, is] = [keys.of(number), gathered.keys];
    write({ number, rows, ...gathered });
    post(number, was, is);
    keys.set(number, is);
    if (!old.has(number)) livesAgain(db, keys, number);
  }
  for (const [number, heir] of redirects) {
    post(number, keys.of(number), []);
    keys.forget(number);
    keys.redirect(number, heir);
    writeGone(db, number, heir);
  }
  writeBore(db, numbering, { bore: remembered.bore, before });
  writeMeta(db, 'postings', String(Number(readMeta(db, 'postings') ?? 0) + repost(db, changes)));
  const count = Number(readMeta(db, 'identities') ?? 0) + identities.length - old.size;
  const newest = newestAfter(db, { lastSeen, numbers: moved.map(({ number }) => number) });
  const { errorRates, settled } = part;
  writeLinked(db, { identities: count, newest, errorRates, settled });
  return count;
}

const half = (key: number) => Math.floor(key / 2);

function repostOf(changes: Map<number, Reposting>, key: number): Reposting {
  let change = changes.get(key);
  if (!change) changes.set(key, (change = new Map()));
  return change;
}

/** Is a number no identity's but these? */
function freeBut(db: Db, old: ReadonlySet<number>): (number: number) => boolean {
  const { seen } = statementsOf(db);
  return (number) => old.has(number) || seen.get(number) === undefined;
}

/** It led elsewhere. */
function livesAgain(db: Db, keys: PublishedKeys, number: number): void {
  statementsOf(db).lives.run(number);
  keys.lives(number);
}

const statementsOf = onceFor((db) => ({
  identity: db.prepare<[number], number | null>('SELECT identity FROM record WHERE id = ?').pluck(),
  seen: db.prepare<[number], number | null>('SELECT last_seen FROM identity WHERE id = ?').pluck(),
  lives: db.prepare('DELETE FROM merged WHERE number = ?'),
  merged: db.prepare('INSERT OR REPLACE INTO merged VALUES (?, ?)'),
  gone: db.prepare('DELETE FROM identity WHERE id = ?'),
}));

function previousOf(db: Db, rows: number[]): Map<number, number | null> {
  const { identity } = statementsOf(db);
  return new Map(rows.map((row) => [row, identity.get(row) ?? null]));
}

function sizesOf(previous: Map<number, number | null>): Map<number | null, number> {
  const sizes = new Map<number | null, number>();
  for (const id of previous.values()) sizes.set(id, (sizes.get(id) ?? 0) + 1);
  return sizes;
}

function writeGone(db: Db, number: number, heir: number | null): void {
  const { merged, gone } = statementsOf(db);
  merged.run(number, heir);
  gone.run(number);
}

/** The last time at which any of these was seen; -Infinity where none tells. */
function lastSeenOf(db: Db, numbers: number[]): number {
  const { seen } = statementsOf(db);
  return numbers.reduce((last, id) => Math.max(last, fromDays(seen.get(id) ?? null) ?? -Infinity), -Infinity);
}

/** Was anybody last seen at this time? On the day of the newest many were, and asking for one of them ends early. */
function isSeenAt(db: Db, time: number): boolean {
  return db.prepare('SELECT 1 FROM identity WHERE last_seen = ? LIMIT 1').get(toDays(time)) !== undefined;
}

/** Only where the newest may be gone are all identities asked. */
function newestAfter(db: Db, { lastSeen, numbers }: { lastSeen: number; numbers: number[] }): string {
  const kept = Number(readMeta(db, 'newest') ?? 'none');
  const now = lastSeenOf(db, numbers);
  if (Number.isNaN(kept)) return Number.isFinite(now) ? String(now) : 'none';
  if (now > kept) return String(now);
  return lastSeen < kept || now === kept || isSeenAt(db, kept) ? String(kept) : newestOf(db);
}
