// The thread that reads one file, and imports it where it is told to. Killed at any moment, it leaves the graph as it was.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { openRecordGraph, type EngineOptions } from '../../graph/engines.ts';
import { BonafideError } from '../../errors.ts';
import { importRecords } from '../../import.ts';
import { readRecords } from '../../import/read.ts';
import { describeStatistics } from '../../import/statistics.ts';
import { toDisplayName } from '../../import/columns/cells.ts';
import type { ImportProgress, ImportSummary } from '../../import/summary.ts';
import type { ColumnPlan } from '../../import/input/plan.ts';
import { loadNameTables } from '../../names/index.ts';
import { remember } from '../../platform/held.ts';
import { giveWay } from '../../platform/threads/priority.ts';
import { failed, type Outcome } from '../outcome.ts';
import type { Found, Reading, Unusable } from './import.ts';
import { rejectsOf } from './uploads.ts';

/** What the thread is started with. */
export interface ImportData {
  dataDir: string;
  /** The graph's secret, where it comes from the settings. */
  secret: string | undefined;
  graph: EngineOptions['graph'];
  region: string;
  nameTables: readonly string[];
  file: string;
  name: string;
  bytes: number;
  reading: Reading;
  /** Whether the records go into the graph, or are only read. */
  write: boolean;
}

/** From the thread: how far it is, and at last what came of it: `Found`, or why not, with the columns where somebody has to say what they hold. */
export type FromImport = { progress: ImportProgress } | Outcome | (Outcome & { columns: Found });

if (parentPort === null) throw new Error('A file that was sent is imported by a thread of its own.');
const port = parentPort;
const data: ImportData = workerData;
const tell = (told: FromImport) => port.postMessage(told);

async function run({
  dataDir,
  secret,
  graph: setting,
  file,
  name,
  bytes,
  write,
  ...rest
}: ImportData): Promise<Found> {
  const graph = write ? openRecordGraph({ dataDir, secret, graph: setting }) : null;
  const plans: ColumnPlan[] = [];
  const rejects = rejectsOf(file);
  try {
    const summary = await importRecords({
      now: Date.now(),
      ...rest.reading,
      region: rest.reading.region ?? rest.region,
      graph,
      // One beside this one: checks need the other cores.
      threads: { most: 1 },
      inputs: [{ name, stream: createReadStream(file), bytes }],
      rejects,
      journal: { files: 1 },
      onPlan: async (plan) => void plans.push(plan),
      onProgress: (progress) => tell({ progress }),
    });
    if (write && summary.identities > 0) remember(dataDir, 'records');
    return foundIn(summary, { plans, unusable: unusableIn(rejects), write });
  } finally {
    await graph?.close();
  }
}

function foundIn(
  it: ImportSummary,
  { plans, unusable, write }: { plans: ColumnPlan[]; unusable: Unusable[]; write: boolean },
): Found {
  const { read, rejected, dropped, aside, others, same, forms } = it;
  const { added, replaced, removed, barred, records, identities } = it;
  const { text, better } = describeStatistics(it.learnt, it.read);
  return {
    read,
    rejected,
    dropped,
    aside,
    others,
    learnt: [...text, ...better],
    same,
    form: forms[0]?.form ?? null,
    sources: Array.from(it.sources, ([source, records]) => ({ source: toDisplayName(source), records })),
    columns: plans.flatMap(({ columns }) => columns),
    map: plans.map(({ map }) => map).join(''),
    unusable,
    became: write ? { added, replaced, removed, barred, records, identities } : null,
  };
}

const MOST_TOLD = 200;

function unusableIn(file: string): Unusable[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n', MOST_TOLD);
  return lines
    .filter((line) => line !== '')
    .map((text) => {
      const { line, whole, reason } = JSON.parse(text) as Unusable;
      return { line, whole, reason };
    });
}

const NOTHING: Omit<Found, 'columns' | 'map'> = {
  read: 0,
  rejected: 0,
  dropped: 0,
  aside: { company: 0, placeholder: 0, total: 0 },
  others: 0,
  learnt: [],
  same: { merged: 0, shared: 0 },
  form: null,
  sources: [],
  unusable: [],
  became: null,
};

/** What came of a reading that failed. A table of which no column is known is told by its columns, unless its first line may be data. */
async function failedReading(error: unknown): Promise<FromImport> {
  const plan =
    error instanceof BonafideError && error.code === 'invalid_arguments' ? await planOf(data) : null;
  const isSayable = ({ header }: ColumnPlan['columns'][number]) =>
    header === '' || plan?.map.includes(`=${header}\n`) === true;
  if (!plan || plan.columns.length === 0 || !plan.columns.every(isSayable)) return failed(error);
  const { columns, map } = plan;
  const says = 'no column looks like a name or a contact. Say what the columns hold, and read it again.';
  const told = new BonafideError('invalid_arguments', `${data.name}: ${says}`);
  return { ...failed(told), columns: { ...NOTHING, columns, map } };
}

/** The columns of a file, known or not; null where it has none, or cannot be read. */
async function planOf({ file, name, reading, region, write }: ImportData): Promise<ColumnPlan | null> {
  if (write || reading.map !== undefined) return null;
  let plan: ColumnPlan | null = null;
  const onPlan = async (told: ColumnPlan) => void (plan = told);
  const options = { name, region, ...reading, mayBeUnknown: true, makeId: () => 'row', onPlan };
  try {
    for await (const _ of readRecords(createReadStream(file), options)) break;
  } catch {
    return null;
  }
  return plan;
}

for (const file of data.nameTables) loadNameTables(file);
giveWay();
tell(await run(data).then((done): FromImport => ({ done }), failedReading));
