import type { Watched } from '../../admin/probes.ts';
import { table } from '../command.ts';

/** How keys asked, as a table for people. */
export function watchedText(all: Watched[]): string {
  if (all.length === 0) return 'No key asked anything in the last day.';
  const head = ['key', 'checks', 'name only', 'one value', 'without record', 'different', 'in runs', ''];
  const rows = all.map((one) => [
    one.key,
    ...[one.checks, one.nameOnly, one.oneValue, one.withoutRecord, one.fresh, one.runs].map(String),
    one.suspicion === 'quiet' ? '' : `${one.suspicion}: ${one.why.join(', ')}`,
  ]);
  return table([head, ...rows]);
}
