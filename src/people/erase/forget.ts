// People or records out of a data folder: what an operator does who has been asked to, or whose time for keeping is over.
import { existsSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import type { RecordGraph } from '../../graph/graph.ts';
import type { RecordName } from '../../graph/records.ts';
import { matchSuppression } from '../../graph/suppression.ts';
import type { RecordRow } from '../../link/stored-record.ts';
import { removeLeftovers } from '../../platform/temporary-files.ts';
import type { DatedRecords } from './retention.ts';
import {
  completeErasure,
  type ErasureResult,
  eraseRecords,
  type ErasureScope,
  listGoneIdentities,
} from './erase.ts';
import {
  removeSupersededReceipts,
  writeReceipt,
  type Receipt,
  readReceipt,
  getReceiptFile,
  toReceiptName,
  listReceipts,
  countBySource,
  clearRestoredMark,
} from './receipts.ts';
import { removeRejects, searchRegisteredRejects } from './rejects.ts';
import { findExternalBackups, listUnsearched } from './search.ts';

export interface ForgetOptions {
  dataDir: string;
  /** Milliseconds since 1970. */
  now: number;
  allowReturn?: boolean | undefined;
  rewrite?: boolean | undefined;
  /** The folder of scheduled backups. */
  backupsTo?: string | undefined;
}

/** What the audit log says of an erasure. */
export const toForgetAction = ({ records, identities, marks }: Receipt) => ({
  act: 'graph.forget' as const,
  target: '',
  detail: { records, identities: identities.length, marks: marks.length },
});

export interface ForgetOutcome {
  receipt: Receipt;
  /** Where it is kept. */
  file: string;
}

/**
 * Erases records, with the lines about them in the folder's rejects, and keeps a receipt: one that is not finished is there before anything
 * goes. What killed processes left in the folder goes too. Errors: those of `eraseRecords`.
 */
export async function forgetRecords(
  graph: RecordGraph,
  names: RecordName[],
  { dataDir, backupsTo, ...options }: ForgetOptions,
): Promise<ForgetOutcome> {
  const time = new Date(options.now).toISOString();
  const ids = new Set(names.map(({ recordId }) => recordId));
  const { holding, unread } = searchRegisteredRejects(dataDir, ids);
  const elsewhere = { traces: holding, unsearched: [...unread, ...findExternalBackups(dataDir, backupsTo)] };
  const begun = {
    ...begunAt(graph, time, countBySource(names.map(({ source }) => source))),
    ...elsewhere,
  };
  const name = toReceiptName(time);
  const onBegin = ({ records, identities, marks }: ErasureScope) =>
    void writeReceipt(dataDir, { ...begun, records, identities, marks: marks.map(hex) });
  removeLeftovers(dataDir);
  removeRejects(dataDir, ids);
  const keep = (done: ErasureResult): ForgetOutcome => {
    const receipt = {
      ...begun,
      finished: true,
      records: done.records,
      identities: done.identities,
      searched: done.searched,
      traces: [...new Set([...done.traces.map((file) => relative(dataDir, file)), ...elsewhere.traces])],
      unsearched: [...listUnsearched(dataDir, graph), ...elsewhere.unsearched],
      rewritten: done.rewritten,
      logs_empty: done.logsEmpty,
      marks: done.marks.map(hex),
    };
    return { receipt, file: writeReceipt(dataDir, receipt) };
  };
  try {
    const done = await eraseRecords(graph, names, {
      folder: dataDir,
      name,
      onBegin,
      onGone: (gone) => void keep(gone),
      ...options,
    });
    const { receipt, file } = keep(done);
    removeSupersededReceipts(dataDir, receipt);
    return { receipt, file };
  } catch (error) {
    // Nothing has gone: there is nothing to tell of.
    const owed = await Promise.resolve(graph.erasing.pendingErasure()).catch(() => name);
    if (owed !== name) rmSync(getReceiptFile(dataDir, name), { force: true });
    throw error;
  }
}

const begunAt = ({ erasing }: RecordGraph, time: string, sources: Receipt['sources']): Receipt => ({
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
 * Completes an erasure that was cut short, and its receipt: the files are written anew, so nothing is looked for in them. Answers the
 * receipt; null where nothing was cut short. Errors: those of `eraseRecords`, `read_only`.
 */
export async function completeInterruptedForget(
  graph: RecordGraph,
  dataDir: string,
): Promise<Receipt | null> {
  const name = await completeErasure(graph);
  if (name === null) return null;
  const file = getReceiptFile(dataDir, name);
  if (!existsSync(file)) return null;
  const logsEmpty = (await graph.erasing.pendingErasure()) === null;
  return finish(graph, dataDir, {
    ...readReceipt(file),
    rewritten: !graph.erasing.rewriteBlocksChecks,
    logs_empty: logsEmpty,
  });
}

async function finish(graph: RecordGraph, dataDir: string, begun: Receipt): Promise<Receipt> {
  const identities = await listGoneIdentities(graph, begun.identities);
  removeLeftovers(dataDir);
  const unsearched = [...listUnsearched(dataDir, graph), ...(begun.unsearched ?? [])];
  const receipt = { ...begun, finished: true, identities, unsearched };
  writeReceipt(dataDir, receipt);
  return receipt;
}

/**
 * Finishes the receipts of erasures that were cut short, when nothing of them is in the graph any more (see `returned`), nor of those that
 * a restore may have brought back.
 */
export async function finishReceipts(graph: RecordGraph, dataDir: string): Promise<void> {
  for (const file of listReceipts(dataDir)) {
    const receipt = readReceipt(file);
    if (receipt.finished === false) await finish(graph, dataDir, receipt);
  }
  clearRestoredMark(dataDir);
}

/** Which record, and whose. */
export type ForgettableRecord = Pick<RecordRow, 'source' | 'recordId' | 'identity'>;

const namedOf = ({ source, recordId, identity }: RecordRow): ForgettableRecord => ({
  source,
  recordId,
  identity,
});

/** Records that were erased once and are there again, as after the restore of an older backup. Reads every record. */
export async function findReimported(
  { records }: RecordGraph,
  marks: Buffer[],
): Promise<ForgettableRecord[]> {
  const known = new Set(marks.map(hex));
  const all = [records.fingerprints, ...(records.earlierFingerprints ?? [])];
  const found: ForgettableRecord[] = [];
  for await (const page of records.pages())
    for (const row of page)
      if (matchSuppression(row, all, (mark) => known.has(hex(mark))) === 'forgotten')
        found.push(namedOf(row));
  return found;
}

/** Records whose time is over, and how many carry no date. */
export interface ExpiredRecords extends DatedRecords {
  names: ForgettableRecord[];
  undated: number;
}

/**
 * The records that were last seen longer than an age ago, and what tells whether the clock can be right. Reads every record.
 *
 * @param now milliseconds since 1970; a date after it says nothing of the clock
 * @param ageMs milliseconds
 */
export async function findExpiredRecords(
  { records }: RecordGraph,
  ageMs: number,
  now: number,
): Promise<ExpiredRecords> {
  const found: ExpiredRecords = { names: [], undated: 0, dated: 0, newest: null };
  for await (const page of records.pages())
    for (const row of page) {
      const seen = row.lastSeen ?? row.firstSeen;
      if (seen === null) found.undated++;
      else {
        found.dated++;
        if (seen <= now) found.newest = Math.max(seen, found.newest ?? seen);
        if (seen < now - ageMs) found.names.push(namedOf(row));
      }
    }
  return found;
}
