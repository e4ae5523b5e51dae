// Every trial, in the order in which they run.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomNumbers } from '../bench/people.ts';
import { clusters } from './cluster/cluster.ts';
import { failovers } from './cluster/failover.ts';
import { standbyReads } from './cluster/reading.ts';
import { damages } from './damage/damage.ts';
import { frequencyAttack } from './hostile/frequency.ts';
import { fuzzedImports } from './hostile/fuzz-imports.ts';
import { fuzzedRequests } from './hostile/fuzz-requests.ts';
import { hostileRequests } from './hostile/fuzz-routes.ts';
import { hostileWires } from './hostile/wire.ts';
import { killedCommands } from './kills/commands.ts';
import { killedForgetting } from './kills/forgetting.ts';
import { killedFeeds } from './kills/feeding.ts';
import { killedJobs } from './kills/jobs.ts';
import { killedRekeying } from './kills/rekeying.ts';
import { killedServers } from './kills/serving.ts';
import { watching } from './kills/watching.ts';
import { limits } from './limits/full.ts';
import { soaks } from './limits/soak.ts';
import { failingCalls } from './storage/failing.ts';
import { powerCuts } from './storage/power.ts';
import type { Timed } from './report.ts';
import { emptyTally, fault } from './trial.ts';
import type { Size, Stage, Tally, Trial } from './trial.ts';

export const TRIALS: Trial[] = [
  ...killedServers,
  ...killedCommands,
  ...killedForgetting,
  ...killedRekeying,
  ...killedFeeds,
  ...watching,
  ...killedJobs,
  ...clusters,
  ...failovers,
  ...standbyReads,
  ...powerCuts,
  ...failingCalls,
  ...damages,
  ...limits,
  ...hostileWires,
  ...fuzzedRequests,
  ...hostileRequests,
  ...fuzzedImports,
  ...frequencyAttack,
  ...soaks,
];

export interface RunOptions {
  /** Folder for the folders of trials and the files that they share. */
  root: string;
  size: Size;
  seed: number;
  /** Share of the kills, calls and cuts of the usual size. */
  part?: number;
  rounds?: number | undefined;
  asynchronous?: boolean | undefined;
}

const SHORT_PER_SECOND = 200;

/** Runs one trial. An exception is a fault of the trial. */
export async function runTrial(
  trial: Trial,
  { root, size, seed, part = 1, ...chosen }: RunOptions,
): Promise<Timed> {
  const folder = join(root, trial.name);
  mkdirSync(folder, { recursive: true });
  const tally = emptyTally();
  const begun = performance.now();
  const of: Stage['of'] = (short, usual, long = usual) => ({ short, default: usual, long })[size];
  const times: Stage['of'] = (short, usual, long) => of(short, Math.ceil(usual * part), long ?? usual);
  try {
    await trial.run({
      ...chosen,
      size,
      of,
      times,
      perSecond: size === 'short' ? SHORT_PER_SECOND : undefined,
      random: randomNumbers(seed),
      folder,
      root,
      tally,
    });
  } catch (error) {
    broke(tally, trial, error);
  }
  rmSync(folder, { recursive: true, force: true });
  return { ...tally, seconds: (performance.now() - begun) / 1000 };
}

function broke(tally: Tally, { name }: Trial, error: unknown): void {
  const seen = error instanceof Error ? (error.stack ?? error.message) : String(error);
  fault(tally, { seen: `the trial broke off: ${seen}`, repeat: `npm run trials -- --only ${name}` });
}
