import type { Readable } from 'node:stream';
import type { IncomingRecords, RecordName, GraphRecords } from '../graph/records.ts';
import type { SealedRecord } from '../graph/encryption/sealed-records.ts';
import type { StoredRecord } from '../link/stored.ts';
import { type Pool, poolOf } from '../platform/threads/helpers.ts';
import { inTurn } from '../platform/threads/in-turn.ts';
import { addStatistics, countRecord, emptyStatistics } from './statistics.ts';
import { requireOwnSource } from './sources.ts';
import { type LinkingThreads, openLinkingThreads } from './linking/worker.ts';
import { makeRecordId, unpackSealedRecords, type SealedBatch } from './batch.ts';
import { type RecordTarget, toStoredRecord } from './stored.ts';
import type { ImportItem, UnreadBatch } from './items.ts';
import type { ImportProgress, ReadSummary, Reject, RejectsWriter } from './summary.ts';
import { itemOptions, openInputReader, type ReadOptions, sourceFromFileName } from './read.ts';
import type { DateOrder } from './columns/dates.ts';
import type { Line } from './input/lines.ts';
import type { ColumnPlan } from './input/plan.ts';

export interface ImportInput {
  /** What errors and rejects call it: the file's path, or `-`. */
  name: string;
  stream: Readable;
  /** Total bytes where known, for the time left. */
  bytes: number | null;
}

export interface StageOptions {
  inputs: ImportInput[];
  /** Where the records go; null where they are only read. */
  into:
    | (RecordTarget & { incoming: IncomingRecords } & Pick<GraphRecords, 'sealed' | 'earlierFingerprints'>)
    | null;
  /** Of all records; unless given, of those that name none it is the file's base name. */
  source?: string | undefined;
  /** Whether the records are all of their source. */
  replace?: boolean | undefined;
  rejects: RejectsWriter;
  /** Is given the ids of records that could not be used. */
  unusable?: Set<string> | undefined;
  /** ISO country in which numbers and addresses without a country are read. */
  region: string;
  /** CSV columns: `name=Full Name,email=Mail`. */
  map?: string | undefined;
  /** In which order numbers make dates in tables. */
  dates?: DateOrder | undefined;
  /** See `RecordOptions`. */
  now?: number | undefined;
  /** Whether rows of companies, guests and tests are kept. */
  keepCompanies?: boolean | undefined;
  /** Told of each table what its columns are taken for, before its first record is kept; what it throws ends the import. */
  onPlan?: ((plan: ColumnPlan) => Promise<void>) | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Threads that help where they are worth while. */
  pool?: Pool;
}

/** Records that are handed over at a time. */
const BATCH = 500;
/** Sources that are told apart. */
const MOST_SOURCES = 100;

/**
 * Reads the inputs one after the other, normalises each record and hands it over, in bounded memory.
 * Errors: those of `readRecords`, of the rejects and of the graph, `invalid_arguments` where records name another source than the one that is
 * given or replaced.
 */
export async function stageRecords(options: StageOptions): Promise<ReadSummary> {
  const kept: ReadSummary = {
    read: 0,
    rejected: 0,
    learnt: emptyStatistics(),
    others: 0,
    aside: { company: 0, placeholder: 0, total: 0 },
    dropped: 0,
    sources: new Map(),
    reasons: new Map(),
    unknown: [],
    forms: [],
    columns: [],
  };
  for (const input of options.inputs) {
    const before = new Map(kept.sources);
    await keepInput(input, options, kept);
    const { source, replace } = options;
    if (source !== undefined || replace)
      requireOwnSource(kept.sources, {
        before,
        input: input.name,
        source,
        own: source ?? sourceFromFileName(input.name),
      });
  }
  return kept;
}

async function keepInput(input: ImportInput, options: StageOptions, kept: ReadSummary): Promise<void> {
  const { into, rejects, unusable, onProgress, pool = poolOf(0) } = options;
  const { name } = input;
  let bytes = 0;
  input.stream.on('data', (chunk: Buffer) => void (bytes += chunk.length));
  const reading = readingOf(input, options, kept);
  const { put, putSealed, remove, flush } = inOrder(into?.incoming);
  const take = async (item: ImportItem) => {
    count(item, name, { kept, rejects, unusable });
    const { record, removed } = item;
    if (record) {
      kept.read++;
      countRecord(kept.learnt, record);
      kept.others += Number(item.others === true);
    }
    const from = (record ?? removed)?.source;
    if (from !== undefined) countSource(kept.sources, from, 1);
    if (record && into) await put(toStoredRecord(record, into));
    if (removed) await remove(removed);
  };
  const takeSome = async (some: SealedBatch) => {
    const records = unpackSealedRecords(some);
    let done = 0;
    for (const { before, item } of some.noted) {
      await putSealed(records.slice(done, (done = before)));
      count(item, name, { kept, rejects, unusable });
      if (item.removed) await remove(item.removed);
    }
    await putSealed(records.slice(done));
    kept.read += records.length;
    kept.others += some.others;
    addStatistics(kept.learnt, some.learnt);
    for (const [from, of] of some.sources) countSource(kept.sources, from, of);
  };
  const { unread, items } = await openInputReader(input.stream, reading);
  const read = reader(input, reading, options);
  for await (const [some, helped] of inTurn(regrouped(unread), read, () => pool.count * 2)) {
    if (helped) {
      for await (const item of items.passed(helped.unknown)) await take(item);
      await takeSome(helped);
    } else for await (const item of items.take(some)) await take(item);
    onProgress?.({ phase: 'reading', records: kept.read, done: input.bytes ? bytes / input.bytes : null });
  }
  for await (const item of items.end()) await take(item);
  await flush();
}

