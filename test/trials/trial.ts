// The definition of a trial, and its tally.

/** Length of a trial: seconds, minutes, or with an hour's soak. */
export type Size = 'short' | 'default' | 'long';

export interface Trial {
  /** Name on the command line, without spaces. */
  name: string;
  /** Description for the table. */
  about: string;
  run(stage: Stage): Promise<void>;
}

/** Input of a trial. */
export interface Stage {
  size: Size;
  /** Returns the number for this size; the second one also for a missing third. */
  of(short: number, usual: number, long?: number): number;
  /** Returns the number of repetitions for this size; of the usual number only the requested part. */
  times(short: number, usual: number, long?: number): number;
  /** Number of rounds of a trial that has rounds; undefined for the number of its size. */
  rounds?: number | undefined;
  /** True if a standby follows its primary asynchronously. */
  asynchronous?: boolean | undefined;
  /** Calls per second of a load in a short trial, which shares the machine with other tests; undefined for no limit. */
  perSecond: number | undefined;
  /** Returns numbers from 0 up to 1, the same ones for the same seed. */
  random: () => number;
  /** Folder for this trial, removed at its end. */
  folder: string;
  /** Folder that all trials share; see kit/people.ts. */
  root: string;
  tally: Tally;
}

export interface Fault {
  /** Description of the fault, without parts that differ from run to run. */
  seen: string;
  /** Command that repeats the trial. */
  repeat: string;
}

/** Work and findings of a trial. A trial passes if no call was lost, no answer wrong, and there is no fault. */
export interface Tally {
  /** Number of kills, calls, files …, by name. */
  did: Map<string, number>;
  /** Number of calls that were answered with 200 and are not in the call log. */
  lost: number;
  /** Number of answers with 200 that differ from those of an undamaged server. */
  wrong: number;
  /** The same for flipped bits that SQLite cannot notice. */
  unnoticed: number;
  /** Number of answers with status 500 and above to a request, however unusual. */
  fiveHundreds: number;
  /** Longest CPU time in one turn of a server's event loop, and its longest hold by elapsed time, in milliseconds. */
  busyMs: number;
  holdMs: number;
  /** Resident memory in MB of the first server, and the largest at the end. */
  memory: { before: number; after: number };
  faults: Map<string, { times: number; repeat: string }>;
  /** Further measurements, one line each. */
  notes: string[];
}

export function emptyTally(): Tally {
  return {
    did: new Map(),
    lost: 0,
    wrong: 0,
    unnoticed: 0,
    fiveHundreds: 0,
    busyMs: 0,
    holdMs: 0,
    memory: { before: 0, after: 0 },
    faults: new Map(),
    notes: [],
  };
}

export function did({ did }: Tally, what: string, times = 1): void {
  did.set(what, (did.get(what) ?? 0) + times);
}

/** Adds a fault. Equal faults are counted together. */
export function fault({ faults }: Tally, { seen, repeat }: Fault): void {
  const known = faults.get(seen);
  if (known) known.times++;
  else faults.set(seen, { times: 1, repeat });
}

export function isPassed({ lost, wrong, fiveHundreds, faults }: Tally): boolean {
  return lost + wrong + fiveHundreds + faults.size === 0;
}

/** Does the jobs in `lanes` concurrent lanes, which are numbered from 0. */
export async function inLanes<T>(
  jobs: Iterable<T>,
  lanes: number,
  work: (job: T, lane: number) => Promise<void>,
): Promise<void> {
  const waiting = jobs[Symbol.iterator]();
  const lane = async (number: number) => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value, number);
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
}
