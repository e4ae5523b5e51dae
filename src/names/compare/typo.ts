// Typing errors of the keyboard, the eye and the ear: how likely is one of two words a mistyped form of the other?
import { trimCommonEnds, typoDistance } from '../../normalise/typo.ts';
import { knownNames } from '../lexicon.ts';

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** The keys around each key. */
const NEIGHBOURS = new Map(
  KEYBOARD.flatMap((row, r) =>
    [...row].map((key, c) => {
      const around = [KEYBOARD[r - 1], KEYBOARD[r + 1]].flatMap((other) => [
        other?.[c - 1],
        other?.[c],
        other?.[c + 1],
      ]);
      return [key, [row[c - 1], row[c + 1], ...around].join('')] as const;
    }),
  ),
);
const LOOK_ALIKE = new Set('il li ij ji uv vu ec ce oc co hb bh nh hn mn nm un nu ao oa ft tf'.split(' '));
const VOWEL = /[aeiouy]/;

const beside = (x: string, y = '') => NEIGHBOURS.get(x)?.includes(y) ?? false;
const areVowels = (x: string, y: string) => VOWEL.test(x) && VOWEL.test(y);

/** Letters that differ of both words, beyond which no typing error is looked for: texts made to cost time end there. */
const LONG = 40;

/** How alike to a typing error one edit is, about 0.4-1.1: of the keyboard, of the eye, or neither. */
function oneEdit(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const first = at === 0 ? 0.45 : 1;
  if (short.length < long.length) return addition(long, at, first);
  const [x, y] = [short.charAt(at), long.charAt(at)];
  if (x === long[at + 1] && y === short[at + 1]) return first * 1.1;
  if (beside(x, y) || LOOK_ALIKE.has(x + y)) return first * 0.95;
  const ending = at === short.length - 1 && areVowels(x, y) ? 0.5 : 1;
  return first * ending * (areVowels(x, y) ? 0.7 : 0.6);
}

/** One letter too many: doubled, from a key beside, or at the end. */
function addition(long: string, at: number, first: number): number {
  const extra = long.charAt(at);
  if (extra === long[at - 1] || extra === long[at + 1]) return first;
  const key = beside(extra, long[at - 1]) || beside(extra, long[at + 1]);
  return first * (at === long.length - 1 ? 0.6 : 1) * (key ? 1 : 0.85);
}

/**
 * Likelihood 0-1 that two different Latin words are one word with one or two typing errors. Short words have none. An error
 * leaves a word that is no name, so one odd-looking word among the two speaks for it and two real-looking ones
 * against it. `known` = how many of the two words are in the tables.
 */
export function typoQuality(a: string, b: string, known: number): number {
  const size = Math.min(a.length, b.length);
  if (size < 4 || known === 2) return 0;
  if (a.length + b.length > LONG && trimCommonEnds(a, b).join('').length > LONG) return 0;
  const edits = typoDistance(a, b, 2);
  if (edits > 2 || (edits === 2 && size < 7)) return 0;
  const length = size >= 7 ? 0.85 : size >= 5 ? 0.75 : 0.45;
  const shape = known === 1 ? 1 : Math.min(1.1, 0.7 + 0.25 * Math.abs(plausibility(a) - plausibility(b)));
  if (edits === 2) return a[0] === b[0] ? length * 0.55 * shape : length * 0.15 * shape;
  return Math.min(0.93, length * oneEdit(a, b) * shape);
}

// How much a word looks like a name: letter triples of the names in the tables.
interface Letters {
  /** How often each letter follows each pair of letters, and how often the pair stands at all. */
  triples: Uint16Array;
  pairs: Uint32Array;
}

let learnt: Letters | undefined;

/** 1-26 for a letter, 0 for the outside of a word. */
function code(text: string, i: number): number {
  const c = text.charCodeAt(i) - 96;
  return c >= 1 && c <= 26 ? c : 0;
}

function learn(): Letters {
  const triples = new Uint16Array(27 * 27 * 27);
  const pairs = new Uint32Array(27 * 27);
  for (const name of knownNames()) {
    let two = 0;
    for (let i = 0; i <= name.length; i++) {
      const letter = code(name, i);
      triples[two * 27 + letter] = (triples[two * 27 + letter] ?? 0) + 1;
      pairs[two] = (pairs[two] ?? 0) + 1;
      two = (two % 27) * 27 + letter;
    }
  }
  return { triples, pairs };
}

/** Least probability of a letter after its two predecessors, as a negative logarithm: about 1 for names, 6 for typos. */
function plausibility(word: string): number {
  const { triples, pairs } = (learnt ??= learn());
  let worst = 0;
  for (let i = 0; i <= word.length; i++) {
    const two = code(word, i - 2) * 27 + code(word, i - 1);
    const cost = -Math.log(((triples[two * 27 + code(word, i)] ?? 0) + 0.2) / ((pairs[two] ?? 0) + 5));
    if (cost > worst) worst = cost;
  }
  return worst;
}
