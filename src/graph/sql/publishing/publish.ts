import { assignIdentityNumbers } from '../../../link/identity-numbers.ts';
import { hashNameTables } from '../../../names/index.ts';
import type { GraphCiphersAndFingerprints } from '../../encryption/keys.ts';
import type { LinkCacheFileBuilder } from '../../link-cache/builder.ts';
import type { GraphState } from '../../link-cache/link-file.ts';
import type { LinkingResultOfChangedRecords, LinkingResultOfAllRecords } from '../../linking.ts';
import type { RecordTable } from '../records.ts';
import type { PublishedIdentity, PublishedIdentityTables } from '../published.ts';
import type { SqlSession } from '../session.ts';
import { decodeIdentityWithoutPrimaryFlag } from '../../resolve/reader.ts';
import { encodePublishedIdentityBatches } from './gathering.ts';
import { encodePublishedIdentity } from './gathering-worker.ts';
import { collectChangedLookupKeys, type LookupKeyChangeLog } from './key-changes.ts';
import {
  applyLookupKeyIdentityChanges,
  addChangedLookupKeys,
  type IdentityChangesByLookupKey,
  createLookupKeyCollector,
} from './lookup-keys.ts';
import {
  getNextIdentityNumber,
  type IdentityNumbersBeforeImport,
  readIdentityNumbersAndRedirects,
  readRowsByRetiredNumber,
  readPreviousIdentityNumbersOfRecords,
  restoreRedirectsFromBeforeImport,
  writePreviousIdentityNumbers,
} from './previous-numbers.ts';

/** Tables, ciphers and folder for publishing identities (writing them to the tables that checks read). */
export interface PublishingContext {
  session: SqlSession;
  table: RecordTable;
  published: PublishedIdentityTables;
  keys: GraphCiphersAndFingerprints;
  keyChanges: Pick<LookupKeyChangeLog, 'note'>;
  folder: string;
  /** Returns the identity numbers from before the import that is being undone; null if none is being undone, or if the engine does not store them. */
  numbersBefore(): IdentityNumbersBeforeImport | null;
}

export interface FullLinkingContext {
  /** Builder of the link cache that the linking filled; null without a link cache. */
  builder: LinkCacheFileBuilder | null;
  /** Statistics of all records with which they were linked, as text; null without a link cache. */
  globals: string | null;
  /** Highest row number when the records were read for linking; `Infinity` if no record changed since. */
  highestRow: number;
}

/**
 * Replaces all published identities and look-up keys by the results of linking all records, inside a transaction. Returns the number of identities
 * and the new state of the graph.
 */
export async function publishAllIdentities(
  target: PublishingContext,
  { clusters, errorRates, onProgress, inMemory }: LinkingResultOfAllRecords,
  { builder, globals, highestRow }: FullLinkingContext,
): Promise<{ identities: number; state: GraphState }> {
  const { session, table, published, keys, folder } = target;
  const before = target.numbersBefore();
  const { previous, known } = await readIdentityNumbersAndRedirects(session, highestRow);
  restoreRedirectsFromBeforeImport(known, before);
  const isThere = (row: number) => highestRow === Infinity || previous.has(row);
  const bore = await readRowsByRetiredNumber(session, before);
  const numbering = assignIdentityNumbers({
    clusters: clusters.map((rows) => rows.filter(isThere)).filter(({ length }) => length > 0),
    previous,
    known,
    before: before?.rows,
    bore,
    next: await getNextIdentityNumber(session),
  });
  const { identities, redirects } = numbering;
  const replacement = await published.beginReplacement({ highestRow, globals, builder });
  const staged = createLookupKeyCollector(folder);
  try {
    const { needsDigests } = published;
    const { readSealedRows } = table;
    let [newest, postings, done]: [number | null, number, number] = [null, 0, 0];
    for await (const batch of encodePublishedIdentityBatches(identities, {
      keys,
      needsDigests,
      readSealedRows,
      inMemory,
    })) {
      onProgress?.(done / identities.length);
      done += batch.length;
      await replacement.put(batch);
      for (const { number, keys, lastSeen } of batch) {
        for (let i = 0; i < keys.length; i++) {
          const key = keys[i] ?? 0;
          staged.add(decodeIdentityWithoutPrimaryFlag(key), number, key % 2 === 1);
        }
        postings += keys.length;
        newest = latest(newest, lastSeen);
      }
    }
    await replacement.finishIdentities(numbering);
    for (const piece of staged.pieces()) await replacement.putPostings(piece);
    await session.query('DELETE FROM merged');
    await session.upsert(REDIRECTS, [...redirects]);
    await writePreviousIdentityNumbers(session, numbering, { bore, before });
    const totals = { identities: identities.length, postings, newest, errorRates, settled: true };
    const state = await replacement.finish({ ...totals, nameTables: hashNameTables() });
    await target.keyChanges.note(null);
    return { identities: identities.length, state };
  } finally {
    staged.drop();
  }
}

