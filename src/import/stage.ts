// Staging of an import: all inputs are read, counted and written to a staging area, which check calls never
// read.
import type { Readable } from 'node:stream';
import type { SealedRecord } from '../graph/encryption/sealed-records.ts';
import type { GraphRecordOperations, IncomingRecordStorage } from '../graph/records.ts';
import type { StoredRecord } from '../link/stored-record.ts';
import { type ThreadPool, createThreadPool } from '../platform/threads/helpers.ts';
import { mapInOrder } from '../platform/turn.ts';
import {
  computeRecordIdFromContent,
  type ItemWithProblem,
  type ParsedRecordBatch,
  type EncryptedBatch,
  createRecordBatchFromItems,
  unpackEncryptedBatch,
} from './batch.ts';
import type { NonPersonReason } from './columns/persons.ts';
import type { ColumnMappingReport } from './input/plan.ts';
import type { ImportRecordOrProblem, UnparsedBatch } from './items.ts';
import { createExceededLimitError, INPUT_LIMITS } from './formats/limits.ts';
import { type LinkingThreads, createLinkingThreads } from './linking/worker.ts';
import { openInputReader, type ReadRecordsOptions, getSourceFromFileName } from './read.ts';
import type { InputReadSettings, RecordReadSettings } from './settings.ts';
import { requireNoOtherSourceInInput } from './sources.ts';
import { mergeRecordStatistics, createRecordStatistics } from './statistics.ts';
import { toStoredRecord } from './stored.ts';
import type {
  ImportProgress,
  ImportReadSummary,
  CountWithExampleLines,
  RejectedRecordOrValue,
  RejectsFileWriter,
} from './summary.ts';

export interface ImportInput {
  /** Path of the input, or `-` for stdin, as shown in errors and rejects. */
  name: string;
  stream: Readable;
  /** Size of the input in bytes, for the progress display; null if unknown. */
  bytes: number | null;
}

/** Ids and counts of the rejected records of an import. */
export interface UnusableRecords {
  /** Ids of the records, and other texts of rows whose id is uncertain. */
  ids: Set<string>;
  /** Rejected records whose id is unknown. */
  unidentified: CountWithExampleLines;
}

export interface StageRecordsOptions extends RecordReadSettings {
  inputs: ImportInput[];
  /** Graph and staging area for the records; null in a dry run. */
  into: { records: GraphRecordOperations; incoming: IncomingRecordStorage } | null;
  /** True if the inputs contain all records of one source. Records of another source are then an error. */
  replace?: boolean | undefined;
  rejects: RejectsFileWriter;
  /** Object to which the rejected records are added. */
  unusable?: UnusableRecords | undefined;
  /** Called with the columns of each table before its first record is staged. If it throws, the import ends with its error. */
  onPlan?: ((plan: ColumnMappingReport) => Promise<void>) | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  pool?: ThreadPool;
}

const MOST_COUNTED_SOURCES = 100;

/**
 * Reads all inputs in bounded memory, normalises each record and writes it to the staging area of the import. Errors: those of `readRecords`, of
 * the rejects and of the graph, `invalid_arguments` if a record names another source than the given or replaced one.
 */
export async function stageRecords(options: StageRecordsOptions): Promise<ImportReadSummary> {
  const summary = emptySummary();
  const { source, replace } = options;
  for (const input of options.inputs) {
    const before = new Map(summary.sources);
    await stageInput(input, options, summary);
    const own = source ?? getSourceFromFileName(input.name);
    if (source !== undefined || replace)
      requireNoOtherSourceInInput(summary.sources, { before, input: input.name, source, own });
  }
  return summary;
}

const emptySummary = (): ImportReadSummary => ({
  read: 0,
  rejected: 0,
  learnt: createRecordStatistics(),
  others: 0,
  aside: {
    company: { count: 0, lines: [] },
    household: { count: 0, lines: [] },
    placeholder: { count: 0, lines: [] },
    total: { count: 0, lines: [] },
  },
  dropped: 0,
  sources: new Map(),
  reasons: new Map(),
  unknown: [],
  forms: [],
  columns: [],
});

