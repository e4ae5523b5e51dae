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
  /** Called every `PROBES_UNTIL_RENEWAL` probe intervals while the database is silent. */
  onSilence?: (silentProbes: number) => void;
}

/** Number of consecutive timeouts after which the database is considered unreachable. */
const MOST_TIMEOUTS = 5;

/** Interval between probes in milliseconds. Probes are needed because there may be no check calls for hours. */
const PROBE_EVERY_MS = 500;

/**
 * Number of consecutive probe intervals without any answer after which the database is considered unreachable. Intervals are counted instead of time,
 * because this process may have been paused.
 */
const MOST_SILENT_PROBES = 5;

/**
 * Number of consecutive probe intervals without any answer after which the connections are replaced: a host that disappeared from the network never
 * closes its connections.
 */
const PROBES_UNTIL_RENEWAL = 10;

/** Creates a monitor that detects whether the database answers, from the results of check calls and of regular test queries (probes). */
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
     * Runs work on the database. Errors: `graph_unavailable`, without running it, if the database is considered unreachable; `graph_timeout`; those of
     * `work`.
     */
    async run<T>(work: () => Promise<T>): Promise<T> {
      refuse();
      return watch(work);
    },
    /** Throws if the database is considered unreachable. Errors: `graph_unavailable`. */
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
