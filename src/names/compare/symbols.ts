// The alphabet of coarse sounds, and the costs of confusing two sounds or leaving one out.
//
// A base sound is a class of phonemes. A symbol is what a letter of some script may stand for: a set of base sounds with a cost for each,
// so that the `j` of Jorge, Jan and James, or the Arabic waw of Walid and Nur, is one symbol. The costs are judgements of how often two
// orthographies disagree in this way; they do not come from a corpus.
import { parseTextMap, parseTextTable } from '../tables.ts';

export const LETTERS_FOR_BASE_SOUNDS = 'pbtdkgfvszSZCJThXmnNrlwyDaeiou';
const VOWELS = 'aeiou';

/**
 * Table of the costs (0-1) of confusing two base sounds. An entry is a cost, followed by the pairs of sounds that have this cost. Other
 * pairs of consonants cost 1.
 */
const CONFUSIONS = parseTextTable(`
  0.1 ZJ vw uw iy NnX
  0.15 sz Dt ei ou
  0.2 hX Tz DT
  0.25 SZ CJ Ts Xk pf Ss Dd Ds bv ae ao gX
  0.3 pb td kg Tt DJ Dz gh fv CS TC ZC
  0.35 zJ zS Jy kh eo eu iu ow zZ
  0.45 mn Jg rl Ct Ck au ai io fh Jd kC Df SX lw ey
  0.6 dz wb dr lr ln nl gy hy kX
`);

/** Base sounds that one symbol may represent, and the costs of omitting the symbol. */
interface SoundSymbol {
  reads: { base: number; cost: number }[];
  /** Cost of omitting the symbol from a word, unless `dropBare` or `dropLatin` applies. */
  drop: number;
  /** Cost of omitting the symbol if the other script does not write vowels. */
  dropBare: number;
  dropLatin: number;
  vowel: boolean;
  /** Length of the symbol, for measuring the length of a word. */
  weight: number;
}

/** Table of symbols: the symbol, the cost of omitting it, and its possible base sounds, each with its cost. */
const LETTER_SYMBOLS = parseTextTable(`
  1 0.12 a0 e.25  2 0.12 e0 i.1 a.2  3 0.1 i0 e.1 y0  4 0.12 o0 u.05  5 0.12 u0 o.05 w0  6 0.05 e0 a.15 i.15
  U 0.02 u0 o.1 e.2 a.2 i.2  O 0.04 o0 a.15 u.15 e.2  I 0.08 i0 e.1  A 0.08 a0 e.05 o.05 i.1 u.1
  E 0.45 y0 i0 e.02 a.4  V 0.45 w0 v0 u0 o0  @ 0.3 o0 e.05 u.05 a.1
  c 0.8 s0.03 T.08 C.1 k.2  K 0.8 C0.03 k.12 X.1 S.15 h.25  j 0.7 J0.03 y.05 h.15 X.12 Z.05  G 0.8 g0.03 J.05 h.2 X.15 Z.1
  Y 0.25 g0 X.1 h.2  x 0.8 k.1 s.1 S.05 z.1 X.15 h.2 J.3  q 0.8 k0 g.1 C.15  H 0.25 h0 X.1  R 0.6 r0 l0  $ 0.12 r0 l.35
  7 0.4 t0 d.25  8 0.4 s0 z.1 S.2  9 0.45 d0 t.15  0 0.8 C0 T.03 s.2 J.15  ; 0.8 t0 C.05  . 0.8 J.03 z.03 T.05 d.3
  B 0.8 b0 v.03  F 0.7 f0 h.05 v.2  P 0.8 p0 f.03  L 0.4 l0 w.15 r.3  M 0.5 n0 m.08 N0  W 0.2 w0 v.05 u0  < 0.8 k0 g0 q.1
  > 0.8 t0 d0 D.05  = 0.8 p0 b0 v.08 f.2  ? 0.8 J0 C0.05 Z0 z.1 S.3  ! 0.8 s0 S.03 D.08 z.1  : 0.8 S0 s.05
  % 0.8 z0 J.1 D.08 s.1 d.2  ^ 0.5 t0 D0 s.15 d.15  ~ 0.8 d0 z.02 D0  & 0.8 k0 g.05 h.3  * 0.3 t.1 d.15 s.15 z.2 p.25
  + 0.8 J.03 d.12 y.1 g.15 k.2  / 0.8 S0 h.1 X.1 s.05 C.15  ( 0.5 h0 g.12 X0 k.25  ) 0.8 T0 c0 z.05 s.1 C.12 t.2
  " 0.8 b0 v.03 f.25 p.1  [ 0.3 a0 e.1 o.12 u.2 i.25  ] 0.3 e0 a.1 i.1 o.12 u.15  { 0.3 o0 u.03 a.1 e.12 i.25  } 0.3 u0 o.03 e.12 a.15 i.2
  | 0.3 i0 e.08 y0.05 a.2 u.25  _ 0.12 i0 e.1 y0 a.15  ' 0.7 g0 h.08 X.1  , 0.35 r0 l0 e.1 a.2  - 0.35 N0 n0 m.1
`);

