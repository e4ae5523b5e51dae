import { BonafideError } from '../../errors.ts';
import { RETRY_AFTER_MS } from './errors.ts';

/** Notices from checks and from probes of its own if the database answers. */
export interface HealthWatch {
  /** Runs work on the database. Errors: `graph_unavailable` at once if the database is known to be away, `graph_timeout`, those of `work`. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Errors: `graph_unavailable` if the database is known to be away. */
  refuse(): void;
  close(): void;
}

export interface HealthOptions {
  /** Reads something of the database. */
  probe(): Promise<unknown>;
  /** Milliseconds that work may take. */
  deadlineMs: number;
}

/** A database counts as away after so many timeouts in a row, of checks and of probes. */
const MOST_TIMEOUTS = 5;

/** How often the database is probed. There may be no checks for hours. */
const PROBE_EVERY_MS = 500;

/**
 * A database counts as away after so many probes without any answer: one that hangs accepts connections and says nothing. Probes are counted
 * in place of time, since this process itself may have been stopped, and finds the answers afterwards.
 */
const MOST_SILENT_PROBES = 5;

export function createHealthWatch({ probe, deadlineMs }: HealthOptions): HealthWatch {
  let failure: BonafideError | null = null;
  let isProbing = false;
  let [timeouts, silentProbes] = [0, 0];
  const noteAnswer = () => void (silentProbes = 0);
  const watch = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const answer = work();
      answer.then(noteAnswer, noteAnswer);
      const result = await withDeadline(deadlineMs, answer);
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
    if (isProbing) return;
    isProbing = true;
    void watch(async () => probe())
      .catch(() => undefined)
      .finally(() => (isProbing = false));
  }, PROBE_EVERY_MS).unref();
  return {
    async run(work) {
      refuse();
      return watch(work);
    },
    refuse,
    close: () => clearInterval(timer),
  };
}

const HANGS = new BonafideError('graph_unavailable', 'The database of the graph takes too long every time.', {
  retryAfterMs: RETRY_AFTER_MS,
});

/** The server itself ends a slow statement; this also ends waiting for a server that hangs. */
function withDeadline<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () =>
      reject(new BonafideError('graph_timeout', 'The database of the graph took too long.'));
    const timer = setTimeout(expire, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
