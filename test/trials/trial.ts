// What a trial is, and what it counts.

/** How long a trial takes: seconds, minutes, or with an hour's soak. */
export type Size = 'short' | 'default' | 'long';

export interface Trial {
  /** One word of the command line. */
  name: string;
  /** What is done, for the table. */
  about: string;
  run(stage: Stage): Promise<void>;
}

/** What a trial works with. */
export interface Stage {
  size: Size;
  /** Of several figures the one for this size; the second also stands for a missing third. */
  of(short: number, usual: number, long?: number): number;
  /** The same for how often something is done: of the usual number only the part that was asked for. */
  times(short: number, usual: number, long?: number): number;
  /** Number of rounds of a trial that has rounds; undefined for the number of its size. */
  rounds?: number | undefined;
  /** True if a standby follows its primary asynchronously. */
  asynchronous?: boolean | undefined;
  /** How many calls a second load has in a short trial, whose seconds are others' too; as many as can be where it is missing. */
  perSecond: number | undefined;
  /** Numbers from 0 up to 1, the same ones for the same seed. */
  random: () => number;
  /** A folder of the trial's own, gone afterwards. */
  folder: string;
  /** What all trials share; see kit/people.ts. */
  root: string;
  tally: Tally;
}

export interface Fault {
  /** What was seen, without the part that differs from one run to the next. */
  seen: string;
  /** How to see it again. */
  repeat: string;
}

/** What a trial did and saw. A trial is passed when nothing was lost, wrong or a fault. */
export interface Tally {
  /** Kills, calls, files …: what was done, by its word. */
  did: Map<string, number>;
  /** Calls that were answered with 200 and are not in the call log. */
  lost: number;
  /** Answers of 200 that are not what an undamaged server says. */
  wrong: number;
  /** The same where a bit was flipped that SQLite cannot notice. */
  unnoticed: number;
  /** Answers of 500 and above to an input, however strange. */
  fiveHundreds: number;
  /** The longest work in one turn of a server's event loop, milliseconds, and how long it was away by the clock. */
  busyMs: number;
  holdMs: number;
  /** Resident memory of the first server, MB, and the most that one had at the end. */
  memory: { before: number; after: number };
  faults: Map<string, { times: number; repeat: string }>;
  /** What was measured beside, a line each. */
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

/** A fault that was seen before is counted with it. */
export function fault({ faults }: Tally, { seen, repeat }: Fault): void {
  const known = faults.get(seen);
  if (known) known.times++;
  else faults.set(seen, { times: 1, repeat });
}

export function isPassed({ lost, wrong, fiveHundreds, faults }: Tally): boolean {
  return lost + wrong + fiveHundreds + faults.size === 0;
}

/** Does the jobs, `lanes` of them at a time, each lane with a number of its own. */
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
