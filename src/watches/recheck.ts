// Checks watches again in the background: finds the watches that a change of the graph affects, checks them, and stores events.
import { setTimeout as pause } from 'node:timers/promises';
import { checkClaim, toGraphQuery } from '../check.ts';
import { BonafideError } from '../errors.ts';
import type { LookupKeyChangeReader } from '../graph/capabilities.ts';
import type { IdentityGraph } from '../graph/graph.ts';
import type { Calibration, Claim } from '../model.ts';
import { createRequestId } from '../platform/request-id.ts';
import { endOfTurn } from '../platform/turn.ts';
import {
  expireWatches,
  openRecheckQueue,
  type RecheckOutcome,
  type RecheckQueue,
  toExpiryEvent,
} from '../store/events/rechecks.ts';
import { type StoredWatch, toWatchId } from '../store/events/watches.ts';
import type { Store } from '../store/store.ts';
import {
  shouldReportWatchChange,
  parseWatchedVerdict,
  serializeWatchedVerdict,
  toWatchChangeEventBody,
  toWatchedVerdict,
  type WatchCodec,
} from './watch.ts';

/** Name under which the store saves the progress of the re-checks. There is only one queue of re-checks. */
export const RECHECK_QUEUE_NAME = 'graph';

export interface WatchRecheckerOptions {
  store: Pick<Store, 'raw'>;
  graph: Pick<IdentityGraph, 'resolve'>;
  /** Reads the log of changed look-up keys; null if the graph has no such log. */
  changes: LookupKeyChangeReader | null;
  codec: WatchCodec;
  calibration: Calibration | null;
  /** Interval (ms) between two re-checks of all watches; null if changes of records are read from the log of look-up keys instead. */
  everyMs: number | null;
  /** Name of this worker. Only one worker re-checks watches at a time. */
  worker: string;
}

export interface WatchRecheckStepResult {
  marked: number;
  rechecked: number;
  events: number;
  expired: number;
  hasMore: boolean;
}

const LEASE_MS = 15_000;
/** Number of checked watches after which their results are committed together. */
const BATCH = 50;
/** Pause (ms) after each transaction that marks watches for a re-check. */
const MARK_PAUSE_MS = 3;
/** Time (ms) after which the results of the watches checked so far are committed, so that events are not delayed. */
const BATCH_MS = 25;
const NOTHING: WatchRecheckStepResult = { marked: 0, rechecked: 0, events: 0, expired: 0, hasMore: false };

/** Creates the worker that checks watches again, in steps. A step can be interrupted, because all progress is in the store. */
export function createWatchRechecker(options: WatchRecheckerOptions) {
  const { store, changes, everyMs, worker } = options;
  const queue = openRecheckQueue(store.raw, RECHECK_QUEUE_NAME);
  const lease = (now: number) => queue.lease(worker, now, LEASE_MS);
  let isNewestFirst = false;
  return {
    /**
     * Takes one step: marks the watches whose records changed, and re-checks some. Does nothing while another worker has the lease. Errors: those of
     * the graph and of the store.
     */
    async step(now: number): Promise<WatchRecheckStepResult> {
      if (!lease(now)) return NOTHING;
      const expired = expireWatches(store.raw, now);
      const marked = changes ? await followChanges(queue, { changes, lease }, now) : 0;
      const { sweep, swept } = queue.readProgress();
      if (sweep === null && everyMs !== null && isSweepDue(swept, everyMs, now)) queue.beginSweep(now);
      // Waits, because the graph answers from a snapshot that lasts one turn of the event loop, and the snapshot must include the changes.
      await endOfTurn();
      // In turns, because thousands of watches with the same look-up key must not delay those that wait since later.
      isNewestFirst = !isNewestFirst;
      const due = queue.listDue(BATCH, isNewestFirst);
      const done =
        due.length > 0 ? await recheck(due, queue, options, now) : await sweepOn(queue, options, now);
      return { ...done, marked, expired, hasMore: done.rechecked > 0 || expired > 0 };
    },
    close: () => queue.release(worker),
  };
}

/** True if the last re-check of all watches ended at least `everyMs` ago, or seems to end in the future because the clock was set back. */
const isSweepDue = (swept: number | null, everyMs: number, now: number): boolean =>
  swept === null || swept > now || now - swept >= everyMs;

