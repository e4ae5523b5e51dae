// Interaction with a terminal: progress bars, questions, and interruption by Ctrl+C.
import { confirm, isCancel, progress } from '@clack/prompts';
import type { ImportProgress } from '../../import/summary.ts';
import { createUsageError } from './arguments.ts';

interface Progress {
  phase: string;
  done: number | null;
  /** Number of processed items; undefined if the work has no count. */
  count?: number;
}

interface ProgressBar {
  show(progress: Progress): void;
  stop(): void;
}

const FULL = 1000;

/**
 * Creates a progress bar on standard error, with rate and remaining time if items are counted. It shows nothing if `quiet` is true or without a
 * terminal. `show` after `stop` starts a new bar.
 */
export function createProgressBar({
  quiet,
  title,
  unit = '',
}: {
  quiet: boolean;
  title: string;
  /** Plural noun of the counted items, such as `records`. */
  unit?: string;
}): ProgressBar {
  if (quiet || !process.stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  let bar: ReturnType<typeof progress> | null = null;
  let [phase, startedAt, position, firstCount] = ['', 0, 0, 0];
  return {
    show({ phase: nextPhase, done, count }) {
      // Without items there may still be a question to answer, which a progress bar would overwrite.
      if (count === 0) return;
      if (bar === null) {
        [bar, phase] = [progress({ max: FULL, output: process.stderr }), ''];
        bar.start(title);
      }
      if (nextPhase !== phase)
        [phase, startedAt, position, firstCount] = [nextPhase, performance.now(), 0, count ?? 0];
      const seconds = (performance.now() - startedAt) / 1000;
      const percent = done === null ? '' : ` ${Math.floor(done * 100)} %`;
      const text =
        count === undefined
          ? percent
          : `: ${count} ${unit}${formatRate(count - firstCount, seconds)}${formatTimeLeft(done, seconds)}`;
      const nextPosition = Math.max(position, Math.round((done ?? 0) * FULL));
      bar.advance(nextPosition - position, `${phase}${text}`);
      position = nextPosition;
    },
    stop() {
      bar?.stop('');
      bar = null;
    },
  };
}

const formatRate = (count: number, seconds: number) =>
  count > 0 ? `, ${Math.round(count / Math.max(seconds, 0.001))}/s` : '';

const formatTimeLeft = (done: number | null, seconds: number) =>
  done ? `, ${Math.ceil((seconds * (1 - done)) / done)} s left` : '';

export function createRecordsProgressBar(quiet: boolean, title: string) {
  const bar = createProgressBar({ quiet, title, unit: 'records' });
  return {
    show: ({ phase, done, records }: ImportProgress) => bar.show({ phase, done, count: records }),
    stop: bar.stop,
  };
}

/** True if standard input and standard error are a terminal, so that an operator can answer questions. */
export const canAskOperator = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks a question in the terminal. Returns true for yes, false for no and for Ctrl+C. */
export async function askYesNo(message: string, { initialValue = true } = {}): Promise<boolean> {
  const answer = await confirm({ message, output: process.stderr, initialValue });
  return !isCancel(answer) && answer;
}

/**
 * Asks for confirmation of a change that cannot be undone, unless --yes was given (`isConfirmed`). Errors: invalid_arguments if the answer is
 * no, or without a terminal.
 */
export async function requireConfirmation(message: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!canAskOperator())
    throw createUsageError('Nothing was changed. Add --yes to confirm: there is no terminal to ask in.');
  if (!(await askYesNo(message, { initialValue: false }))) throw createUsageError('Nothing was changed.');
}

interface OnInterrupt {
  /** Closes open files and databases before it returns. */
  close(): void;
  /** Message for the operator: the work completed so far, and the next step. */
  message: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs work that SIGINT or SIGTERM can interrupt: open files are closed, then the process ends. A second signal ends the process at once. */
export async function runWithCleanupOnInterrupt<T>(
  work: () => Promise<T>,
  { close, message }: OnInterrupt,
): Promise<T> {
  const removeHandlers = () => {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  };
  const interrupt = (signal: NodeJS.Signals) => {
    removeHandlers();
    process.stderr.write(`error: ${message}\n`);
    try {
      close();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work();
  } finally {
    removeHandlers();
  }
}
