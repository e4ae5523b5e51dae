// Module of a worker thread that reads or imports one file of records. If the thread is killed, the graph is unchanged.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { openRecordStoringGraph, type GraphEngineOptions } from '../../graph/engines.ts';
import { BonafideError } from '../../errors.ts';
import { importRecords } from '../../import.ts';
import { describeDetectedInputFormat, type DetectedInputFormat } from '../../import/input/input.ts';
import { readRecords } from '../../import/read.ts';
import { describeRemoval, markImportBegun, needsRemovalConfirmation } from '../../import/sources.ts';
import { describeRecordStatistics } from '../../import/statistics.ts';
import { maskIfContactLike } from '../../import/columns/cells.ts';
import {
  describeImportWarnings,
  type ImportSummary,
  type RemovalOfRecords,
  doesImportLackNames,
  type ImportReadSummary,
} from '../../import/summary.ts';
import type { ColumnMappingReport } from '../../import/input/plan.ts';
import { loadOperatorNameTable } from '../../names/index.ts';
import { registerDataFolderDatabase } from '../../platform/data-folder.ts';
import { lowerThreadPriority } from '../../platform/threads/priority.ts';
import { sendEventToParentThread, serveThreadCalls } from '../../platform/threads/calls.ts';
import type { ImportFileReport, ImportReadOptions, UnusableRecordOrValue } from './imports.ts';
import { getRejectsFilePath } from './uploads.ts';

export interface ImportThreadData {
  dataDir: string;
  /** Secret of the graph if the settings contain it; undefined if it is in the data folder. */
  secret: string | undefined;
  graph: GraphEngineOptions['graph'];
  /** Default country of phone numbers and addresses, such as `US`. */
  region: string;
  nameTables: readonly string[];
  file: string;
  name: string;
  bytes: number;
  reading: ImportReadOptions;
  /** True to import the records; false to only read the file. */
  write: boolean;
}

/** Operations of the thread. It sends its progress as events. */
export type ImportThreadOperations = { import: (input: null) => ImportFileReport };

async function importFile({
  dataDir,
  secret,
  graph: setting,
  file,
  name,
  bytes,
  write,
  ...rest
}: ImportThreadData): Promise<ImportFileReport> {
  const graph = write ? openRecordStoringGraph({ dataDir, secret, graph: setting }) : null;
  const removeMark = write ? markImportBegun(dataDir) : () => undefined;
  const plans: ColumnMappingReport[] = [];
  const rejects = getRejectsFilePath(file);
  try {
    const summary = await importRecords({
      now: Date.now(),
      ...rest.reading,
      region: rest.reading.region ?? rest.region,
      graph,
      // At most one additional thread, because checks need the other processor cores.
      threads: { most: 1 },
      inputs: [{ name, stream: createReadStream(file), bytes }],
      rejects,
      journal: { files: 1 },
      onPlan: async (plan) => void plans.push(plan),
      onRead: async (read) => {
        if (write && !rest.reading.allowNameless) requireNames(read);
      },
      onReplace: async (removal) => {
        if (!rest.reading.allowRemoval) requireFewRemovals(removal);
      },
      onProgress: sendEventToParentThread,
    });
    if (write && summary.identities > 0) registerDataFolderDatabase(dataDir, 'records');
    return toReport(summary, {
      plans,
      unusable: readUnusable(rejects),
      write,
      region: rest.reading.region ?? rest.region,
    });
  } finally {
    removeMark();
    await graph?.close();
  }
}

/** Throws if hardly any record has a name and the operator has not confirmed this. Errors: invalid_arguments. */
function requireNames(read: ImportReadSummary): void {
  if (!doesImportLackNames(read)) return;
  throw new BonafideError(
    'invalid_arguments',
    `${read.learnt.nameless} of ${read.read} records have no name, so nothing was imported. Say in "map" which column holds the name, or confirm with "allow_nameless": true.`,
  );
}

/** Throws if most records of the source would be removed and the operator has not confirmed this. Errors: invalid_arguments. */
function requireFewRemovals(removal: RemovalOfRecords): void {
  if (!needsRemovalConfirmation(removal)) return;
  throw new BonafideError(
    'invalid_arguments',
    `"replace" would remove ${describeRemoval(removal)}, so nothing was imported. If the file has all records of the source, confirm with "allow_removal": true. Otherwise leave out "replace".`,
  );
}

