// One score as the sum that it is: each piece of evidence a step from where the one before ended.
import { signed, type Step, sumsOf } from '../steps.ts';
import { escape } from './words.ts';

const WIDTH = 200;
const HEIGHT = 12;

/** Steps as rows: what was seen, its bits, and a bar from the sum before to the sum after. */
export function waterfall(steps: Step[]): string {
  const { ends, low, high } = sumsOf(steps);
  const span = Math.max(1, high - low);
  const at = (bits: number) => Number((((bits - low) / span) * (WIDTH - 4) + 2).toFixed(1));
  const rows = steps.map(({ bits, text }, i) => {
    const bar = barOf(at((ends[i] ?? 0) - bits), at(ends[i] ?? 0), at(0));
    return row(escape(text), signed(bits), bar);
  });
  const sum = ends.at(-1) ?? 0;
  return `<ul class="steps">${rows.join('')}${row('<b>sum</b>', `<b>${signed(sum)}</b>`, barOf(at(0), at(sum), at(0)))}</ul>`;
}

const row = (text: string, bits: string, bar: string) =>
  `<li><span>${text}</span><span class="bits">${bits}</span>${bar}</li>`;

function barOf(from: number, to: number, zero: number): string {
  const style = to >= from ? 'genuine' : 'others';
  const width = Math.max(1, Math.abs(to - from)).toFixed(1);
  return (
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">` +
    `<line class="axis" x1="${zero}" x2="${zero}" y1="0" y2="${HEIGHT}"/>` +
    `<rect class="${style}" x="${Math.min(from, to)}" y="2" width="${width}" height="${HEIGHT - 4}"/></svg>`
  );
}
