import type { SoundComparisonMode } from '../types.ts';
import {
  LETTERS_FOR_BASE_SOUNDS,
  buildBaseSoundConfusionCosts,
  buildSoundDetailsBySymbol,
} from './symbols.ts';

/** Lowest character code of a sound symbol. Tables are indexed by the code minus this number. */
const FIRST_CODE = 33;
const SYMBOL_COUNT = 94;
const indexOf = (symbol: string) => symbol.charCodeAt(0) - FIRST_CODE;
const R_AFTER_VOWEL = indexOf('$');
/** Index of the vowel a. A consonant letter of an Indian script includes it, unless a vowel sign follows. */
const INHERENT_VOWEL = indexOf('a');

interface SoundCosts {
  /** Cost of replacing symbol x by y, at index `x * SYMBOL_COUNT + y`. */
  swap: Float32Array;
  /** Cost of replacing symbol x by y if both words are Latin, at the same index as in `swap`. */
  latinSwap: Float32Array;
  drop: Record<SoundComparisonMode, Float32Array>;
  /** Cost of omitting the first symbol of a word, by comparison mode and symbol. */
  first: Record<SoundComparisonMode, Float32Array>;
  weight: Float32Array;
}

type Reads = { base: number; cost: number }[];

let costs: SoundCosts | undefined;

function buildCosts(): SoundCosts {
  const baseCosts = buildBaseSoundConfusionCosts();
  const symbols = [...buildSoundDetailsBySymbol()].map(([symbol, facts]) => ({
    at: indexOf(symbol),
    ...facts,
  }));
  const newDrops = () => new Float32Array(SYMBOL_COUNT).fill(0.8);
  const built: SoundCosts = {
    swap: new Float32Array(SYMBOL_COUNT * SYMBOL_COUNT).fill(toStep(1.1)),
    latinSwap: new Float32Array(SYMBOL_COUNT * SYMBOL_COUNT).fill(1.1),
    drop: { full: newDrops(), eastern: newDrops(), bare: newDrops(), indic: newDrops(), latin: newDrops() },
    first: { full: newDrops(), eastern: newDrops(), bare: newDrops(), indic: newDrops(), latin: newDrops() },
    weight: new Float32Array(SYMBOL_COUNT).fill(1),
  };
  for (const { at, drop, dropBare, dropLatin, weight } of symbols) {
    const dropFull = at === R_AFTER_VOWEL ? 0.45 : drop;
    built.drop.eastern[at] = drop;
    built.drop.full[at] = dropFull;
    built.drop.bare[at] = at === R_AFTER_VOWEL ? dropFull : dropBare;
    built.drop.latin[at] = dropLatin;
    built.drop.indic[at] = at === INHERENT_VOWEL ? 0.03 : dropFull;
    built.weight[at] = weight;
  }
  for (const mode of ['full', 'eastern', 'bare', 'indic', 'latin'] as const) {
    const drops = built.drop[mode];
    const toCost = mode === 'latin' ? (cost: number) => cost : toStep;
    built.first[mode] = drops.map((cost) => toCost(FIRST_DROP_FACTOR * cost));
    built.drop[mode] = drops.map(toCost);
  }
  // Every script writes a vowel at the start of a word, so leaving it out is not free.
  for (const { at, vowel } of symbols) if (vowel) built.first.bare[at] = FIRST_VOWEL_DROP;
  for (const [i, left] of symbols.entries()) {
    built.swap[left.at * SYMBOL_COUNT + left.at] = 0;
    built.latinSwap[left.at * SYMBOL_COUNT + left.at] = 0;
    for (const right of symbols.slice(0, i)) {
      const cost = cheapestSwap(left.reads, right.reads, baseCosts);
      const step = toStep(cost);
      built.latinSwap[left.at * SYMBOL_COUNT + right.at] = cost;
      built.latinSwap[right.at * SYMBOL_COUNT + left.at] = cost;
      built.swap[left.at * SYMBOL_COUNT + right.at] = step;
      built.swap[right.at * SYMBOL_COUNT + left.at] = step;
    }
  }
  return built;
}