async function stageInput(
  input: ImportInput,
  options: StageRecordsOptions,
  summary: ImportReadSummary,
): Promise<void> {
  const { into, onProgress, pool = createThreadPool(0) } = options;
  let bytes = 0;
  const { read, rejected } = summary;
  input.stream.on('data', (chunk: Buffer) => void (bytes += chunk.length));
  const reader = await openInputReader(input.stream, readOptions(input, options, summary));
  const take = async <R extends StoredRecord | SealedRecord>(
    batch: ParsedRecordBatch<R>,
    put: (records: R[]) => unknown,
  ) => {
    addBatch(summary, batch, { ...options, input: input.name });
    requireRecord(summary, { input: input.name, read, rejected });
    if (into) await stageBatch(batch, into.incoming, put);
  };
  const takeItems = (parsed: ImportRecordOrProblem[]) =>
    take(
      createRecordBatchFromItems(parsed, into && ((record) => toStoredRecord(record, into.records))),
      (records) => into?.incoming.put(records),
    );
  const help = readingThreads(input, reader.settings, options);
  for await (const [batch, sealed] of mapInOrder(regrouped(reader.unread()), help, () => pool.count * 2)) {
    await takeItems(sealed ? await reader.skip(sealed.unknown) : await reader.read(batch));
    if (sealed) await take(unpackEncryptedBatch(sealed), (records) => into?.incoming.putSealed?.(records));
    onProgress?.({
      phase: 'reading',
      records: summary.read,
      done: input.bytes ? bytes / input.bytes : null,
    });
  }
  await takeItems(await reader.end());
}

function readOptions(
  { name }: ImportInput,
  options: StageRecordsOptions,
  summary: ImportReadSummary,
): ReadRecordsOptions {
  const { into, region, source, map, encoding, sheet, dates, keepCompanies, now, onPlan } = options;
  return {
    name,
    region,
    source,
    map,
    encoding,
    sheet,
    dates,
    keepCompanies,
    now,
    onPlan: async (plan) => {
      summary.columns.push({
        input: name,
        columns: plan.columns.map(({ header, field, group }) => ({ header, field, group })),
        unusedNames: plan.unusedNames,
        unusedDates: plan.unusedDates,
      });
      await onPlan?.(plan);
    },
    makeId: (content) => (into ? computeRecordIdFromContent(into.incoming, content) : 'row'),
    onInputDetected: (form) => void summary.forms.push({ input: name, form }),
    onUnknown: (counts) =>
      void summary.unknown.push({
        input: name,
        fields: counts.flatMap(({ field }) => field ?? []),
        counts,
      }),
  };
}

/** Writes records and removals to the staging area in input order, because one line may remove the record of an earlier line. */
async function stageBatch<R>(
  { records, noted }: ParsedRecordBatch<R>,
  incoming: IncomingRecordStorage,
  put: (records: R[]) => unknown,
): Promise<void> {
  let next = 0;
  const removals = noted.flatMap(({ before, item: { removed } }) => (removed ? [{ before, removed }] : []));
  for (const [before, group] of Map.groupBy(removals, (removal) => removal.before)) {
    if (before > next) await put(records.slice(next, before));
    next = before;
    await incoming.remove(group.map(({ removed }) => removed));
  }
  if (next < records.length) await put(records.slice(next));
}

const AVERAGE_RECORD_BYTES = 300;

/** Creates a function that parses a batch in worker threads. The second element of its result is null if the batch must be parsed in this thread. */
function readingThreads(
  { bytes }: ImportInput,
  input: InputReadSettings,
  { into, pool }: StageRecordsOptions,
): (unread: UnparsedBatch) => Promise<[UnparsedBatch, EncryptedBatch | null]> {
  // A function cannot be sent to a thread, so threads compute ids themselves.
  const settings = { ...input, makeId: undefined };
  let seen = (bytes ?? 0) / AVERAGE_RECORD_BYTES;
  let threads: LinkingThreads | undefined;
  const records = into?.records;
  return async (unread) => {
    seen += sizeOf(unread);
    const canHelp = records?.sealed && into?.incoming.putSealed;
    if (!threads && pool && canHelp) {
      pool.start(seen);
      if (pool.count > 0) threads = createLinkingThreads(records, pool);
    }
    if (!threads) return [unread, null];
    const request = { unread, settings, storesFullRecords: records?.storesFullRecords === true };
    return [unread, await threads.helpers.ask('read', request)];
  };
}

const FEWEST_PER_BATCH = 250;

