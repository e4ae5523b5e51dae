// The alphabet of coarse sounds, and what it costs to read one as another or to leave one out.
//
// A base sound is a phoneme class. A symbol is what a letter of some script may stand for: a set of base sounds with a
// cost each, so that the `j` of Jorge, Jan and James, or the Arabic waw of Walid and Nur, is one symbol. The costs are
// judgements on how often two orthographies disagree in that way; they come from no corpus.

export const BASES = 'pbtdkgfvszSZCJThXmnNrlwyDaeiou';
const VOWELS = 'aeiou';

/** Consonants that orthographies confuse, with the cost of the confusion; every other pair costs 1. */
const CONFUSIONS: Record<string, string> = {
  0.1: 'ZJ vw uw iy NnX',
  0.15: 'sz Dt ei ou',
  0.2: 'hX Tz DT',
  0.25: 'SZ CJ Ts Xk pf Ss Dd Ds bv ae ao gX',
  0.3: 'pb td kg Tt DJ Dz gh fv CS TC ZC',
  0.35: 'zJ zS Jy kh eo eu iu ow zZ',
  0.45: 'mn Jg rl Ct Ck au ai io fh Jd kC Df SX lw ey',
  0.6: 'dz wb dr lr ln nl gy hy kX',
};

/** What one symbol stands for. */
interface SoundSymbol {
  reads: { base: number; cost: number }[];
  /** Cost of leaving the symbol out: in general, where the other side writes no vowels, between Latin words. */
  drop: number;
  dropBare: number;
  dropLatin: number;
  weight: number;
}

/** symbol -> base sounds with costs; then the cost of leaving it out. */
const LETTERS: Record<string, [reads: string, drop: number]> = {
  1: ['a0 e.25', 0.12],
  2: ['e0 i.1 a.2', 0.12],
  3: ['i0 e.1 y0', 0.1],
  4: ['o0 u.05', 0.12],
  5: ['u0 o.05 w0', 0.12],
  6: ['e0 a.15 i.15', 0.05],
  U: ['u0 o.1 e.2 a.2 i.2', 0.02],
  O: ['o0 a.15 u.15 e.2', 0.04],
  I: ['i0 e.1', 0.08],
  A: ['a0 e.05 o.05 i.1 u.1', 0.08],
  E: ['y0 i0 e.02 a.4', 0.45],
  V: ['w0 v0 u0 o0', 0.45],
  '@': ['o0 e.05 u.05 a.1', 0.3],
  c: ['s0.03 T.08 C.1 k.2', 0.8],
  K: ['C0.03 k.12 X.1 S.15 h.25', 0.8],
  j: ['J0.03 y.05 h.15 X.12 Z.05', 0.7],
  G: ['g0.03 J.05 h.2 X.15 Z.1', 0.8],
  Y: ['g0 X.1 h.2', 0.25],
  x: ['k.1 s.1 S.05 z.1 X.15 h.2 J.3', 0.8],
  q: ['k0 g.1 C.15', 0.8],
  H: ['h0 X.1', 0.25],
  R: ['r0 l0', 0.6],
  $: ['r0 l.35', 0.12],
  7: ['t0 d.25', 0.4],
  8: ['s0 z.1 S.2', 0.4],
  9: ['d0 t.15', 0.45],
  0: ['C0 T.03 s.2 J.15', 0.8],
  ';': ['t0 C.05', 0.8],
  '.': ['J.03 z.03 T.05 d.3', 0.8],
  B: ['b0 v.03', 0.8],
  F: ['f0 h.05 v.2', 0.7],
  P: ['p0 f.03', 0.8],
  L: ['l0 w.15 r.3', 0.4],
  M: ['n0 m.08 N0', 0.5],
  W: ['w0 v.05 u0', 0.2],
  '<': ['k0 g0 q.1', 0.8],
  '>': ['t0 d0 D.05', 0.8],
  '=': ['p0 b0 v.08 f.2', 0.8],
  '?': ['J0 C0.05 Z0 z.1 S.3', 0.8],
  '!': ['s0 S.03 D.08 z.1', 0.8],
  ':': ['S0 s.05', 0.8],
  '%': ['z0 J.1 D.08 s.1 d.2', 0.8],
  '^': ['t0 D0 s.15 d.15', 0.5],
  '~': ['d0 z.02 D0', 0.8],
  '&': ['k0 g.05 h.3', 0.8],
  '*': ['t.1 d.15 s.15 z.2 p.25', 0.3],
  '+': ['J.03 d.12 y.1 g.15 k.2', 0.8],
  '/': ['S0 h.1 X.1 s.05 C.15', 0.8],
  '(': ['h0 g.12 X0 k.25', 0.5],
  ')': ['T0 c0 z.05 s.1 C.12 t.2', 0.8],
  '"': ['b0 v.03 f.25 p.1', 0.8],
  "'": ['g0 h.08 X.1', 0.7],
  ',': ['r0 l0 e.1 a.2', 0.35],
  '-': ['N0 n0 m.1', 0.35],
};