/**
 * Returns the cost of one difference between words in two scripts. The cost grows faster than its argument, so that one clear difference (a
 * consonant) costs more than several slight ones (vowels) with the same sum.
 */
const toStep = (cost: number) => cost * (0.75 + 0.6 * cost);

/** Returns the lowest cost at which two symbols may represent the same sound. */
function cheapestSwap(a: Reads, b: Reads, baseCosts: Float64Array): number {
  let least = 2;
  for (const p of a) {
    for (const q of b) {
      const cost = (baseCosts[p.base * LETTERS_FOR_BASE_SOUNDS.length + q.base] ?? 0) + p.cost + q.cost;
      if (cost < least) least = cost;
    }
  }
  return least;
}

const MAX_LENGTH = 48;
const ROWS: [Float32Array, Float32Array] = [
  new Float32Array(MAX_LENGTH + 1),
  new Float32Array(MAX_LENGTH + 1),
];

export interface SoundDistanceOptions {
  mode: SoundComparisonMode;
  /** Maximum distance of interest. Infinity is returned for larger distances, which saves time. */
  far: number;
}

/**
 * Factors on the costs of the first sound of a word, if it is missing or different. They exceed 1, because people seldom drop or change
 * this sound.
 */
const FIRST_DROP_FACTOR = 1.4;
const FIRST_SWAP_FACTOR = 1.5;
/** Cost of a missing first vowel, if the script omits short vowels inside a word. */
const FIRST_VOWEL_DROP = 0.45;

/**
 * Returns the distance between the sounds of two words: 0 if all sounds are equal, about 1 if none is. A difference in the first sound
 * costs one and a half times as much. A word without sounds has distance 1 from any word.
 */
export function computeSoundDistance(a: string, b: string, { mode, far }: SoundDistanceOptions): number {
  const { swap: swapAcross, latinSwap, drop, first, weight } = (costs ??= buildCosts());
  const swap = mode === 'latin' ? latinSwap : swapAcross;
  const n = Math.min(a.length, MAX_LENGTH);
  const m = Math.min(b.length, MAX_LENGTH);
  if (n === 0 || m === 0) return 1;
  const dropOf = drop[mode];
  const firstOf = first[mode];
  let [old, row] = ROWS;
  let total = 0;
  for (let j = 0; j < m; j++) total += weight[b.charCodeAt(j) - FIRST_CODE] ?? 0;
  for (let i = 0; i < n; i++) total += weight[a.charCodeAt(i) - FIRST_CODE] ?? 0;
  const limit = (far * Math.max(total, 1.5)) / 2;
  old[0] = 0;
  for (let j = 1; j <= m; j++) {
    const dropB = (j === 1 ? firstOf : dropOf)[b.charCodeAt(j - 1) - FIRST_CODE] ?? 0;
    old[j] = (old[j - 1] ?? 0) + dropB;
  }
  for (let i = 1; i <= n; i++) {
    const x = a.charCodeAt(i - 1) - FIRST_CODE;
    const dropA = (i === 1 ? firstOf : dropOf)[x] ?? 0;
    row[0] = (old[0] ?? 0) + dropA;
    let least = row[0] ?? 0;
    for (let j = 1; j <= m; j++) {
      const y = b.charCodeAt(j - 1) - FIRST_CODE;
      const swapped = (swap[x * SYMBOL_COUNT + y] ?? 0) * (i === 1 && j === 1 ? FIRST_SWAP_FACTOR : 1);
      let cost = (old[j - 1] ?? 0) + swapped;
      const withoutA = (old[j] ?? 0) + dropA;
      if (withoutA < cost) cost = withoutA;
      const withoutB = (row[j - 1] ?? 0) + ((j === 1 ? firstOf : dropOf)[y] ?? 0);
      row[j] = withoutB < cost ? withoutB : cost;
      if ((row[j] ?? 0) < least) least = row[j] ?? 0;
    }
    if (least > limit) return Infinity;
    [old, row] = [row, old];
  }
  return (2 * (old[m] ?? 0)) / Math.max(total, 1.5);
}
