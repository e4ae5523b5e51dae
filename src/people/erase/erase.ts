// Some records out of a graph, as if they had never been there: remove → link what they touched → publish → overwrite → look.
import type { RecordGraph } from '../../graph/graph.ts';
import type { GraphErasing } from '../../graph/capabilities.ts';
import type { RecordName } from '../../graph/records.ts';
import { suppressionMarksOf } from '../../graph/suppression.ts';
import { settleGraph, changeAndLinkAtomically } from '../linking.ts';
import type { RecordRow } from '../../link/stored-record.ts';
import { endOfTurn } from '../../platform/turn.ts';
import { findFilesContaining } from './search.ts';

export interface EraseOptions {
  /** The data folder, every file of which is looked through afterwards. */
  folder: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Let them in again when their source brings them again. */
  allowReturn?: boolean | undefined;
  /** Write anew what is left, even where nothing was found of them. */
  rewrite?: boolean | undefined;
  /** What the erasure is called by until the files are overwritten. */
  name?: string | undefined;
  /** Told what goes, before the first of it has gone and while nobody else changes records. */
  onBegin?: ((going: ErasureScope) => void) | undefined;
  /** Told what has gone, before the graph takes it for done: where the process ends in between, the next completes it. */
  onGone?: ((erased: ErasureResult) => void) | undefined;
}

export interface ErasureScope {
  /** How many records there are of them. */
  records: number;
  /** The identities that they are of. */
  identities: number[];
  /** What keeps them out from now on; see `marksOf`. */
  marks: Buffer[];
}

/** What has gone; of `identities` those of which nothing is left. */
export interface ErasureResult extends ErasureScope {
  /** How many byte strings that were theirs were looked for in every file. */
  searched: number;
  /** Whether what is left was written anew. */
  rewritten: boolean;
  /** The engine's logs hold nothing older. */
  logsEmpty: boolean;
  /** Files of the folder that still hold something of them. */
  traces: string[];
}

/**
 * Erases records, all of them or none: what is left is what it would be had they never been imported, down to the weights that others
 * were linked by. Numbers of identities stay with those who have them, and are given to nobody else.
 *
 * Errors: those of the graph; `invalid_arguments` where its engine cannot erase; `database_busy` where another process goes on linking.
 */
export async function eraseRecords(
  graph: RecordGraph,
  names: RecordName[],
  options: EraseOptions,
): Promise<ErasureResult> {
  const { erasing } = graph;
  await completeErasure(graph);
  // Whoever asked the graph in this turn reads as of then until it ends, and the logs cannot be emptied.
  await endOfTurn();
  const rows = await rowsOf(graph, names);
  const traces = await erasing.collectTraces(rows);
  const marks = options.allowReturn ? [] : marksOfAll(rows, graph.records.fingerprints);
  const had = [...new Set(rows.flatMap(({ identity }) => identity ?? []))].sort((a, b) => a - b);
  await changeAndLinkAtomically(graph, async () => {
    await erasing.suppress(marks, options.now, options.name ?? UNNAMED);
    options.onBegin?.({ records: rows.length, identities: had, marks });
    await graph.records.remove(names);
    await graph.records.discardUndoJournal();
    await graph.manualLinks.removeRecords(rows.map(({ key }) => key));
  });
  await settleGraph(graph);
  const identities = await listGoneIdentities(graph, had);
  const wanted = traces();
  const gone = { records: rows.length, identities, marks, searched: wanted.length };
  const onGone = (left: Left) => options.onGone?.({ ...gone, ...left });
  return { ...gone, ...(await overwrite(erasing, wanted, { ...options, onGone })) };
}

const UNNAMED = 'owed';

/**
 * Completes an erasure that was cut short: what is left is linked, and the files are overwritten. Answers what it was called; null where there
 * is none. Errors: those of `eraseRecords`.
 */
export async function completeErasure(graph: RecordGraph): Promise<string | null> {
  const owed = await graph.erasing.pendingErasure();
  if (owed !== null) await compactGraph(graph, { gently: true });
  return owed;
}

/**
 * Links what waits for it, empties the logs and writes the files anew, so that they hold what is there and nothing older. Answers whether
 * the logs could be emptied.
 *
 * @param options `gently`: nothing is written anew where checks would wait for that
 * Errors: those of `eraseRecords`.
 */
export async function compactGraph(
  graph: RecordGraph,
  { gently = false }: { gently?: boolean } = {},
): Promise<{ logsEmpty: boolean }> {
  const { erasing } = graph;
  await endOfTurn();
  await settleGraph(graph);
  await erasing.emptyLogs();
  if (!gently || !erasing.rewriteBlocksChecks) await erasing.rewriteFiles();
  const logsEmpty = await erasing.emptyLogs();
  if (logsEmpty) await erasing.finishErasure();
  return { logsEmpty: logsEmpty && (await erasing.emptyLogs()) };
}

async function rowsOf({ records }: RecordGraph, names: RecordName[]): Promise<RecordRow[]> {
  const rows = new Map<number, RecordRow>();
  for (const { source, recordId } of names)
    for (const row of await records.findByRecordId(recordId))
      if (row.source === source) rows.set(row.row, row);
  return [...rows.values()];
}

/** The records of an identity are one person's. */
function marksOfAll(rows: RecordRow[], fingerprints: RecordGraph['records']['fingerprints']): Buffer[] {
  const people = Map.groupBy(rows, ({ identity, row }) => identity ?? `row ${row}`);
  return [...people.values()].flatMap((person) => suppressionMarksOf(person, fingerprints));
}

/** Those of some identities of which nothing is left. */
export async function listGoneIdentities(
  { linking }: RecordGraph,
  had: readonly number[],
): Promise<number[]> {
  const gone: number[] = [];
  for (const id of had) if ((await linking.getIdentity(id)) === null) gone.push(id);
  return gone;
}

type Left = Pick<ErasureResult, 'rewritten' | 'logsEmpty' | 'traces'>;

async function overwrite(
  { emptyLogs, rewriteFiles: rewrite, finishErasure: overwritten }: GraphErasing,
  wanted: Buffer[],
  {
    folder,
    rewrite: anyway = false,
    onGone,
  }: Pick<EraseOptions, 'folder' | 'rewrite'> & { onGone(left: Left): void },
): Promise<Left> {
  const look = () => findFilesContaining(folder, wanted);
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
