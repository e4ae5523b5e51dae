// The thread of one work about people on record.
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { openRecordGraph } from '../../graph/engines.ts';
import type { EngineOptions } from '../../graph/engines.ts';
import { loadNameTables } from '../../names/index.ts';
import { failed, type Outcome } from '../outcome.ts';
import { type Asking, PEOPLE_WORK, type PeopleWork } from './work.ts';

/** What the thread is started with. */
export interface PeopleData {
  dataDir: string;
  /** The graph's secret, where it comes from the settings. */
  secret: string | undefined;
  graph: EngineOptions['graph'];
  region: string;
  /** The folder of scheduled backups. */
  backupsTo: string | undefined;
  nameTables: readonly string[];
}

/** What it is told to do, one after the other. */
export interface ToPeople extends Pick<Asking, 'actor' | 'now'> {
  work: PeopleWork;
  asked: unknown;
}

if (parentPort === null) throw new Error('Work about people on record is done in a thread of its own.');
const port = parentPort;
const { dataDir, secret, graph: setting, region, backupsTo, nameTables }: PeopleData = workerData;
for (const file of nameTables) loadNameTables(file);
port.on('message', async (told: ToPeople) => port.postMessage(await answer(told)));

async function answer({ work, asked, ...by }: ToPeople): Promise<Outcome> {
  try {
    // Anew each time: what is asked for is rare, and the files may have been replaced.
    const graph = openRecordGraph({ dataDir, secret, graph: setting, create: false });
    try {
      const does = PEOPLE_WORK[work] as (...given: unknown[]) => Promise<unknown>;
      return { done: await does(graph, asked, { dataDir, region, backupsTo, ...by }) };
    } finally {
      await graph.close();
    }
  } catch (error) {
    return failed(told(error));
  }
}

/** The sentences for the command line may repeat the id of a record: over HTTP nothing that was sent is repeated. */
function told(error: unknown): unknown {
  if (!(error instanceof BonafideError)) return error;
  const { code, message, details } = error;
  const [, what = 'record'] =
    /^There (?:is no|are no records of that) (identity|judgement|import|source)/.exec(message) ?? [];
  if (code === 'not_found') return new BonafideError(code, '', { what });
  if (code !== 'invalid_arguments' || details.issues) return error;
  const detail = message.startsWith('Several sources')
    ? 'Several sources have a record of an id that was named: say `SOURCE:ID`.'
    : message;
  return new BonafideError(code, '', { issues: [{ pointer: '', code: 'invalid_request', detail }] });
}