interface ReportOptions {
  plans: ColumnMappingReport[];
  unusable: UnusableRecordOrValue[];
  write: boolean;
  region: string;
}

function toReport(
  summary: ImportSummary,
  { plans, unusable, write, region }: ReportOptions,
): ImportFileReport {
  const { read, rejected, dropped, aside, others, same, forms } = summary;
  const { added, replaced, removed, barred, records, identities } = summary;
  const { text, better } = describeRecordStatistics(summary.learnt, summary.read, summary.columns);
  return {
    read,
    rejected,
    dropped,
    companies: aside.company.count,
    households: aside.household.count,
    guests: aside.placeholder.count,
    totals: aside.total.count,
    others,
    nameless: doesImportLackNames(summary),
    doubts: describeImportWarnings(summary, region),
    learnt: [...text, ...better],
    same,
    form: forms[0]?.form ?? null,
    sources: Array.from(summary.sources, ([source, records]) => ({
      source: maskIfContactLike(source),
      records,
    })),
    columns: plans.flatMap(({ columns }) => columns),
    map: plans.map(({ map }) => map).join(''),
    unusable,
    became: write ? { added, replaced, removed, barred, records, identities } : null,
  };
}

const MAX_UNUSABLE = 200;

function readUnusable(file: string): UnusableRecordOrValue[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n', MAX_UNUSABLE);
  return lines
    .filter((line) => line !== '')
    .map((text) => {
      const { line, whole, reason } = JSON.parse(text) as UnusableRecordOrValue;
      return { line, whole, reason };
    });
}

const EMPTY_REPORT: Omit<ImportFileReport, 'columns' | 'map'> = {
  read: 0,
  rejected: 0,
  dropped: 0,
  companies: 0,
  households: 0,
  guests: 0,
  totals: 0,
  others: 0,
  nameless: false,
  doubts: [],
  learnt: [],
  same: { merged: 0, shared: 0 },
  form: null,
  sources: [],
  unusable: [],
  became: null,
};

/** Returns the error for an unreadable file. If no column was recognised, the error contains the columns, so that the operator can map them. */
async function toReadError(error: unknown): Promise<unknown> {
  const { plan, form } =
    error instanceof BonafideError && error.code === 'invalid_arguments'
      ? await readPlan(data)
      : { plan: null, form: null };
  const canBeMapped = ({ header }: ColumnMappingReport['columns'][number]) =>
    header === '' || plan?.map.includes(`=${header}\n`) === true;
  if (!plan || plan.columns.length === 0 || !plan.columns.every(canBeMapped)) return error;
  const { columns, map } = plan;
  const choice = form ? describeDetectedInputFormat(form) : '';
  return new BonafideError(
    'invalid_arguments',
    `${data.name}: no column looks like a name or a contact. Say which fields the columns hold, and read the file again.${choice && ` Note: ${choice}.`}`,
    { columns: { ...EMPTY_REPORT, form, columns, map } satisfies ImportFileReport },
  );
}

/**
 * Reads all columns of a table with their recognised fields, and the format of the file. `plan` is missing if the file has no columns or cannot
 * be read.
 */
async function readPlan({
  file,
  name,
  reading,
  region,
  write,
}: ImportThreadData): Promise<{ plan: ColumnMappingReport | null; form: DetectedInputFormat | null }> {
  if (write || reading.map !== undefined) return { plan: null, form: null };
  let plan: ColumnMappingReport | null = null;
  let form: DetectedInputFormat | null = null;
  const onInputDetected = (detected: DetectedInputFormat) => void (form = detected);
  const onPlan = async (found: ColumnMappingReport) => void (plan = found);
  const options = {
    name,
    region,
    ...reading,
    mayBeUnknown: true,
    makeId: () => 'row',
    onPlan,
    onInputDetected,
  };
  try {
    for await (const _ of readRecords(createReadStream(file), options)) break;
  } catch {
    return { plan: null, form: null };
  }
  return { plan, form };
}

const data: ImportThreadData = workerData;
for (const file of data.nameTables) loadOperatorNameTable(file);
lowerThreadPriority();
serveThreadCalls(async () => {
  try {
    return await importFile(data);
  } catch (error) {
    throw await toReadError(error);
  }
});
