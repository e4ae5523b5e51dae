// How far two words are apart by their sound.
import type { SoundMode } from '../types.ts';
import { baseCosts, BASES, symbols } from './symbols.ts';

const FIRST = 33;
const SPAN = 94;
const place = (symbol: string) => symbol.charCodeAt(0) - FIRST;
/** The r after a vowel. */
const LAST_R = place('$');
/** The vowel that the letters of India carry without writing it. */
const INHERENT = place('a');

/** Costs for pairs of symbols and for leaving one out; indexed by character code less 33. */
interface SoundCosts {
  swap: Float32Array;
  drop: Record<SoundMode, Float32Array>;
  weight: Float32Array;
}

type Reads = { base: number; cost: number }[];

function build(): SoundCosts {
  const bases = baseCosts();
  const all = [...symbols()].map(([symbol, facts]) => ({ at: place(symbol), ...facts }));
  const dropped = () => new Float32Array(SPAN).fill(0.8);
  const costs: SoundCosts = {
    swap: new Float32Array(SPAN * SPAN).fill(1.1),
    drop: { full: dropped(), eastern: dropped(), bare: dropped(), indic: dropped(), latin: dropped() },
    weight: new Float32Array(SPAN).fill(1),
  };
  for (const { at, drop, dropBare, dropLatin, weight } of all) {
    const spoken = at === LAST_R ? 0.45 : drop;
    costs.drop.eastern[at] = drop;
    costs.drop.full[at] = spoken;
    costs.drop.bare[at] = at === LAST_R ? spoken : dropBare;
    costs.drop.latin[at] = dropLatin;
    costs.drop.indic[at] = at === INHERENT ? 0.03 : spoken;
    costs.weight[at] = weight;
  }
  for (const [i, left] of all.entries()) {
    costs.swap[left.at * SPAN + left.at] = 0;
    for (const right of all.slice(0, i)) {
      const least = leastCost(left.reads, right.reads, bases);
      costs.swap[left.at * SPAN + right.at] = least;
      costs.swap[right.at * SPAN + left.at] = least;
    }
  }
  return costs;
}

/** The cheapest way to hear two symbols as one. */
function leastCost(a: Reads, b: Reads, bases: Float64Array): number {
  let least = 2;
  for (const p of a) {
    for (const q of b) {
      const cost = (bases[p.base * BASES.length + q.base] ?? 0) + p.cost + q.cost;
      if (cost < least) least = cost;
    }
  }
  return least;
}

let built: SoundCosts | undefined;
const LONGEST = 48;
const ROWS: [Float32Array, Float32Array] = [new Float32Array(LONGEST + 1), new Float32Array(LONGEST + 1)];

/** How sounds are compared, and from where on the distance says nothing. */
export interface SoundMeasure {
  mode: SoundMode;
  far: number;
}

/** The first sound of a word is seldom lost, and seldom another. */
const FIRST_LOST = 1.4;
const FIRST_CHANGED = 1.5;

/**
 * Distance of two sounds, 0 (alike) upwards; about 1 when nothing agrees. A difference in the first sound counts half as
 * much again. Of sounds further apart than `far` no more is told than that they are.
 */
export function soundDistance(a: string, b: string, { mode, far }: SoundMeasure): number {
  const { swap, drop, weight } = (built ??= build());
  const n = Math.min(a.length, LONGEST);
  const m = Math.min(b.length, LONGEST);
  if (n === 0 || m === 0) return 1;
  const leave = drop[mode];
  let [old, row] = ROWS;
  let total = 0;
  for (let j = 0; j < m; j++) total += weight[b.charCodeAt(j) - FIRST] ?? 0;
  for (let i = 0; i < n; i++) total += weight[a.charCodeAt(i) - FIRST] ?? 0;
  const most = (far * Math.max(total, 1.5)) / 2;
  old[0] = 0;
  for (let j = 1; j <= m; j++)
    old[j] = (old[j - 1] ?? 0) + (leave[b.charCodeAt(j - 1) - FIRST] ?? 0) * (j === 1 ? FIRST_LOST : 1);
  for (let i = 1; i <= n; i++) {
    const x = a.charCodeAt(i - 1) - FIRST;
    const out = (leave[x] ?? 0) * (i === 1 ? FIRST_LOST : 1);
    row[0] = (old[0] ?? 0) + out;
    let least = row[0] ?? 0;
    for (let j = 1; j <= m; j++) {
      const y = b.charCodeAt(j - 1) - FIRST;
      const change = (swap[x * SPAN + y] ?? 0) * (i === 1 && j === 1 ? FIRST_CHANGED : 1);
      let cost = (old[j - 1] ?? 0) + change;
      const without = (old[j] ?? 0) + out;
      if (without < cost) cost = without;
      const lacking = (row[j - 1] ?? 0) + (leave[y] ?? 0) * (j === 1 ? FIRST_LOST : 1);
      row[j] = lacking < cost ? lacking : cost;
      if ((row[j] ?? 0) < least) least = row[j] ?? 0;
    }
    if (least > most) return Infinity;
    [old, row] = [row, old];
  }
  return (2 * (old[m] ?? 0)) / Math.max(total, 1.5);
}
