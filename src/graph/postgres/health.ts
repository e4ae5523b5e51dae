import { BonafideError } from '../../errors.ts';
import { RETRY_AFTER_MS } from './errors.ts';

/** Whether the database answers, as the last that asked it found. */
export interface Health {
  /** Runs what asks the database. Errors: `graph_unavailable` at once where it does not answer, `graph_timeout`, those of `work`. */
  ask<T>(work: () => Promise<T>): Promise<T>;
  /** Errors: `graph_unavailable`. */
  refuse(): void;
  close(): void;
}

export interface HealthOptions {
  /** Asks whether the database is there. */
  look(): Promise<unknown>;
  /** How long somebody who asks may be kept waiting. */
  deadlineMs: number;
}

/** So many that were late one after the other, checks and looks: a database that says no more than that it takes too long. */
const LATE_IN_A_ROW = 5;

/** A database that is lost is looked for this often, and one that is there as well: nobody else may ask it for hours. */
const LOOK_EVERY_MS = 500;
/**
 * A database that hangs takes connections and says nothing: for so many looks nothing was heard of it, no error and nothing late either. Looks are
 * counted and not time: where this process itself stood still, the answers have come meanwhile.
 */
const SILENT_LOOKS = 5;

export function healthOf({ look, deadlineMs }: HealthOptions): Health {
  let failure: BonafideError | null = null;
  let looking = false;
  let late = 0;
  let silent = 0;
  const heard = () => void (silent = 0);
  const noting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const asked = work();
      asked.then(heard, heard);
      const done = await within(deadlineMs, asked);
      [failure, late] = [null, 0];
      return done;
    } catch (error) {
      const code = error instanceof BonafideError ? error.code : null;
      if (code === 'graph_unavailable') failure = error as BonafideError;
      if (code === 'graph_timeout' && ++late >= LATE_IN_A_ROW) failure ??= HANGS;
      throw error;
    }
  };
  const refuse = () => {
    if (failure) throw failure;
  };
  const timer = setInterval(() => {
    if (++silent > SILENT_LOOKS) failure ??= HANGS;
    if (looking) return;
    looking = true;
    void noting(async () => look())
      .catch(() => undefined)
      .finally(() => (looking = false));
  }, LOOK_EVERY_MS).unref();
  return {
    async ask(work) {
      refuse();
      return noting(work);
    },
    refuse,
    close: () => clearInterval(timer),
  };
}

const HANGS = new BonafideError('graph_unavailable', 'The graph’s database keeps taking too long.', {
  retryAfterMs: RETRY_AFTER_MS,
});

/** The server ends a statement that takes too long; one that hangs, or is gone without a word, is not waited for either. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new BonafideError('graph_timeout', 'The graph’s database took too long.'));
    const timer = setTimeout(late, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
