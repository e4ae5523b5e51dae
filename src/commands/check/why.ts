import { signed, stepsOf, sumsOf } from '../../evaluate/steps.ts';
import type { Verdict } from '../../model.ts';
import { table } from '../command.ts';

const WIDTH = 32;

/** The sum behind a score as a waterfall: each piece of evidence a bar from where the one before ended, then the bounds. */
export function whyText({ score, raw }: Verdict): string {
  const steps = stepsOf(raw?.explanation ?? []);
  const { ends, low, high } = sumsOf(steps);
  const at = (bits: number) => Math.round(((bits - low) / Math.max(1, high - low)) * WIDTH);
  const rows = steps.map(({ bits, text }, i) => {
    const end = ends[i] ?? 0;
    return [signed(bits), bar(at(end - bits), at(end)), text];
  });
  const sum = ends.at(-1) ?? 0;
  const { preCapped, explanation } = score.combined;
  return [
    `Why ${score.value}, in bits:`,
    '',
    table([...rows, [signed(sum), bar(at(0), at(sum)), `sum: ${preCapped} of 100`]]),
    '',
    explanation,
  ].join('\n');
}

/** A step too small to be seen is a thin line. */
function bar(from: number, to: number): string {
  const [left, right] = from < to ? [from, to] : [to, from];
  const drawn = left === right ? '▏' : '█'.repeat(right - left);
  return `${' '.repeat(left)}${drawn}`.padEnd(WIDTH);
}