/**
 * Marks the watches that have a look-up key in the log of changes. Stops if `lease` can no longer extend the lease of the queue. Returns the number
 * of marked watches.
 */
async function followChanges(
  queue: RecheckQueue,
  { changes, lease }: { changes: LookupKeyChangeReader; lease(now: number): boolean },
  now: number,
): Promise<number> {
  let marked = 0;
  for (;;) {
    const { position: known } = queue.readProgress();
    const { position, keys } = await changes.read(known);
    if (position === null || position === known) return marked;
    if (!keys) queue.beginSweep(now, position);
    for (const count of keys ? queue.mark(keys, position, now) : []) {
      marked += count;
      // Other writers of the store must not wait.
      await pause(MARK_PAUSE_MS);
      if (!lease(Math.max(now, Date.now()))) return marked;
    }
  }
}

type Recheck = Pick<WatchRecheckStepResult, 'rechecked' | 'events'>;

/** Re-checks watches in the given order until the time limit `BATCH_MS` is reached, at least one of them, and stores the results. */
async function recheck(
  watches: readonly StoredWatch[],
  queue: RecheckQueue,
  options: WatchRecheckerOptions,
  now: number,
): Promise<Recheck> {
  const outcomes: RecheckOutcome[] = [];
  const began = Date.now();
  for (const watch of watches) {
    outcomes.push(await checkAgain(watch, options));
    if (Date.now() - began >= BATCH_MS) break;
  }
  queue.storeOutcomes(outcomes, Math.max(now, Date.now()));
  return { rechecked: outcomes.length, events: outcomes.filter(({ event }) => event !== null).length };
}

async function sweepOn(queue: RecheckQueue, options: WatchRecheckerOptions, now: number): Promise<Recheck> {
  const { sweep } = queue.readProgress();
  if (sweep === null) return { rechecked: 0, events: 0 };
  const watches = queue.listNext(sweep, BATCH);
  const done = await recheck(watches, queue, options, now);
  queue.moveSweep({ from: sweep, to: watches[done.rechecked - 1]?.id ?? null }, now);
  return done;
}

/** Looks up the values of a watch in the graph. If the records found have changed, checks the claim again. */
async function checkAgain(
  watch: StoredWatch,
  { graph, codec, calibration }: WatchRecheckerOptions,
): Promise<RecheckOutcome> {
  const { id, number, version } = watch;
  const claim = openClaim(codec, watch);
  // The secret of the data folder was replaced without converting the watches, so the claim cannot be read. The event tells the caller that the watch
  // has ended.
  if (!claim) return { id, version, changed: null, event: toExpiryEvent(watch), isLost: true };
  // No standby database may answer: it may lack the change, and the watch would not be checked again.
  const answer = await graph.resolve({ ...toGraphQuery(claim).query, minRevision: Number.MAX_SAFE_INTEGER });
  if (answer.missing)
    throw new BonafideError(
      'graph_unavailable',
      'One of the graphs in graph.engine did not answer. Watches (stored claims) are checked again when it answers: check that it is running.',
    );
  const digest = codec.digestAnswer(answer);
  if (digest.equals(watch.digest)) return { id, version, changed: null, event: null };
  const after = toWatchedVerdict(await checkClaim(claim, { resolve: () => answer }, calibration));
  const reported = watch.reported ?? watch.state;
  const before = parseWatchedVerdict(reported);
  const state = serializeWatchedVerdict(after);
  if (!shouldReportWatchChange(watch, before, after)) {
    const changed = { digest, state, reported: state === reported ? null : reported };
    return { id, version, changed, event: null };
  }
  const requestId = createRequestId(Date.now());
  return {
    id,
    version,
    changed: { digest, state, reported: null },
    event: {
      owner: watch.owner,
      subject: toWatchId(number),
      type: 'watch.changed',
      body: toWatchChangeEventBody(watch, { before, after, requestId }),
    },
  };
}

function openClaim(codec: WatchCodec, { claim }: StoredWatch): Claim | null {
  try {
    return codec.openClaim(claim);
  } catch (error) {
    if (error instanceof BonafideError && error.code === 'damaged_database') return null;
    throw error;
  }
}
