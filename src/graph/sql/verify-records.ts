// Verifies the data stored with the records: record fingerprints, labels, suppression marks and the undo journal.
import type { StoredRecord } from '../../link/stored-record.ts';
import type { ManualLink, StoredManualLink } from '../capabilities.ts';
import type { GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import { computeSuppressionMarks } from '../suppression.ts';
import { createInvariantCounter, type GraphInvariantResult } from '../verifying.ts';
import { getManualLinkLabels } from './manual-links.ts';
import type { RecordTable } from './records.ts';
import type { SqlSession, SqlValue } from './session.ts';

export interface RecordVerificationQueries {
  /** Returns the stored labels of manual links, with the record fingerprint (hexadecimal) of each. Undefined if the engine does not store them. */
  readLabels?(): [key: string, label: string][];
  /** True if an encrypted record is what the last import stored, by the value `put` in the undo journal. */
  isAsPut?(put: SqlValue, sealed: Buffer): boolean;
  isImportLastChange?(): boolean;
}

export interface RecordVerificationContext {
  session: SqlSession;
  keys: GraphCiphersAndFingerprints;
  table: RecordTable;
  tables: RecordVerificationQueries;
}

const RESTORE = 'Restore a backup, or import the affected records again';

export async function verifyRecordsOfGraph(
  verifying: RecordVerificationContext,
): Promise<GraphInvariantResult[]> {
  const { labels, links } = await checkManualLinks(verifying);
  return [
    ...(await checkEachRecord(verifying, labels)),
    links,
    await checkMarks(verifying),
    await checkJournal(verifying),
  ];
}

async function checkEachRecord(
  { session, keys: { fingerprints }, table }: RecordVerificationContext,
  labels: ReadonlyMap<string, string>,
): Promise<GraphInvariantResult[]> {
  const lookupCounter = createInvariantCounter('a record is found by its source and its id', RESTORE);
  const suppressionCounter = createInvariantCounter(
    'no suppressed person has a record',
    'Run: bonafide graph forget',
  );
  const labelled = createInvariantCounter('a record has the label of its manual link', RESTORE);
  const marks = await session.query<[Buffer]>('SELECT mark FROM forgotten');
  const suppressed = new Set(marks.map(([mark]) => mark.toString('hex')));
  const page = (after: number) =>
    session.query<[number, Buffer, number, Buffer]>(
      'SELECT id, key, ref, sealed FROM record WHERE id > $1 ORDER BY id LIMIT 500',
      [after],
    );
  for (let rows = await page(0); rows.length > 0; rows = await page(rows.at(-1)?.[0] ?? 0))
    for (const [, key, ref, sealed] of rows) {
      const record = table.decrypt(sealed);
      lookupCounter.check(isFoundBy({ key, ref }, record, fingerprints));
      if (suppressed.size > 0) {
        // The first mark belongs to the record alone. A suppressed person may share the other marks.
        const [own] = computeSuppressionMarks([record], fingerprints);
        suppressionCounter.check(own === undefined || !suppressed.has(own.toString('hex')));
      }
      const label = labels.get(key.toString('hex'));
      if (label !== undefined || record.said !== undefined) labelled.check(record.label === label);
    }
  return [lookupCounter.counted, suppressionCounter.counted, labelled.counted];
}

const isFoundBy = (
  { key, ref }: { key: Buffer | null; ref: number | null },
  { source, recordId }: StoredRecord,
  fingerprints: GraphCiphersAndFingerprints['fingerprints'],
): boolean =>
  key?.equals(fingerprints.ofRecord(source, recordId)) === true && ref === fingerprints.of('label', recordId);

/** Verifies that all manual links can be read, and that the stored labels of records are those that the links give. Returns the labels by record. */
async function checkManualLinks({ session, keys: { cipher }, tables }: RecordVerificationContext) {
  const { check, counted } = createInvariantCounter(
    'manual links can be read, and name records as they are stored',
    RESTORE,
  );
  const rows = await session.query<[number, number | null, Buffer]>(
    'SELECT id, undone, sealed FROM judgement ORDER BY id',
  );
  const links = rows.flatMap(([id, undone, sealed]): StoredManualLink[] => {
    const link = readOrUndefined(() => JSON.parse(cipher.decrypt(sealed)) as ManualLink);
    check(link !== undefined);
    return link ? [{ ...link, id, undone }] : [];
  });
  const labels = getManualLinkLabels(links);
  const stored = tables.readLabels?.();
  for (const [key, label] of stored ?? []) check(labels.get(key) === label);
  if (stored) check(false, labels.size - stored.length);
  return { labels, links: counted };
}

const MARK_BYTES = 16;

async function checkMarks({ session }: RecordVerificationContext): Promise<GraphInvariantResult> {
  const { check, counted } = createInvariantCounter('each suppression mark is a digest and a time', RESTORE);
  for (const [mark, time] of await session.query('SELECT mark, time FROM forgotten'))
    check(Buffer.isBuffer(mark) && mark.length === MARK_BYTES && Number.isSafeInteger(time));
  return counted;
}

type JournalRow = [row: number, put: SqlValue, key: Buffer | null, ref: number | null, before: Buffer | null];

async function checkJournal({
  session,
  keys,
  table,
  tables,
}: RecordVerificationContext): Promise<GraphInvariantResult> {
  const { check, counted } = createInvariantCounter(
    'the last import can be undone',
    'Import the records again: this deletes the damaged undo data',
  );
  const imports = await session.query<[string]>('SELECT what FROM applied');
  const [what = '{}'] = imports[0] ?? [];
  check(imports.length <= 1 && readOrUndefined(() => JSON.parse(what) as unknown) !== undefined);
  const isLast = tables.isImportLastChange?.() ?? false;
  const { rowColumn } = session.dialect;
  const text = `SELECT u.${rowColumn}, u.put, u.key, u.ref, u.before, r.sealed FROM undo u LEFT JOIN record r ON r.id = u.${rowColumn}
    WHERE u.${rowColumn} > $1 ORDER BY u.${rowColumn} LIMIT 500`;
  const page = (after: number) => session.query<[...JournalRow, Buffer | null]>(text, [after]);
  for (let rows = await page(-1); rows.length > 0; rows = await page(rows.at(-1)?.[0] ?? 0))
    for (const [row, put, key, ref, before, sealed] of rows) {
      check(imports.length === 1 && isReadable([row, put, key, ref, before], keys, table));
      if (isLast) check(put === null || (sealed !== null && tables.isAsPut?.(put, sealed) === true));
    }
  return counted;
}

/** True if a row of the undo journal can be decrypted and restored. */
function isReadable(
  [, put, key, ref, before]: JournalRow,
  { fingerprints }: GraphCiphersAndFingerprints,
  table: RecordTable,
): boolean {
  if (before === null) return put !== null && key === null;
  const record = readOrUndefined(() => table.decrypt(before));
  if (!record || put !== null) return record !== undefined;
  return isFoundBy({ key, ref }, record, fingerprints);
}

/** Returns the result of `read`; undefined if it throws, such as for data that cannot be decrypted. */
export function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
