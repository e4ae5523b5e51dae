import { existsSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import type { SourceRecordId } from '../../graph/records.ts';
import { matchRecordWithSuppressionList } from '../../graph/suppression.ts';
import type { RecordRow } from '../../link/stored-record.ts';
import type { Awaitable } from '../../model.ts';
import { removeAbandonedTemporaryFiles } from '../../platform/temporary-files.ts';
import { endOfTurn } from '../../platform/turn.ts';
import {
  completeInterruptedErasure,
  type EraseOptions,
  type ErasureResult,
  eraseRecords,
  type ErasureSummary,
  listDeletedIdentityNumbers,
} from './erase.ts';
import {
  removeSupersededReceipts,
  writeReceipt,
  type ErasureReceipt,
  readReceipt,
  readSuppressionMarks,
  getReceiptFilePath,
  toReceiptFileName,
  listReceiptFilePaths,
  countRecordsByMaskedSource,
  removeRestoredMarker,
} from './receipts.ts';
import { removeRecordsFromRejects, findRejectsFilesContainingRecords } from './rejects.ts';
import { listExternalBackupFolders, listUnsearchableFiles } from './search.ts';

export interface ErasureWithReceiptOptions {
  dataDir: string;
  now: number;
  allowReturn?: boolean | undefined;
  rewrite?: boolean | undefined;
  /** Selects the records to erase once more, inside the transaction of the erasure; see `EraseOptions.select`. */
  select?: EraseOptions['select'];
  /** Folder of scheduled backups; undefined if no backups are scheduled. */
  backupsTo?: string | undefined;
  /** Deletes the watches and job lines of the erased people; undefined if they stay. */
  watchEraser?: WatchEraser | undefined;
}

/** Deletes watches (claims that are checked again) and job lines that contain values of erased records. */
export interface WatchEraser {
  /** Deletes the watches and job lines that contain values of these records. Returns the number of each. */
  deleteRows(rows: readonly RecordRow[]): Awaitable<Required<Pick<ErasureReceipt, 'watches' | 'job_lines'>>>;
  /**
   * Removes the bytes of the deleted rows from the files of the store. Returns false if some bytes may remain, for any reason. Call it outside
   * transactions. `force`: true to erase even if calls must wait meanwhile.
   */
  eraseDeletedRows(force?: boolean): Awaitable<boolean>;
}

export const createErasureAuditAction = ({ records, identities, marks }: ErasureReceipt) => ({
  act: 'graph.forget' as const,
  target: '',
  detail: { records, identities: identities.length, marks: marks.length },
});

export interface ErasureReceiptWithFile {
  receipt: ErasureReceipt;
  file: string;
}

/**
 * Erases records, their lines in the rejects file of the data folder, and temporary files of killed processes. Before anything is removed, writes a
 * receipt that is marked as unfinished. Errors: those of `eraseRecords`.
 */
export async function eraseRecordsAndWriteReceipt(
  graph: RecordStoringGraph,
  names: SourceRecordId[],
  { dataDir, backupsTo, watchEraser, ...options }: ErasureWithReceiptOptions,
): Promise<ErasureReceiptWithFile> {
  const time = new Date(options.now).toISOString();
  const ids = new Set(names.map(({ recordId }) => recordId));
  const { holding, unread } = findRejectsFilesContainingRecords(dataDir, ids);
  const elsewhere = {
    traces: holding,
    unsearched: [...unread, ...listExternalBackupFolders(dataDir, backupsTo)],
  };
  const begun = {
    ...createUnfinishedReceipt(graph, time, countRecordsByMaskedSource(names.map(({ source }) => source))),
    ...elsewhere,
  };
  const name = toReceiptFileName(time);
  let deleted: Required<Pick<ErasureReceipt, 'watches' | 'job_lines'>> | undefined;
  const onRows = async (rows: readonly RecordRow[]) => {
    // Linking may repeat the change. What the first try deleted is in the store of watches, and stays deleted.
    const more = await watchEraser?.deleteRows(rows);
    if (more)
      deleted = {
        watches: more.watches + (deleted?.watches ?? 0),
        job_lines: more.job_lines + (deleted?.job_lines ?? 0),
      };
  };
  let isStoreErased = true;
  const onCommitted = async () => {
    isStoreErased = (await watchEraser?.eraseDeletedRows()) ?? true;
  };
  const onBegin = ({ records, identities, marks }: ErasureSummary) =>
    void writeReceipt(dataDir, { ...begun, records, identities, marks: marks.map(hex) });
  removeAbandonedTemporaryFiles(dataDir);
  removeRecordsFromRejects(dataDir, ids);
  const keep = (done: ErasureResult): ErasureReceiptWithFile => {
    const receipt = {
      ...begun,
      finished: true,
      records: done.records,
      identities: done.identities,
      ...deleted,
      searched: done.searched,
      traces: [...new Set([...done.traces.map((file) => relative(dataDir, file)), ...elsewhere.traces])],
      unsearched: [...listUnsearchableFiles(dataDir, graph), ...elsewhere.unsearched],
      rewritten: done.rewritten,
      logs_empty: done.logsEmpty && isStoreErased,
      marks: done.marks.map(hex),
    };
    return { receipt, file: writeReceipt(dataDir, receipt) };
  };
  try {
    const erasure = await eraseRecords(graph, names, {
      folder: dataDir,
      name,
      onRows,
      onBegin,
      onCommitted,
      onGone: (gone) => void keep(gone),
      ...options,
    });
    const { receipt, file } = keep(erasure);
    removeSupersededReceipts(dataDir, receipt);
    return { receipt, file };
  } catch (error) {
    // No record was removed, so the receipt is deleted.
    const owed = await Promise.resolve(graph.erasing.pendingErasure()).catch(() => name);
    if (owed !== name) rmSync(getReceiptFilePath(dataDir, name), { force: true });
    throw error;
  }
}

const createUnfinishedReceipt = (
  { erasing }: RecordStoringGraph,
  time: string,
  sources: ErasureReceipt['sources'],
): ErasureReceipt => ({
  what: 'erasure',
  finished: false,
  time,
  records: 0,
  sources,
  identities: [],
  searched: 0,
  traces: [],
  unsearched: [],
  rewritten: false,
  logs_empty: false,
  ...(erasing.unreachableCopies === undefined ? {} : { beyond: erasing.unreachableCopies }),
  marks: [],
});

const hex = (mark: Buffer) => mark.toString('hex');

/**
 * Result of completing an interrupted erasure. `receipt` is null if none was interrupted. `isStoreErased` is false if bytes of deleted watches and
 * job lines may remain in the store.
 */
interface CompletedErasure {
  receipt: ErasureReceipt | null;
  isStoreErased: boolean;
}

/**
 * Completes an interrupted erasure and its receipt, and erases deleted rows of the store whose bytes may remain. Rewrites the files without searching
 * them for remaining data. Errors: those of `eraseRecords`, `read_only`.
 * @param watchEraser undefined if watches and jobs are not erased
 * @param force true to erase the store even if calls must wait meanwhile
 */
export async function completeInterruptedErasureAndReceipt(
  graph: RecordStoringGraph,
  dataDir: string,
  watchEraser: Pick<WatchEraser, 'eraseDeletedRows'> | undefined,
  force = false,
): Promise<CompletedErasure> {
  const name = await completeInterruptedErasure(graph);
  // Lets an open read snapshot of the graph end first: PostgreSQL keeps deleted rows that the snapshot may read.
  await endOfTurn();
  const isStoreErased = (await watchEraser?.eraseDeletedRows(force)) ?? true;
  const file = name === null ? null : getReceiptFilePath(dataDir, name);
  if (file === null || !existsSync(file)) return { receipt: null, isStoreErased };
  const logsEmpty = (await graph.erasing.pendingErasure()) === null;
  const receipt = await finish(graph, dataDir, {
    ...readReceipt(file),
    rewritten: !graph.erasing.rewriteBlocksChecks,
    logs_empty: logsEmpty && isStoreErased,
  });
  return { receipt, isStoreErased };
}

async function finish(
  graph: RecordStoringGraph,
  dataDir: string,
  begun: ErasureReceipt,
): Promise<ErasureReceipt> {
  const identities = await listDeletedIdentityNumbers(graph, begun.identities);
  removeAbandonedTemporaryFiles(dataDir);
  const unsearched = [...listUnsearchableFiles(dataDir, graph), ...(begun.unsearched ?? [])];
  const receipt = { ...begun, finished: true, identities, unsearched };
  writeReceipt(dataDir, receipt);
  return receipt;
}

/**
 * Finishes the receipts (files that document erasures) of interrupted erasures. Unless `allowReturn` is true, adds the marks of all receipts to the
 * suppression list, so that erased records cannot be imported again. Call it only when no erased record is in the graph any more.
 */
export async function finishReceiptsOfInterruptedErasures(
  graph: RecordStoringGraph,
  dataDir: string,
  allowReturn = false,
): Promise<void> {
  for (const file of listReceiptFilePaths(dataDir)) {
    const receipt = readReceipt(file);
    if (receipt.finished === false) await finish(graph, dataDir, receipt);
    const marks = allowReturn ? [] : readSuppressionMarks(file);
    const time = Date.parse(receipt.time);
    await graph.records.runAtomically(async () =>
      graph.moving.addSuppressed(marks.map((mark) => [mark, time])),
    );
  }
  if (listReceiptFilePaths(dataDir).length > 0) removeRestoredMarker(dataDir);
}

export type RecordToErase = Pick<RecordRow, 'source' | 'recordId' | 'identity'>;

const toRecordToForget = ({ source, recordId, identity }: RecordRow): RecordToErase => ({
  source,
  recordId,
  identity,
});

/**
 * Finds records in the graph that were erased before, such as after the restore of an old backup. Reads every record of the graph.
 * @param marks suppression marks of the erased records
 */
export async function findReimportedRecords(
  { records }: RecordStoringGraph,
  marks: Buffer[],
): Promise<RecordToErase[]> {
  const markTexts = new Set(marks.map(hex));
  const all = await records.readAllFingerprints();
  const reimported: RecordToErase[] = [];
  for await (const page of records.pages())
    for (const row of page)
      if (matchRecordWithSuppressionList(row, all, (mark) => markTexts.has(hex(mark))) === 'forgotten')
        reimported.push(toRecordToForget(row));
  return reimported;
}

/** Records that are older than the retention period (`names`), and the number of records without a date (`undated`), which never expire. */
export interface ExpiredRecords extends DatedRecords {
  names: RecordToErase[];
  undated: number;
}

/**
 * Finds the records that were last seen more than `ageMs` ago. Also returns the newest date of all records, from which `isClockImplausible` detects a
 * wrong clock. Reads every record of the graph.
 * @param now milliseconds since 1970; a later date does not count as the newest date
 * @param ageMs milliseconds
 */
export async function findExpiredRecords(
  { records }: RecordStoringGraph,
  ageMs: number,
  now: number,
): Promise<ExpiredRecords> {
  const expired: ExpiredRecords = { names: [], undated: 0, dated: 0, newest: null };
  for await (const page of records.pages())
    for (const row of page) {
      const seen = row.lastSeen ?? row.firstSeen;
      if (seen === null) expired.undated++;
      else {
        expired.dated++;
        if (seen <= now) expired.newest = Math.max(seen, expired.newest ?? seen);
        if (seen < now - ageMs) expired.names.push(toRecordToForget(row));
      }
    }
  return expired;
}

/** Number of records that are older than a retention period (`names`), and of all records with a date (`dated`). */
interface DatedRecords {
  names: { length: number };
  dated: number;
  /** Newest date of all records, in milliseconds since 1970; null if no record has a date in the past. */
  newest: number | null;
}

const YEAR_MS = 365.25 * 86_400_000;

/** True if the machine's clock may be years ahead: no record was seen in the last year, and more than half of the dated records would be erased. */
export const isClockImplausible = ({ names, dated, newest }: DatedRecords, now: number): boolean =>
  newest !== null && now - newest > YEAR_MS && names.length * 2 > dated;

/** Throws if the machine's clock may be years ahead, so that most records would be erased. Errors: `doubtful_clock`. */
export function requirePlausibleClock(found: DatedRecords, now: number): void {
  if (!isClockImplausible(found, now)) return;
  const { names, dated, newest } = found;
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  throw new BonafideError(
    'doubtful_clock',
    `The clock of this machine shows ${day(now)}, but no record was seen after ${day(newest ?? 0)}. With this date, ${names.length} of the ${dated} records with a date would be erased. If the clock is wrong, set it; if it is right, run graph forget with --clock-is-right.`,
  );
}

const DAY_MS = 86_400_000;
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30.4375, y: 365.25 };

/** Converts an age such as `5y`, `18m` or `90d` to milliseconds. Errors: `invalid_arguments`. */
export function parseRecordAgeToMs(text: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([dwmy])$/.exec(text) ?? [];
  const days = DAYS[unit];
  if (days !== undefined && Number(count) > 0) return Number(count) * days * DAY_MS;
  throw new BonafideError(
    'invalid_arguments',
    'Write the age as a number with its unit: 5y (years), 18m (months), 8w (weeks) or 90d (days).',
  );
}