function readingOf({ name }: ImportInput, options: StageOptions, kept: ReadSummary): ReadOptions {
  const { into, map, region, dates, keepCompanies, source, now } = options;
  return {
    name,
    map,
    region,
    dates,
    keepCompanies,
    source,
    now,
    onPlan: async (plan) => {
      kept.columns.push({
        input: name,
        columns: plan.columns.map(({ header, field }) => ({ header, field })),
      });
      await options.onPlan?.(plan);
    },
    idOf: (content) => (into ? makeRecordId(into, content) : 'row'),
    onForm: (form) => void kept.forms.push({ input: name, form }),
    onUnknown: (fields) => void kept.unknown.push({ input: name, fields }),
  };
}

/** In the order of the input: what is put may be taken out, and the other way round. */
function inOrder(incoming: IncomingRecords | undefined) {
  let [batch, gone]: [StoredRecord[], RecordName[]] = [[], []];
  const flush = async () => {
    if (batch.length > 0) await incoming?.put(batch);
    if (gone.length > 0) await incoming?.remove(gone);
    [batch, gone] = [[], []];
  };
  return {
    flush,
    async put(record: StoredRecord) {
      if (gone.length > 0) await flush();
      if (batch.push(record) >= BATCH) await flush();
    },
    async putSealed(records: SealedRecord[]) {
      if (records.length === 0) return;
      await flush();
      await incoming?.putSealed?.(records);
    },
    async remove(name: RecordName) {
      if (batch.length > 0) await flush();
      if (gone.push(name) >= BATCH) await flush();
    },
  };
}

/** Bytes of an input that are a record, about. */
const RECORD_BYTES = 300;

/** Has lines and rows read by threads, as soon as there are so many that it is worth while; nothing where there are none. */
function reader(
  { bytes }: ImportInput,
  reading: ReadOptions,
  { into, pool }: StageOptions,
): (unread: UnreadBatch) => Promise<[UnreadBatch, SealedBatch | null]> {
  const { idOf: _, ...settings } = itemOptions(reading);
  let seen = (bytes ?? 0) / RECORD_BYTES;
  let helping: LinkingThreads | undefined;
  return async (unread) => {
    seen += ('rows' in unread ? unread.rows : unread.lines).length;
    // What was made of texts under an earlier secret is known here alone.
    const mayBeHelped = into?.sealed && into.incoming.putSealed && !into.earlierFingerprints?.length;
    if (!helping && pool && mayBeHelped) {
      pool.start(seen);
      if (pool.count > 0) helping = openLinkingThreads(into, pool);
    }
    if (!helping) return [unread, null];
    const [isMapped, keepsWhole] = [reading.map !== undefined, into?.storesFullRecords === true];
    return [unread, await helping.helpers.ask('read', { unread, isMapped, keepsWhole, ...settings })];
  };
}

/** Lines or rows that are handed over together, at least. */
const TOGETHER = 250;

async function* regrouped(all: AsyncIterable<UnreadBatch>): AsyncIterable<UnreadBatch> {
  let lines: Line[] = [];
  for await (const some of all) {
    if ('rows' in some) {
      yield some;
      continue;
    }
    lines = lines.length === 0 ? some.lines : [...lines, ...some.lines];
    if (lines.length < TOGETHER) continue;
    yield { lines };
    lines = [];
  }
  if (lines.length > 0) yield { lines };
}

function countSource(sources: Map<string, number>, source: string, records: number): void {
  const before = sources.get(source) ?? 0;
  if (before > 0 || sources.size < MOST_SOURCES) sources.set(source, before + records);
}

/** What is told of an item that is no record, or of which something was left out. */
function count(
  { line, recordId, removed, problem, dropped, aside }: Omit<ImportItem, 'record'>,
  input: string,
  { kept, rejects, unusable }: Pick<StageOptions, 'rejects' | 'unusable'> & { kept: ReadSummary },
): void {
  if (aside) kept.aside[aside]++;
  if (removed) kept.read++;
  if (problem !== undefined) {
    kept.rejected++;
    if (recordId !== null) unusable?.add(recordId);
    told(kept, { input, line, reason: problem, whole: true });
    rejects.add({ input, line, recordId, reason: problem, whole: true });
  }
  kept.dropped += dropped.length;
  const isLeft = problem === undefined;
  for (const reason of dropped) {
    if (isLeft) told(kept, { input, line, reason, whole: false });
    rejects.add({ input, line, recordId, reason, whole: false });
  }
}

/** Lines that are told of each reason. */
const MOST_LINES = 5;

function told({ reasons }: ReadSummary, { input, line, reason, whole }: Omit<Reject, 'recordId'>): void {
  const words = reason.replace(/\[\d+\]/, '');
  let it = reasons.get(words);
  if (!it) reasons.set(words, (it = { count: 0, whole, lines: [] }));
  it.count++;
  const last = it.lines.at(-1);
  if (it.lines.length < MOST_LINES && (last?.line !== line || last.input !== input))
    it.lines.push({ input, line });
}
