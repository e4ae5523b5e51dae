import { type ErrorRates, NO_ERRORS } from '../../../link/error-rates.ts';
import { type Numbering, numberIdentities } from '../../../link/numbers.ts';
import { nameTablesDigest } from '../../../names/index.ts';
import { type Db, onceFor } from '../../../platform/sqlite.ts';
import type { Partition } from '../../linking.ts';
import { gathering, type PublishedRow } from '../gathering/gathering.ts';
import type { NumbersBefore } from '../numbers/before.ts';
import { allBore, writeBore } from '../numbers/bore.ts';
import { ledAsBefore, nextNumber, numbersSoFar } from '../numbers/so-far.ts';
import { createNestedTransaction } from '../../link-cache/link-file.ts';
import { readMeta, readRecordMeta, writeMeta } from '../meta.ts';
import { areNoted } from '../incoming/late.ts';
import { stagePostings } from '../postings.ts';
import { newestOf } from '../read/reader.ts';
import { toDays } from '../days.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { type SqliteRecordTable, restamp } from './records.ts';

export interface PublishTarget {
  db: Db;
  table: SqliteRecordTable;
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
  const piece = createNestedTransaction(target.db);
  piece.begin();
  try {
    const identities = await publishNow(target, partition, told);
    piece.commit();
    return identities;
  } catch (error) {
    // Who is stopped has closed the connection.
    if (target.db.open) piece.rollback();
    throw error;
  }
}

async function publishNow(
  target: PublishTarget,
  { clusters, revision, errorRates, onProgress, inMemory: near }: Partition,
  told: PublishTold,
): Promise<number | null> {
  const { db, table, keys } = target;
  const isLate = readRecordMeta(db, 'revision') !== revision;
  if (isLate && !areNoted(db, told.noted)) return null;
  const { previous, known } = numbersSoFar(db, isLate ? told.through : Infinity);
  const before = target.before();
  ledAsBefore(known, before);
  const there = isLate ? clusters.map((rows) => rows.filter((row) => previous.has(row))) : clusters;
  const bore = allBore(db, before);
  const numbering = numberIdentities({
    clusters: there.filter(({ length }) => length > 0),
    previous,
    known,
    before: before?.rows,
    bore,
    next: nextNumber(db),
  });
  const { identities, redirects } = numbering;
  db.exec('DELETE FROM identity; DELETE FROM merged');
  const [write, postings] = [rowWriter(db), stagePostings(db)];
  const count = identities.length;
  let done = 0;
  for await (const row of gathering(identities, { keys, sealedOf: table.readSealedRows, near })) {
    if (done++ % 500 === 0) onProgress?.(done / count);
    write(row);
    for (let i = 0; i < row.keys.length; i++) postings.add(row.keys[i] ?? 0, row.number);
    told.published(row.number, row.keys);
  }
  writeBelonging(db, identities);
  const gone = db.prepare('INSERT INTO merged VALUES (?, ?)');
  for (const [number, heir] of redirects) {
    gone.run(number, heir);
    told.redirect(number, heir);
  }
  writeBore(db, numbering, { bore, before });
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

/** Writes an identity in the place of the one that had its number. */
export const identityWriter = onceFor((db): ((row: PublishedRow) => void) => {
  const [write, belongs] = [rowWriter(db), belonging(db)];
  return (row) => {
    write(row);
    for (let i = 0; i < row.rows.length; i++) belongs.run(row.number, row.rows[i], row.number);
  };
});

const rowWriter = onceFor((db): ((row: PublishedRow) => void) => {
  const identity = db.prepare('INSERT OR REPLACE INTO identity VALUES (?, ?, ?, ?, ?, ?, ?)');
  return ({ number, rows, firstSeen, lastSeen, sources, hint, profile }) =>
    void identity.run(number, toDays(firstSeen), toDays(lastSeen), rows.length, sources, hint, profile);
});

const belonging = onceFor((db) =>
  db.prepare('UPDATE record SET identity = ? WHERE id = ? AND identity IS NOT ?'),
);

/** By ascending rows: the records of one identity lie far apart, and each would ask for a page that has left the cache. */
function writeBelonging(db: Db, identities: Numbering['identities']): void {
  const highest = identities.reduce((most, { rows }) => Math.max(most, rows.at(-1) ?? 0), 0);
  const numbers = new Float64Array(highest + 1);
  for (const { number, rows } of identities) for (const row of rows) numbers[row] = number;
  const belongs = belonging(db);
  for (const [row, number] of numbers.entries()) if (number > 0) belongs.run(number, row, number);
}

/** What the records were found to be like when they were published last. */
export function keptErrorRates(db: Db): ErrorRates {
  return { ...NO_ERRORS, ...(JSON.parse(readMeta(db, 'error_rates') ?? '{}') as Partial<ErrorRates>) };
}