/** Costs of omitting letters that Latin spellings freely add and omit. */
const LATIN_DROPS = parseTextMap(
  'H 0.2  1 0.15  2 0.15  _ 0.12  3 0.12  4 0.15  5 0.15  6 0.3  W 0.3  Y 0.5',
);
const BASE_DROPS = parseTextMap(
  'h 0.25  X 0.6  w 0.3  y 0.2  N 0.6  n 0.6  r 0.45  l 0.6  a 0.32  e 0.28  i 0.3  o 0.3  u 0.28',
);

const isVowel = (base: string) => VOWELS.includes(base);

export function buildBaseSoundConfusionCosts(): Float64Array {
  const size = LETTERS_FOR_BASE_SOUNDS.length;
  const costs = new Float64Array(size ** 2);
  for (const [x, baseSound] of [...LETTERS_FOR_BASE_SOUNDS].entries())
    for (const [y, two] of [...LETTERS_FOR_BASE_SOUNDS].entries())
      costs[x * size + y] =
        x === y ? 0 : isVowel(baseSound) !== isVowel(two) ? 1.1 : isVowel(baseSound) ? 0.4 : 1;
  for (const [cost, ...pairs] of CONFUSIONS) {
    for (const pair of pairs) {
      const [x, y] = [
        LETTERS_FOR_BASE_SOUNDS.indexOf(pair.charAt(0)),
        LETTERS_FOR_BASE_SOUNDS.indexOf(pair.charAt(1)),
      ];
      costs[x * size + y] = costs[y * size + x] = Number(cost);
    }
  }
  return costs;
}

function toBaseSymbol(base: string): SoundSymbol {
  const vowel = isVowel(base);
  const drop = Number(BASE_DROPS.get(base) ?? 0.8);
  return {
    reads: [{ base: LETTERS_FOR_BASE_SOUNDS.indexOf(base), cost: 0 }],
    drop,
    dropBare: vowel ? 0.04 : drop,
    dropLatin: vowel ? 0.4 : base === 'y' ? 0.2 : 0.8,
    vowel,
    weight: vowel ? 0.4 : 1,
  };
}

function toLetterSymbol(symbol: string, drop: number, reads: string[]): SoundSymbol {
  const vowel = /[1-6UOIAE@V[\]{}|_]/.test(symbol);
  return {
    reads: reads
      .map((read) => ({ base: LETTERS_FOR_BASE_SOUNDS.indexOf(read.charAt(0)), cost: Number(read.slice(1)) }))
      .filter(({ base }) => base >= 0),
    drop,
    dropBare: bareDrop(symbol, vowel, drop),
    dropLatin: Number(LATIN_DROPS.get(symbol) ?? Math.max(drop, vowel ? 0.2 : 0.7)),
    vowel,
    weight: /[UOIA_1-6]/.test(symbol) ? 0.2 : vowel ? 0.4 : Math.max(0.4, Math.min(1, drop + 0.2)),
  };
}

/**
 * Returns the cost of omitting a symbol, for scripts that do not write short vowels. These scripts nearly always write diphthongs and long
 * vowels, which therefore cost more.
 */
function bareDrop(symbol: string, vowel: boolean, drop: number): number {
  if (/[1-5_]/.test(symbol)) return 0.45;
  return vowel && !/[EV]/.test(symbol) ? Math.min(drop, 0.04) : drop;
}

/** Builds the map from each sound symbol to its possible sounds and its costs. */
export function buildSoundDetailsBySymbol(): Map<string, SoundSymbol> {
  const symbols = new Map([...LETTERS_FOR_BASE_SOUNDS].map((base) => [base, toBaseSymbol(base)]));
  for (const [symbol = '', drop, ...reads] of LETTER_SYMBOLS)
    symbols.set(symbol, toLetterSymbol(symbol, Number(drop), reads));
  return symbols;
}