const REDIRECTS = { name: 'merged', columns: ['number', 'heir'], key: ['number'] };

const latest = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b));

/**
 * Publishes the identities of changed records, inside a transaction. Other identities stay unchanged. Returns null, without any change, if the
 * look-up keys of an affected identity are not stored.
 */
export async function publishChangedIdentities(
  target: PublishingContext,
  part: LinkingResultOfChangedRecords,
): Promise<{ identities: number; state: GraphState } | null> {
  const { session, published } = target;
  const previous = await readIdentities(session, part.rows);
  const old = await published.readKeys([
    ...new Set([...part.affectedIdentities, ...[...previous.values()].flatMap((id) => id ?? [])]),
  ]);
  if (old === null) return null;
  const lastSeen = await readLastSeen(session, [...old.keys()]);
  const numbering = await numberPart(target, part, { previous, old });
  const { identities, redirects } = numbering;
  const changed = await gatherPart(target, identities.filter(isChanged(part, previous, old)));
  const changes: IdentityChangesByLookupKey = new Map();
  for (const { number, keys } of changed)
    addChangedLookupKeys(changes, number, { before: old.get(number) ?? [], after: keys });
  for (const [number] of redirects)
    addChangedLookupKeys(changes, number, { before: old.get(number) ?? [], after: [] });
  await published.put(changed);
  await published.redirect([...redirects]);
  const gone = [...redirects].map(([number]) => number);
  await target.keyChanges.note(collectChangedLookupKeys(changed, gone, old));
  await published.removeRedirects(identities.map(({ number }) => number).filter((id) => !old.has(id)));
  const totals = await published.readTotals();
  const count = totals.identities + identities.length - old.size;
  const state = await published.finishPart(
    {
      identities: count,
      postings: totals.postings + (await applyLookupKeyIdentityChanges(published.postings, changes)),
      newest: await newestAfter(session, totals.newest, { lastSeen, changed }),
      errorRates: part.errorRates,
      settled: part.settled,
      nameTables: hashNameTables(),
    },
    changed.flatMap(({ rows }) => Array.from(rows)),
  );
  return { identities: count, state };
}

interface PartBefore {
  previous: ReadonlyMap<number, number | null>;
  old: ReadonlyMap<number, number[]>;
}

async function numberPart(
  { session, published, numbersBefore }: PublishingContext,
  { rows, clusters }: LinkingResultOfChangedRecords,
  { previous, old }: PartBefore,
) {
  const before = numbersBefore();
  const isFree = await freeNumbers(session, old, before);
  const leading = await published.listRedirectsTo([...old.keys()]);
  const numbers = [...old.keys(), ...leading.map(([number]) => number)];
  const { heirs, ...others } = await readPreviousIdentityNumbersOfRecords(
    session,
    { rows, numbers, isFree },
    before,
  );
  const known = new Map([
    ...heirs,
    ...leading,
    ...Array.from(old.keys(), (id): [number, null] => [id, null]),
  ]);
  restoreRedirectsFromBeforeImport(known, before);
  const numbering = assignIdentityNumbers({
    clusters,
    previous: new Map(previous),
    known,
    next: await getNextIdentityNumber(session),
    before: before ? new Map([...before.rows].filter(([, id]) => isFree(id))) : undefined,
    ...others,
  });
  await writePreviousIdentityNumbers(session, numbering, { bore: others.bore, before });
  return numbering;
}

