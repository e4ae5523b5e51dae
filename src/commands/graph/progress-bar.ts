import { progress } from '@clack/prompts';
import type { ImportProgress } from '../../import/progress.ts';

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
export function recordsBar(quiet: boolean, title: string) {
  const bar = progressBar({ quiet, title, unit: 'records' });
  return {
    show: ({ phase, done, records }: ImportProgress) => bar.show({ phase, done, count: records }),
    stop: bar.stop,
  };
}
