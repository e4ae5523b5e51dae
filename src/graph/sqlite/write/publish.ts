import { type ErrorRates, NO_ERRORS } from '../../../link/error-rates.ts';
import { numberIdentities } from '../../../link/numbers.ts';
import { nameTablesDigest } from '../../../names/index.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { Partition } from '../../parts/linking.ts';
import { gathering, type PublishedRow } from '../gathering/gathering.ts';
import type { NumbersBefore } from '../incoming/numbers-before.ts';
import { pieceOf } from '../index/link-file.ts';
import { readMeta, readRecordMeta, writeMeta } from '../meta.ts';
import { areNoted } from '../incoming/late.ts';
import { stagePostings } from '../postings.ts';
import { newestOf } from '../read/reader.ts';
import { toDays } from '../../sealed/days.ts';
import type { GraphKeys } from '../../sealed/keys.ts';
import { type RecordTable, restamp } from './records.ts';

export interface PublishTarget {
  db: Db;
  table: RecordTable;
  keys: GraphKeys;
  /** Numbers that identities are to have again, where something is taken back; see `NumbersBefore`. */
  before(): NumbersBefore | null;
}

/** Is told what was published, identity by identity. */
export interface PublishTold {
  published(id: number, keys: ArrayLike<number>): void;
  redirect(number: number, heir: number | null): void;
  /** By what changes are noted that came since the records were read; null where they are not. See incoming/late.ts. */
  noted: string | null;
  /** The highest row that was read. */
  through: number;
}

/** Writes identities and postings from a partition of the records, all or none; see `publish` in graph.ts. */
export async function publish(
  target: PublishTarget,
  partition: Partition,
  told: PublishTold,
): Promise<number | null> {
  const piece = pieceOf(target.db);
  piece.begin();
  try {
    const identities = await publishNow(target, partition, told);
    piece.keep();
    return identities;
  } catch (error) {
    // Who is stopped has closed the connection.
    if (target.db.open) piece.undo();
    throw error;
  }
}

async function publishNow(
  target: PublishTarget,
  { clusters, revision, errorRates, onProgress, near }: Partition,
  told: PublishTold,
): Promise<number | null> {
  const { db, table, keys } = target;
  const isLate = readRecordMeta(db, 'revision') !== revision;
  if (isLate && !areNoted(db, told.noted)) return null;
  const { previous, known } = numbersSoFar(db, isLate ? told.through : Infinity);
  const before = target.before();
  ledAsBefore(known, before);
  const there = isLate ? clusters.map((rows) => rows.filter((row) => previous.has(row))) : clusters;
  const numbering = {
    clusters: there.filter(({ length }) => length > 0),
    previous,
    known,
    before: before?.rows,
    next: nextNumber(db),
  };
  const { identities, redirects } = numberIdentities(numbering);
  db.exec('DELETE FROM identity; DELETE FROM merged');
  const [write, postings] = [identityWriter(db), stagePostings(db)];
  const count = identities.length;
  const read = (row: number) => table.read([row])[0] ?? null;
  let done = 0;
  for await (const row of gathering(identities, { keys, read, near })) {
    if (done++ % 500 === 0) onProgress?.(done / count);
    write(row);
    for (let i = 0; i < row.keys.length; i++) postings.add(row.keys[i] ?? 0, row.number);
    told.published(row.number, row.keys);
  }
  const gone = db.prepare('INSERT INTO merged VALUES (?, ?)');
  for (const [number, heir] of redirects) {
    gone.run(number, heir);
    told.redirect(number, heir);
  }
  writeMeta(db, 'postings', String(postings.write()));
  writeLinked(db, { identities: count, newest: newestOf(db), errorRates, settled: true });
  return count;
}

/** What the file says of its identities as a whole. */
export function writeLinked(
  db: Db,
  it: { identities: number; newest: string; errorRates: ErrorRates; settled: boolean },
): void {
  writeMeta(db, 'link_stamp', restamp(db));
  writeMeta(db, 'error_rates', JSON.stringify(it.errorRates));
  writeMeta(db, 'settled', it.settled ? 'yes' : 'no');
  writeMeta(db, 'name_tables', nameTablesDigest());
  writeMeta(db, 'linked_at', new Date().toISOString());
  writeMeta(db, 'identities', String(it.identities));
  writeMeta(db, 'newest', it.newest);
}

/** @param through rows beyond it are none of those that were linked */
function numbersSoFar(
  db: Db,
  through: number,
): { previous: Map<number, number | null>; known: Map<number, number | null> } {
  const pairs = (sql: string) => new Map(db.prepare<[], [number, number | null]>(sql).raw().all());
  return {
    previous: pairs(
      `SELECT id, identity FROM record WHERE id <= ${Math.min(through, Number.MAX_SAFE_INTEGER)}`,
    ),
    // Where a power cut took the last records back, the graph may know of numbers that they do not.
    known: pairs('SELECT id, NULL FROM identity UNION ALL SELECT number, heir FROM merged'),
  };
}

/** Numbers lead where they led before what is taken back. */
export function ledAsBefore(known: Map<number, number | null>, before: NumbersBefore | null): void {
  if (before)
    for (const number of known.keys()) {
      const heir = before.heirs.get(number);
      if (heir !== undefined) known.set(number, heir);
    }
}

/** The first number that was never given: to a record, or by a publication that one of the files has lost. */
export function nextNumber(db: Db): number {
  const highest = db.prepare<[], number | null>(
    'SELECT max(id) FROM identity UNION ALL SELECT max(number) FROM merged UNION ALL SELECT max(identity) FROM record',
  );
  return Math.max(0, ...highest.pluck().all().map(Number)) + 1;
}

/** Writes an identity in the place of the one that had its number. */
export function identityWriter(db: Db): (row: PublishedRow) => void {
  const identity = db.prepare('INSERT OR REPLACE INTO identity VALUES (?, ?, ?, ?, ?, ?, ?)');
  const belongs = db.prepare('UPDATE record SET identity = ? WHERE id = ? AND identity IS NOT ?');
  return ({ number, rows, firstSeen, lastSeen, sources, hint, profile }) => {
    identity.run(number, toDays(firstSeen), toDays(lastSeen), rows.length, sources, hint, profile);
    for (let i = 0; i < rows.length; i++) belongs.run(number, rows[i], number);
  };
}

/** What the records were found to be like when they were published last. */
export function keptErrorRates(db: Db): ErrorRates {
  return { ...NO_ERRORS, ...(JSON.parse(readMeta(db, 'error_rates') ?? '{}') as Partial<ErrorRates>) };
}
