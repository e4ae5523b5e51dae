import { progress } from '@clack/prompts';
import type { KeepProgress } from '../../maintenance/progress.ts';

/** A bar on standard error, in a terminal only: what is being done, and how much of it is. */
export function keepBar(quiet: boolean): { show(progress: KeepProgress): void; stop(): void } {
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
