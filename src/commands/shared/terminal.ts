import { progress, confirm, isCancel } from '@clack/prompts';
import type { ImportProgress } from '../../import/summary.ts';
import type { KeepProgress } from '../../maintenance/progress.ts';
import { BonafideError } from '../../errors.ts';

/** How far some work is. */
interface Progress {
  phase: string;
  /** 0-1, or null where it can't be known. */
  done: number | null;
  /** How many have been worked on. */
  count: number;
}

interface ProgressBar {
  show(now: Progress): void;
  stop(): void;
}

/** A bar on standard error, in a terminal only: share done, how many (`unit`), rate, time left. Shown again after a stop, it is another. */
export function progressBar(of: { quiet: boolean; title: string; unit: string }): ProgressBar {
  const { quiet, title, unit } = of;
  if (quiet || !process.stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  let bar: ReturnType<typeof progress> | null = null;
  let [phase, started, at, first] = ['', 0, 0, 0];
  return {
    show(now: Progress) {
      // What is asked comes before the first.
      if (now.count === 0) return;
      if (bar === null) {
        [bar, phase] = [progress({ max: 1000, output: process.stderr }), ''];
        bar.start(title);
      }
      if (now.phase !== phase) [phase, started, at, first] = [now.phase, performance.now(), 0, now.count];
      const seconds = (performance.now() - started) / 1000;
      const to = Math.round((now.done ?? 0) * 1000);
      const left = now.done ? `, ${Math.ceil((seconds * (1 - now.done)) / now.done)} s left` : '';
      const rate =
        now.count > first ? `, ${Math.round((now.count - first) / Math.max(seconds, 0.001))}/s` : '';
      bar.advance(Math.max(0, to - at), `${now.phase}: ${now.count} ${unit}${rate}${left}`);
      at = Math.max(at, to);
    },
    stop() {
      bar?.stop('');
      bar = null;
    },
  };
}

/** The same for the work on records. */
export function recordsProgressBar(quiet: boolean, title: string) {
  const bar = progressBar({ quiet, title, unit: 'records' });
  return {
    show: ({ phase, done, records }: ImportProgress) => bar.show({ phase, done, count: records }),
    stop: bar.stop,
  };
}

/** A bar on standard error, in a terminal only: what is being done, and how much of it is. */
export function stepProgressBar(quiet: boolean): { show(progress: KeepProgress): void; stop(): void } {
  if (quiet || !process.stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  const bar = progress({ max: 100, output: process.stderr });
  let [started, step, at] = [false, '', 0];
  return {
    show(now) {
      if (!started) bar.start(now.step);
      started = true;
      if (now.step !== step) [step, at] = [now.step, 0];
      const to = Math.floor((now.done ?? 0) * 100);
      if (to === at && to > 0) return;
      bar.advance(Math.max(0, to - at), `${step}${now.done === null ? '' : ` ${to} %`}`);
      at = to;
    },
    stop: () => void (started && bar.stop('')),
  };
}

// Asks before something goes that no command brings back.
/**
 * @param isGiven by --yes
 * Errors: `invalid_arguments` where the answer is no, or nobody can be asked.
 */
export async function confirmOrThrow(message: string, isGiven: boolean): Promise<void> {
  if (isGiven) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new BonafideError('invalid_arguments', 'Nothing was changed: say --yes where nobody can be asked.');
  const answer = await confirm({ message, output: process.stderr, initialValue: false });
  if (isCancel(answer) || !answer) throw new BonafideError('invalid_arguments', 'Nothing was changed.');
}

/**
 * Does work that SIGINT and SIGTERM stop: `close` leaves things as they should be left, then the process ends as the signal would have
 * ended it. A second signal ends it at once. Work that never lets the event loop turn cannot be stopped so.
 */
export async function runInterruptibly<T>(work: () => Promise<T>, { close, says }: OnInterrupt): Promise<T> {
  const stop = (signal: NodeJS.Signals) => {
    for (const other of SIGNALS) process.removeListener(other, stop);
    process.stderr.write(`error: ${says}\n`);
    try {
      close();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}

interface OnInterrupt {
  /** Closes what is open; must be done when it returns. */
  close(): void;
  /** What is left, for people. */
  says: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