/** Short vowels go unwritten; half a diphthong, like the letters for long vowels, seldom does. */
function bareDrop(symbol: string, vowel: boolean, drop: number): number {
  if (/[1-5]/.test(symbol)) return 0.45;
  return vowel && !/[EV]/.test(symbol) ? Math.min(drop, 0.04) : drop;
}

/** Letters that Latin spellings add and leave out freely. */
const LATIN_DROP: Record<string, number> = {
  H: 0.2,
  1: 0.15,
  2: 0.15,
  3: 0.12,
  4: 0.15,
  5: 0.15,
  6: 0.3,
  W: 0.3,
  Y: 0.5,
};

const BASE_DROP: Record<string, number> = {
  h: 0.25,
  X: 0.6,
  w: 0.3,
  y: 0.2,
  N: 0.6,
  n: 0.6,
  r: 0.45,
  l: 0.6,
  a: 0.32,
  e: 0.28,
  i: 0.3,
  o: 0.3,
  u: 0.28,
};

const isVowel = (base: string) => VOWELS.includes(base);

/** Cost of taking one base sound for another, at `x * BASES.length + y`. */
export function baseCosts(): Float64Array {
  const costs = new Float64Array(BASES.length ** 2);
  for (const [x, one] of [...BASES].entries())
    for (const [y, two] of [...BASES].entries())
      costs[x * BASES.length + y] =
        x === y ? 0 : isVowel(one) !== isVowel(two) ? 1.1 : isVowel(one) ? 0.4 : 1;
  for (const [cost, pairs] of Object.entries(CONFUSIONS)) {
    for (const pair of pairs.split(' ')) {
      const [x, y] = [BASES.indexOf(pair.charAt(0)), BASES.indexOf(pair.charAt(1))];
      costs[x * BASES.length + y] = costs[y * BASES.length + x] = Number(cost);
    }
  }
  return costs;
}

function baseSymbol(base: string): SoundSymbol {
  const vowel = isVowel(base);
  const drop = BASE_DROP[base] ?? 0.8;
  return {
    reads: [{ base: BASES.indexOf(base), cost: 0 }],
    drop,
    dropBare: vowel ? 0.04 : drop,
    dropLatin: vowel ? 0.4 : base === 'y' ? 0.2 : 0.8,
    weight: vowel ? 0.4 : 1,
  };
}

function letterSymbol(symbol: string, reads: string, drop: number): SoundSymbol {
  const vowel = /[1-6UOIAE@V]/.test(symbol);
  return {
    reads: reads
      .split(' ')
      .map((read) => ({ base: BASES.indexOf(read.charAt(0)), cost: Number(read.slice(1)) }))
      .filter(({ base }) => base >= 0),
    drop,
    dropBare: bareDrop(symbol, vowel, drop),
    dropLatin: LATIN_DROP[symbol] ?? Math.max(drop, vowel ? 0.2 : 0.7),
    weight: /[UOIA1-6]/.test(symbol) ? 0.2 : vowel ? 0.4 : Math.max(0.4, Math.min(1, drop + 0.2)),
  };
}

/** Every symbol of a sound. */
export function symbols(): Map<string, SoundSymbol> {
  const all = new Map([...BASES].map((base) => [base, baseSymbol(base)]));
  for (const [symbol, [reads, drop]] of Object.entries(LETTERS))
    all.set(symbol, letterSymbol(symbol, reads, drop));
  return all;
}