/** Returns a predicate that is true for identity numbers that no unchanged identity has, so that a changed identity may get them. */
async function freeNumbers(
  session: SqlSession,
  old: ReadonlyMap<number, unknown>,
  before: IdentityNumbersBeforeImport | null,
): Promise<(number: number) => boolean> {
  if (!before) return () => true;
  const numbers = new Set([...before.rows.values(), ...before.previousNumbers.map(([, number]) => number)]);
  const text = `SELECT id FROM identity WHERE id ${session.isInNumbers('$1')}`;
  const numbersInUse = new Set((await session.query<[number]>(text, [[...numbers]])).map(([id]) => id));
  return (number) => old.has(number) || !numbersInUse.has(number);
}

/** Returns a predicate that is true if a record of the identity, or the set of its records, changed. */
function isChanged(
  { affectedIdentities, changed }: LinkingResultOfChangedRecords,
  previous: PartBefore['previous'],
  old: PartBefore['old'],
) {
  const sizes = new Map<number | null, number>();
  for (const id of previous.values()) sizes.set(id, (sizes.get(id) ?? 0) + 1);
  const [affected, changedRows] = [new Set(affectedIdentities), new Set(changed)];
  return ({ number, rows }: { number: number; rows: number[] }): boolean =>
    !old.has(number) ||
    affected.has(number) ||
    rows.length !== sizes.get(number) ||
    rows.some((row) => changedRows.has(row) || previous.get(row) !== number);
}

async function gatherPart(
  { table, keys, published: { needsDigests } }: PublishingContext,
  identities: { number: number; rows: number[] }[],
): Promise<PublishedIdentity[]> {
  const records = await table.readRows(identities.flatMap(({ rows }) => rows));
  const byRow = new Map(records.map((record) => [record.row, record]));
  return identities.map(({ number, rows }) => {
    const own = rows.flatMap((row) => byRow.get(row) ?? []);
    return {
      number,
      rows,
      ...encodePublishedIdentity(number, own, { keys, fingerprints: keys.fingerprints, needsDigests }),
    };
  });
}

async function readIdentities(session: SqlSession, rows: number[]): Promise<Map<number, number | null>> {
  const text = `SELECT id, identity FROM ${session.dialect.records} r WHERE id ${session.isInNumbers('$1')}`;
  const identityByRow = new Map(await session.query<[number, number | null]>(text, [rows]));
  return new Map(rows.map((row) => [row, identityByRow.get(row) ?? null]));
}

/** Returns the latest date on which one of these identities was seen, in milliseconds since 1970; null if none has a date. */
async function readLastSeen(session: SqlSession, identities: number[]): Promise<number | null> {
  const text = `SELECT max(last_seen) FROM identity WHERE id ${session.isInNumbers('$1')}`;
  const [row] = await session.query<[number | null]>(text, [identities]);
  return session.dialect.fromTimeColumn(row?.[0] ?? null);
}

/** Returns the latest date on which any identity was seen. Reads all identities only if the newest one may have been removed. */
async function newestAfter(
  session: SqlSession,
  newest: number | null,
  { lastSeen, changed }: { lastSeen: number | null; changed: PublishedIdentity[] },
): Promise<number | null> {
  const now = changed.reduce<number | null>((last, one) => latest(last, one.lastSeen), null);
  if (newest === null || (now !== null && now >= newest)) return now;
  if (lastSeen === null || lastSeen < newest || (await isSeenAt(session, newest))) return newest;
  const [row] = await session.query<[number | null]>('SELECT max(last_seen) FROM identity');
  return session.dialect.fromTimeColumn(row?.[0] ?? null);
}

/** True if an identity of the graph was last seen at this time (milliseconds since 1970). */
async function isSeenAt({ query, dialect }: SqlSession, time: number): Promise<boolean> {
  const text = 'SELECT 1 FROM identity WHERE last_seen = $1 LIMIT 1';
  return (await query(text, [dialect.toTimeColumn(time)])).length > 0;
}
