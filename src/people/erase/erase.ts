// Erasure of records from a graph, as if they had never been imported: remove, link the affected records,
// publish, overwrite the files, search for traces.
import { isDeepStrictEqual } from 'node:util';
import { BonafideError } from '../../errors.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import type { GraphErasureOperations } from '../../graph/capabilities.ts';
import type { SourceRecordId } from '../../graph/records.ts';
import { computeSuppressionMarks } from '../../graph/suppression.ts';
import { completePendingLinking, changeAndLinkAtomically, requireAllRecordsLinked } from '../linking.ts';
import type { RecordRow } from '../../link/stored-record.ts';
import type { Awaitable } from '../../model.ts';
import { endOfTurn } from '../../platform/turn.ts';
import { findFilesContaining } from './search.ts';

export interface EraseOptions {
  folder: string;
  /** Current time in milliseconds since 1970. */
  now: number;
  /** True to allow a later import of the same records. Default: they are suppressed. */
  allowReturn?: boolean | undefined;
  /** True to rewrite the graph's files even if they contain no data of the erased records. */
  rewrite?: boolean | undefined;
  /** Name of the erasure, which the graph stores until the files are overwritten. It leads from an interrupted erasure to its receipt. */
  name?: string | undefined;
  /**
   * Selects the records to erase once more, inside the transaction of the erasure, in which no other writer changes records. If other records are
   * selected now than before, nothing is erased. Default: the records in `names` are read again.
   */
  select?: (() => Awaitable<readonly SourceRecordId[]>) | undefined;
  /** Called in the transaction of the erasure, before the first record is removed. `going` describes the records to erase. */
  onBegin?: ((going: ErasureSummary) => void) | undefined;
  onRows?: ((rows: readonly RecordRow[]) => Awaitable<void>) | undefined;
  /** Called after the transaction of the erasure, before the graph's files are overwritten. */
  onCommitted?: (() => Awaitable<void>) | undefined;
  /** Called with the result, before the graph marks the erasure as finished. If the process ends in between, the next erasure completes this one. */
  onGone?: ((erased: ErasureResult) => void) | undefined;
}

export interface ErasureSummary {
  records: number;
  /** Identity numbers of the erased records. */
  identities: number[];
  /** Marks of the suppression list: keyed hashes that prevent a later import of the same records. See `computeSuppressionMarks`. */
  marks: Buffer[];
}

/** Result of an erasure. `identities` contains only the identities that have no record left. */
export interface ErasureResult extends ErasureSummary {
  /** Number of byte strings of the erased records for which every file was searched. */
  searched: number;
  /** True if the graph's files were rewritten: they still contained erased data, or the option `rewrite` was set. */
  rewritten: boolean;
  /** True if the write-ahead logs of the graph's database contain no data from before the erasure. */
  logsEmpty: boolean;
  /** Paths of files in the data folder that still contain data of the erased records. */
  traces: string[];
}

/**
 * Erases records, either all of them or none. Afterwards, the graph is as if they had never been imported: remaining identities keep their numbers,
 * and erased numbers are not assigned again. Errors: those of the graph; `invalid_arguments` if the engine cannot erase; `database_busy` if another
 * process keeps linking, or has changed the selected records.
 */
export async function eraseRecords(
  graph: RecordStoringGraph,
  names: SourceRecordId[],
  options: EraseOptions,
): Promise<ErasureResult> {
  const { erasing } = graph;
  await completeInterruptedErasure(graph);
  // An open read snapshot of this turn would prevent the logs from being emptied.
  await endOfTurn();
  const rows = await rowsOf(graph, names);
  const traces = await erasing.collectTraces(rows);
  const marks = options.allowReturn ? [] : getSuppressionMarksOfRows(rows, graph.records.fingerprints);
  const had = [...new Set(rows.flatMap(({ identity }) => identity ?? []))].sort((a, b) => a - b);
  await changeAndLinkAtomically(graph, async () => {
    if (options.select) await requireAllRecordsLinked(graph);
    const current = await rowsOf(graph, (await options.select?.()) ?? names);
    if (!isDeepStrictEqual(contentsOf(current), contentsOf(rows))) throw CHANGED;
    await erasing.suppress(marks, options.now, options.name ?? UNNAMED);
    await options.onRows?.(rows);
    options.onBegin?.({ records: rows.length, identities: had, marks });
    await graph.records.remove(names);
    await graph.records.discardUndoJournal();
    await graph.manualLinks.removeRecords(rows.map(({ key }) => key));
  });
  await completePendingLinking(graph);
  const identities = await listDeletedIdentityNumbers(graph, had);
  // The selection has opened another snapshot, which would also prevent it.
  await endOfTurn();
  await options.onCommitted?.();
  // Databases of another engine, which the settings no longer use, have the same record keys.
  const recordKeys = names.map(({ source, recordId }) =>
    graph.records.fingerprints.ofRecord(source, recordId),
  );
  const byteStrings = unique([...traces(), ...recordKeys]);
  const erasedCounts = { records: rows.length, identities, marks, searched: byteStrings.length };
  const onGone = (left: Left) => options.onGone?.({ ...erasedCounts, ...left });
  return { ...erasedCounts, ...(await overwrite(erasing, byteStrings, { ...options, onGone })) };
}

