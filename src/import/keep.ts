import type { Readable } from 'node:stream';
import type { Incoming, RecordName } from '../graph/graph.ts';
import type { StoredRecord } from '../link/stored.ts';
import { learn, NOTHING_LEARNT } from './apply/learnt.ts';
import { refuseOthers } from './apply/replace.ts';
import { type Receiving, toStored } from './ingest.ts';
import type { ImportProgress, Kept } from './progress.ts';
import { type ReadItem, readRecords, sourceNamed } from './read.ts';
import type { Reject, Rejects } from './rejects.ts';
import type { DateOrder } from './source/cells/dates.ts';
import type { Plan } from './source/plan.ts';
import type { SourceForm } from './source/source.ts';

export interface ImportInput {
  /** What errors and rejects call it: the file's path, or `-`. */
  name: string;
  stream: Readable;
  /** Total bytes where known, for the time left. */
  bytes: number | null;
}

export interface KeepOptions {
  inputs: ImportInput[];
  /** Where the records go; null where they are only read. */
  into: (Receiving & { incoming: Incoming }) | null;
  /** Of all records; unless given, of those that name none it is the file's base name. */
  source?: string | undefined;
  /** Whether the records are all of their source. */
  replace?: boolean | undefined;
  rejects: Rejects;
  /** ISO country in which numbers and addresses without a country are read. */
  region: string;
  /** CSV columns: `name=Full Name,email=Mail`. */
  map?: string | undefined;
  /** In which order numbers make dates in tables. */
  dates?: DateOrder | undefined;
  /** Whether rows of companies, guests and tests are kept. */
  keepCompanies?: boolean | undefined;
  /** Told of each table what its columns are taken for, before its first record is kept; what it throws ends the import. */
  onPlan?: ((plan: Plan) => Promise<void>) | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
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
export async function keepRecords(options: KeepOptions): Promise<Kept> {
  const kept: Kept = {
    read: 0,
    rejected: 0,
    learnt: NOTHING_LEARNT(),
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
      refuseOthers(kept.sources, {
        before,
        input: input.name,
        source,
        own: source ?? sourceNamed(input.name),
      });
  }
  return kept;
}

async function keepInput(input: ImportInput, options: KeepOptions, kept: Kept): Promise<void> {
  const { into, rejects, onProgress } = options;
  const { name } = input;
  let bytes = 0;
  input.stream.on('data', (chunk: Buffer) => void (bytes += chunk.length));
  const onPlan = async (plan: Plan) => {
    kept.columns.push({ input: name, columns: plan.columns.map(({ header, field }) => ({ header, field })) });
    await options.onPlan?.(plan);
  };
  const idOf = (content: string) => (into ? `row-${into.fingerprints.made(content)}` : 'row');
  const onForm = (form: SourceForm) => void kept.forms.push({ input: name, form });
  const onUnknown = (fields: string[]) => void kept.unknown.push({ input: name, fields });
  const { map, region, dates, keepCompanies, source } = options;
  const reading = { name, map, region, dates, keepCompanies, source, onPlan, onForm, onUnknown, idOf };
  let [batch, gone]: [StoredRecord[], RecordName[]] = [[], []];
  const flush = async () => {
    if (batch.length > 0) await into?.incoming.put(batch);
    if (gone.length > 0) await into?.incoming.remove(gone);
    [batch, gone] = [[], []];
  };
  for await (const item of readRecords(input.stream, reading)) {
    count(item, name, { kept, rejects });
    const { record, removed } = item;
    // In the order of the input: what is put may be taken out, and the other way round.
    if ((record && gone.length > 0) || (removed && batch.length > 0)) await flush();
    if (record && into) batch.push(toStored(record, into));
    const from = (record ?? removed)?.source;
    if (from !== undefined) countSource(kept.sources, from);
    if (removed) gone.push(removed);
    if (batch.length + gone.length >= BATCH) await flush();
    if (kept.read % BATCH === 0)
      onProgress?.({ phase: 'reading', records: kept.read, done: input.bytes ? bytes / input.bytes : null });
  }
  await flush();
}

function countSource(sources: Map<string, number>, source: string): void {
  const before = sources.get(source) ?? 0;
  if (before > 0 || sources.size < MOST_SOURCES) sources.set(source, before + 1);
}

function count(item: ReadItem, input: string, { kept, rejects }: { kept: Kept; rejects: Rejects }): void {
  const { line, recordId, record, removed, problem, dropped, aside, others } = item;
  if (aside) kept.aside[aside]++;
  if (record ?? removed) kept.read++;
  if (record) learn(kept.learnt, record);
  if (record && others) kept.others++;
  if (problem !== undefined) {
    kept.rejected++;
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

function told({ reasons }: Kept, { input, line, reason, whole }: Omit<Reject, 'recordId'>): void {
  const words = reason.replace(/\[\d+\]/, '');
  let it = reasons.get(words);
  if (!it) reasons.set(words, (it = { count: 0, whole, lines: [] }));
  it.count++;
  const last = it.lines.at(-1);
  if (it.lines.length < MOST_LINES && (last?.line !== line || last.input !== input))
    it.lines.push({ input, line });
}
