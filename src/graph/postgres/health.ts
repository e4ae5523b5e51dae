import { BonafideError } from '../../errors.ts';
import { withDeadline } from '../../platform/threads/calls.ts';
import {
  DATABASE_RETRY_AFTER_MS,
  isConnectionLostError,
  QUERY_CANCELLED_SQLSTATE,
  toGraphError,
} from './errors.ts';

export interface DatabaseHealthOptions {
  /** Runs a small query to test the database. */
  probe(): Promise<unknown>;
  /** Maximum duration of one call of `run`, in milliseconds. */
  deadlineMs: number;
  /** Called every `PROBES_UNTIL_RENEWAL` probe intervals as long as nothing answers. `silentProbes` is the number of these intervals. */
  onSilence?: (silentProbes: number) => void;
}

/** Number of timeouts in a row after which the database counts as unreachable. */
const MOST_TIMEOUTS = 5;

/** Interval between probes (test queries) in milliseconds. Probes are needed because there may be no check calls for hours. */
const PROBE_EVERY_MS = 500;

/**
 * Number of probe intervals in a row without any answer, after which the database counts as unreachable. Intervals are counted, not time, because
 * this process may have been paused.
 */
const MOST_SILENT_PROBES = 5;

/**
 * Number of probe intervals in a row without any answer, after which the connections are replaced. A host that disappeared from the network never
 * closes its connections.
 */
const PROBES_UNTIL_RENEWAL = 10;

/** Creates a monitor that finds out whether the database answers, from the results of check calls and of regular probes (test queries). */
export function createDatabaseHealthMonitor({ probe, deadlineMs, onSilence }: DatabaseHealthOptions) {
  let failure: BonafideError | null = null;
  let isProbing = false;
  let [timeouts, silentProbes] = [0, 0];
  const noteAnswer = () => void (silentProbes = 0);
  const watch = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const answer = work();
      answer.then(noteAnswer, (error: unknown) => isConnectionLostError(error) || noteAnswer());
      const result = await withDatabaseDeadline(deadlineMs, answer);
      [failure, timeouts] = [null, 0];
      return result;
    } catch (error) {
      const code = error instanceof BonafideError ? error.code : null;
      if (code === 'graph_unavailable') failure = error as BonafideError;
      if (code === 'graph_timeout' && ++timeouts >= MOST_TIMEOUTS) failure ??= HANGS;
      throw error;
    }
  };
  const refuse = () => {
    if (failure) throw failure;
  };
  const timer = setInterval(() => {
    if (++silentProbes > MOST_SILENT_PROBES) failure ??= HANGS;
    if (silentProbes % PROBES_UNTIL_RENEWAL === 0) onSilence?.(silentProbes);
    if (isProbing) return;
    isProbing = true;
    void watch(async () => probe())
      .catch(() => undefined)
      .finally(() => (isProbing = false));
  }, PROBE_EVERY_MS).unref();
  return {
    /**
     * Runs work on the database. Errors: `graph_unavailable`, without running it, while the database counts as unreachable; `graph_timeout`; those of
     * `work`.
     */
    async run<T>(work: () => Promise<T>): Promise<T> {
      refuse();
      return watch(work);
    },
    /** Throws while the database counts as unreachable. Errors: `graph_unavailable`. */
    refuse,
    close: () => clearInterval(timer),
  };
}

const HANGS = new BonafideError(
  'graph_unavailable',
  'The database of the graph did not answer several queries in time, so the query was not sent. Check that the database is running and reachable.',
  {
    retryAfterMs: DATABASE_RETRY_AFTER_MS,
  },
);

/** Rejects with `graph_timeout` if `work` takes more than `ms` milliseconds. PostgreSQL cancels slow statements itself, but not if it hangs. */
export const withDatabaseDeadline = <T>(ms: number, work: Promise<T>): Promise<T> =>
  withDeadline(work, ms, () => toGraphError({ code: QUERY_CANCELLED_SQLSTATE }));