/** Merges small batches, because sending a batch to a thread costs more than reading a few lines. */
async function* regrouped(batches: AsyncIterable<UnparsedBatch>): AsyncIterable<UnparsedBatch> {
  let waiting: UnparsedBatch = { lines: [], rows: [] };
  for await (const { lines, rows } of batches) {
    waiting = { lines: [...waiting.lines, ...lines], rows: [...waiting.rows, ...rows] };
    if (sizeOf(waiting) < FEWEST_PER_BATCH) continue;
    yield waiting;
    waiting = { lines: [], rows: [] };
  }
  if (sizeOf(waiting) > 0) yield waiting;
}

const sizeOf = ({ lines, rows }: UnparsedBatch): number => lines.length + rows.length;

type Counting = Pick<StageRecordsOptions, 'rejects' | 'unusable'> & { input: string };

function addBatch(
  summary: ImportReadSummary,
  batch: Omit<ParsedRecordBatch, 'records'>,
  counting: Counting,
): void {
  summary.read += batch.read;
  summary.others += batch.others;
  mergeRecordStatistics(summary.learnt, batch.statistics);
  for (const [source, records] of batch.sources) {
    const before = summary.sources.get(source) ?? 0;
    if (before > 0 || summary.sources.size < MOST_COUNTED_SOURCES)
      summary.sources.set(source, before + records);
  }
  for (const { item } of batch.noted) addNoted(summary, item, counting);
}

/**
 * Throws `unreadable_file` if the first million rows of an input contain no record. `read` and `rejected` are the counts before this input.
 */
function requireRecord(
  summary: ImportReadSummary,
  { input, read, rejected }: { input: string; read: number; rejected: number },
): void {
  if (summary.read > read || summary.rejected - rejected < INPUT_LIMITS.rejectedRows) return;
  const [reason] =
    [...summary.reasons].find(([, { lines }]) => lines.some((line) => line.input === input)) ?? [];
  throw createExceededLimitError(
    `${input} has ${INPUT_LIMITS.rejectedRows} rows and no record among them.${reason === undefined ? '' : ` The first row: ${reason}.`} Check that this is the right file.`,
  );
}

const NON_PERSON_LABELS: Record<Exclude<NonPersonReason, 'total'>, string> = {
  company: 'company',
  household: 'couple or family',
  placeholder: 'guest, test or service account',
};

/** Counts an item that is not a record or has unusable values, and writes the reasons to the rejects file. */
function addNoted(
  summary: ImportReadSummary,
  { line, recordId, problem, possibleIds, dropped, aside }: ItemWithProblem['item'],
  { input, rejects, unusable }: Counting,
): void {
  if (aside) {
    addLine(summary.aside[aside], { input, line });
    // An operator does not search for rows of totals and page numbers.
    if (aside !== 'total') {
      const reason = `left out, not a person: ${NON_PERSON_LABELS[aside]}`;
      rejects.add({ input, line, recordId, reason, whole: true, isLeftOut: true });
    }
  }
  if (problem !== undefined) {
    summary.rejected++;
    if (unusable) addUnusable(unusable, recordId === null ? possibleIds : [recordId], { input, line });
    addReason(summary, { input, line, reason: problem, whole: true });
    rejects.add({ input, line, recordId, reason: problem, whole: true });
  }
  summary.dropped += dropped.length;
  for (const reason of dropped) {
    if (problem === undefined) addReason(summary, { input, line, reason, whole: false });
    rejects.add({ input, line, recordId, reason, whole: false });
  }
}

function addUnusable(
  { ids, unidentified }: UnusableRecords,
  possibleIds: readonly string[] = [],
  line: CountWithExampleLines['lines'][number],
): void {
  if (possibleIds.length === 0) addLine(unidentified, line);
  for (const id of possibleIds) ids.add(id);
}

const MOST_LINES_PER_REASON = 5;

function addReason(
  { reasons }: ImportReadSummary,
  { input, line, reason, whole }: Omit<RejectedRecordOrValue, 'recordId'>,
): void {
  const words = reason.replace(/\[\d+\]/, '');
  let counted = reasons.get(words);
  if (!counted) reasons.set(words, (counted = { count: 0, whole, lines: [] }));
  addLine(counted, { input, line });
}

function addLine(
  counted: CountWithExampleLines,
  { input, line }: CountWithExampleLines['lines'][number],
): void {
  counted.count++;
  const last = counted.lines.at(-1);
  if (counted.lines.length < MOST_LINES_PER_REASON && (last?.line !== line || last.input !== input))
    counted.lines.push({ input, line });
}
