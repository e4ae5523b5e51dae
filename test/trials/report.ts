// The table of the trials in Markdown, for a page of the documentation.
import { isPassed } from './trial.ts';
import type { Tally, Trial } from './trial.ts';

export const TABLE_HEAD = `| trial | did | answered calls lost | wrong answers | 5xx from input | longest work in a turn, ms (by the clock) | memory, MB | seconds |
|---|---|---|---|---|---|---|---|
`;

export type Timed = Tally & { seconds: number };

/** Returns a row of the table, and below it the faults and the measurements. */
export function line({ name }: Trial, tally: Timed): string {
  const { lost, wrong, unnoticed, fiveHundreds, busyMs, holdMs, memory, seconds } = tally;
  const done = [...tally.did].map(([what, times]) => `${number(times)} ${what}`).join(', ');
  const cells = [
    isPassed(tally) ? name : `**${name}**`,
    done || '–',
    number(lost),
    unnoticed > 0
      ? `${number(wrong)} (and ${number(unnoticed)} of a bit that SQLite cannot notice)`
      : number(wrong),
    number(fiveHundreds),
    busyMs > 0 ? `${busyMs.toFixed(1)} (${holdMs.toFixed(1)})` : '–',
    memory.after > 0 ? `${memory.before.toFixed(0)} → ${memory.after.toFixed(0)}` : '–',
    seconds.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |\n${faultLines(tally)}${tally.notes.map((note) => `    ${note}\n`).join('')}`;
}

export function faultLines({ faults }: Tally): string {
  return [...faults]
    .map(([seen, { times, repeat }]) => `    ${number(times)} × ${seen}\n        repeat: ${repeat}\n`)
    .join('');
}

export function summary(tallies: Timed[]): string {
  const total = (what: string) => tallies.reduce((sum, { did }) => sum + (did.get(what) ?? 0), 0);
  const failed = tallies.filter((tally) => !isPassed(tally)).length;
  const [kills, calls] = [number(total('kills')), number(total('answered calls'))];
  return `\n${kills} kills, ${calls} answered calls, ${failed} of ${tallies.length} trials failed\n`;
}

const number = (value: number): string => value.toLocaleString('en-US');
