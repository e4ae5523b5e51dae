import type { ColumnField } from './columns.ts';
import { type Reject, rejectsWriter, type Rejects } from './rejects.ts';
import type { Readable } from 'node:stream';
import { type Db, openDatabase, translated } from '../graph/sqlite/database.ts';
import { linkAll } from '../graph/sqlite/relink.ts';
import { recordTable, type StoredRecord } from '../graph/sqlite/records.ts';
import type { Vault } from '../graph/vault.ts';
import { toStored } from './ingest.ts';
import { readRecords, type ReadItem } from './read.ts';

export interface ImportInput {
  /** What errors and rejects call it: the file's path, or `-`. */
  name: string;
  stream: Readable;
  /** Total bytes where known, for the time left. */
  bytes: number | null;
}

export interface ImportOptions {
  /** The graph file; made where it is missing. */
  file: string;
  /** Null for a dry run, which keeps nothing that would need a secret. */
  vault: Vault | null;
  inputs: ImportInput[];
  /** ISO country in which numbers and addresses without a country are read. */
  region: string;
  /** CSV columns: `name=Full Name,email=Mail`. */
  map?: string;
  /** Where to write what could not be used, one JSON line each; made only when there is something to write. */
  rejects?: string;
  onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  phase: 'reading' | 'linking' | 'publishing';
  records: number;
  /** Share of this phase that is done, 0-1; null where the size of the input is unknown. */
  done: number | null;
}

/** What the columns of one CSV input were taken for; null where one is not used. */
export interface ReadColumns {
  input: string;
  columns: { header: string; field: ColumnField | null }[];
}

export interface ImportSummary {
  read: number;
  added: number;
  replaced: number;
  /** Records that could not be used at all. */
  rejected: number;
  /** Single values that could not be used, in records that were. */
  dropped: number;
  identities: number;
  records: number;
  rejectsFile: string | null;
  /** One for each CSV input. */
  columns: ReadColumns[];
  /** The first few of what could not be used. */
  firstRejects: Reject[];
  seconds: { reading: number; linking: number };
}

const BATCH = 500;

/**
 * Imports records, links all records of the graph anew and publishes the identities. An import that is interrupted leaves the
 * published graph as it was; running it again carries on, because a record with the same source and record id is replaced.
 *
 * Errors: those of `openDatabase`, `unreadable_file`, `invalid_arguments` (a column map that does not fit).
 */
export async function importRecords(options: ImportOptions): Promise<ImportSummary> {
  const { file, vault } = options;
  const started = performance.now();
  const rejects = rejectsWriter(options.rejects);
  const graph = vault && { db: openDatabase({ file, vault, create: true }), vault };
  try {
    const counts = { read: 0, added: 0, replaced: 0, rejected: 0, dropped: 0, columns: [] };
    for (const input of options.inputs) await readInput({ input, options, graph, counts, rejects });
    await rejects.end();
    const read = performance.now();
    const result = graph
      ? translated(file, () => linkAll({ ...graph, onProgress: options.onProgress }))
      : { identities: 0, records: 0 };
    const seconds = { reading: (read - started) / 1000, linking: (performance.now() - read) / 1000 };
    return { ...counts, ...result, ...told(rejects, options), seconds };
  } finally {
    await rejects.end();
    graph?.db.close();
  }
}

function told(
  rejects: Rejects,
  { rejects: file }: ImportOptions,
): Pick<ImportSummary, 'rejectsFile' | 'firstRejects'> {
  return { rejectsFile: rejects.used() ? (file as string) : null, firstRejects: rejects.first() };
}

interface Counts {
  read: number;
  added: number;
  replaced: number;
  rejected: number;
  dropped: number;
  columns: ReadColumns[];
}

async function readInput(from: {
  input: ImportInput;
  options: ImportOptions;
  graph: { db: Db; vault: Vault } | null;
  counts: Counts;
  rejects: Rejects;
}): Promise<void> {
  const { input, options, graph, counts, rejects } = from;
  const table = graph && translated(options.file, () => recordTable(graph.db, graph.vault));
  let batch: StoredRecord[] = [];
  const flush = () => {
    if (!table || batch.length === 0) return;
    const { added, replaced } = translated(options.file, () => table.put(batch));
    counts.added += added;
    counts.replaced += replaced;
    batch = [];
  };
  let bytes = 0;
  input.stream.on('data', (chunk: Buffer) => void (bytes += chunk.length));
  for await (const item of readRecords(input.stream, {
    name: input.name,
    map: options.map,
    region: options.region,
    onColumns: (headers, fields) =>
      counts.columns.push({
        input: input.name,
        columns: headers.map((header, i) => ({ header, field: fields[i] })),
      }),
  })) {
    count(item, input.name, { counts, rejects });
    if (item.record) {
      counts.read++;
      if (graph) batch.push(toStored(item.record, graph.vault, options.region));
    }
    if (batch.length >= BATCH) flush();
    if (counts.read % BATCH === 0)
      options.onProgress?.({
        phase: 'reading',
        records: counts.read,
        done: input.bytes ? bytes / input.bytes : null,
      });
  }
  flush();
}

function count(
  item: ReadItem,
  input: string,
  { counts, rejects }: { counts: Counts; rejects: Rejects },
): void {
  const { line, recordId, problem, dropped } = item;
  if (problem !== undefined) {
    counts.rejected++;
    rejects.add({ input, line, recordId, reason: problem, whole: true });
  }
  counts.dropped += dropped.length;
  for (const reason of dropped) rejects.add({ input, line, recordId, reason, whole: false });
}