const unique = (byteStrings: Buffer[]): Buffer[] => [
  ...new Map(byteStrings.map((bytes) => [bytes.toString('latin1'), bytes])).values(),
];

/** Name that the graph stores for an erasure without a receipt. */
const UNNAMED = 'owed';

/**
 * Completes an erasure of records that was interrupted: links the remaining records and overwrites deleted data in the graph's files. Returns the
 * name of the erasure; null if none was interrupted. Errors: those of `eraseRecords`.
 */
export async function completeInterruptedErasure(graph: RecordStoringGraph): Promise<string | null> {
  const owed = await graph.erasing.pendingErasure();
  if (owed !== null) await compactGraph(graph, { gently: true });
  return owed;
}

/**
 * Completes postponed linking, then removes deleted data from the logs and files of the graph. Returns `logsEmpty`: false if the logs could not be
 * emptied. Errors: those of `eraseRecords`.
 * @param options `gently`: true to skip rewriting the files if checks would have to wait for it
 */
export async function compactGraph(
  graph: RecordStoringGraph,
  { gently = false }: { gently?: boolean } = {},
): Promise<{ logsEmpty: boolean }> {
  const { erasing } = graph;
  await endOfTurn();
  await completePendingLinking(graph);
  await erasing.emptyLogs();
  if (!gently || !erasing.rewriteBlocksChecks) await erasing.rewriteFiles();
  const logsEmpty = await erasing.emptyLogs();
  if (logsEmpty) await erasing.finishErasure();
  return { logsEmpty: logsEmpty && (await erasing.emptyLogs()) };
}

const CHANGED = new BonafideError(
  'database_busy',
  'Records to remove were added or changed at the same time, so nothing was removed. Try again.',
);

/** Returns the contents of rows by row number, without their identities, which linking may have changed. */
const contentsOf = (rows: RecordRow[]) => new Map(rows.map((row) => [row.row, { ...row, identity: null }]));

async function rowsOf(
  { records }: RecordStoringGraph,
  names: readonly SourceRecordId[],
): Promise<RecordRow[]> {
  const rows = new Map<number, RecordRow>();
  for (const { source, recordId } of names)
    for (const row of await records.findByRecordId(recordId))
      if (row.source === source) rows.set(row.row, row);
  return [...rows.values()];
}

/** Computes the suppression marks of rows. Rows of one identity get their marks together, because they describe one person. */
function getSuppressionMarksOfRows(
  rows: RecordRow[],
  fingerprints: RecordStoringGraph['records']['fingerprints'],
): Buffer[] {
  const people = Map.groupBy(rows, ({ identity, row }) => identity ?? `row ${row}`);
  return [...people.values()].flatMap((person) => computeSuppressionMarks(person, fingerprints));
}

/** Returns those of the given identity numbers that no longer exist in the graph. */
export async function listDeletedIdentityNumbers(
  { linking }: RecordStoringGraph,
  had: readonly number[],
): Promise<number[]> {
  const goneIdentities: number[] = [];
  for (const id of had) if ((await linking.getIdentity(id)) === null) goneIdentities.push(id);
  return goneIdentities;
}

type Left = Pick<ErasureResult, 'rewritten' | 'logsEmpty' | 'traces'>;

async function overwrite(
  { emptyLogs, rewriteFiles: rewrite, finishErasure: overwritten }: GraphErasureOperations,
  byteStrings: Buffer[],
  {
    folder,
    rewrite: anyway = false,
    onGone,
  }: Pick<EraseOptions, 'folder' | 'rewrite'> & { onGone(left: Left): void },
): Promise<Left> {
  const look = () => findFilesContaining(folder, byteStrings);
  let logsEmpty = await emptyLogs();
  let traces = look();
  const rewritten = anyway || traces.length > 0;
  if (rewritten) {
    await rewrite();
    logsEmpty = await emptyLogs();
    traces = look();
  }
  if (logsEmpty) {
    onGone({ rewritten, logsEmpty, traces });
    await overwritten();
    logsEmpty = await emptyLogs();
  }
  return { rewritten, logsEmpty, traces };
}
