import { progress } from '@clack/prompts';
import type { ImportProgress } from '../../import/progress.ts';

/** A bar on standard error, in a terminal only: share done, records, rate, time left. */
export function progressBar(quiet: boolean): { show(progress: ImportProgress): void; stop(): void } {
  if (quiet || !process.stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  const bar = progress({ max: 1000, output: process.stderr });
  let [phase, started, at] = ['', 0, 0];
  return {
    show(now) {
      if (phase === '') bar.start('importing');
      if (now.phase !== phase) [phase, started, at] = [now.phase, performance.now(), 0];
      const seconds = (performance.now() - started) / 1000;
      const to = Math.round((now.done ?? 0) * 1000);
      const left = now.done ? `, ${Math.ceil((seconds * (1 - now.done)) / now.done)} s left` : '';
      const rate = now.phase === 'reading' ? `, ${Math.round(now.records / Math.max(seconds, 0.001))}/s` : '';
      bar.advance(Math.max(0, to - at), `${now.phase}: ${now.records} records${rate}${left}`);
      at = Math.max(at, to);
    },
    stop: () => void (phase !== '' && bar.stop('')),
  };
}
