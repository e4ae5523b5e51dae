// Likelihood that one of two words is a mistyped form of the other: errors on the keyboard, look-alike letters, and how name-like each word is.
import { trimCommonEnds, getTypoDistance } from '../../normalise/typo.ts';
import { listKnownNames } from '../lexicon.ts';

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Map of a key on the keyboard to the keys around it. */
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
const LOOK_ALIKES = new Set('il li ij ji uv vu ec ce oc co hb bh nh hn mn nm un nu ao oa ft tf'.split(' '));
const VOWEL = /[aeiouy]/;

const areNeighbours = (x: string, y = '') => NEIGHBOURS.get(x)?.includes(y) ?? false;
const areVowels = (x: string, y: string) => VOWEL.test(x) && VOWEL.test(y);

/** Returns a factor, about 0.4-1.1, for how typical a typing error the one edit between two words is. */
function oneEditFactor(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const first = at === 0 ? 0.45 : 1;
  if (short.length < long.length) return additionFactor(long, at, first);
  const [x, y] = [short.charAt(at), long.charAt(at)];
  if (x === long[at + 1] && y === short[at + 1]) return first * 1.1;
  if (areNeighbours(x, y) || LOOK_ALIKES.has(x + y)) return first * 0.95;
  const ending = at === short.length - 1 && areVowels(x, y) ? 0.5 : 1;
  return first * ending * (areVowels(x, y) ? 0.7 : 0.6);
}

/** Returns the factor for one extra letter: doubled, from a neighbouring key, or at the end. */
function additionFactor(long: string, at: number, first: number): number {
  const extra = long.charAt(at);
  if (extra === long[at - 1] || extra === long[at + 1]) return first;
  const isNearKey = areNeighbours(extra, long[at - 1]) || areNeighbours(extra, long[at + 1]);
  return first * (at === long.length - 1 ? 0.6 : 1) * (isNearKey ? 1 : 0.85);
}

/** Factors for two typing errors in one word; the first letter is seldom wrong. */
const TWO_ERRORS = 0.55;
const TWO_ERRORS_AND_OTHER_START = 0.15;

/**
 * Maximum length, in letters, of the different parts of two words together. Longer words are not searched for
 * typing errors, so that hostile input cannot take long.
 */
const MAX_DIFFERENT_LETTERS = 40;

/**
 * Returns the likelihood, 0-1, that two different Latin words are one word with one or two typing errors; 0 for words under four letters.
 * An error makes a word that is not a name, so one odd-looking word speaks for an error and two real-looking words against it. `knownCount`
 * is how many of the two words are in the name tables.
 */
export function estimateTypoLikelihood(a: string, b: string, knownCount: number): number {
  const size = Math.min(a.length, b.length);
  if (size < 4 || knownCount === 2) return 0;
  if (
    a.length + b.length > MAX_DIFFERENT_LETTERS &&
    trimCommonEnds(a, b).join('').length > MAX_DIFFERENT_LETTERS
  )
    return 0;
  const edits = getTypoDistance(a, b, 2);
  if (edits > 2 || (edits === 2 && size < 7)) return 0;
  const length = size >= 7 ? 0.85 : size >= 5 ? 0.75 : 0.45;
  const oddness = Math.abs(letterSurprise(a) - letterSurprise(b));
  const shape = knownCount === 1 && edits === 1 ? 1 : Math.min(1.1, 0.7 + 0.25 * oddness);
  if (edits === 2) return length * shape * (a[0] === b[0] ? TWO_ERRORS : TWO_ERRORS_AND_OTHER_START);
  return Math.min(0.93, length * oneEditFactor(a, b) * shape);
}

interface LetterCounts {
  triples: Uint16Array;
  pairs: Uint32Array;
}

let letterCounts: LetterCounts | undefined;

function letterCode(text: string, i: number): number {
  const code = text.charCodeAt(i) - 96;
  return code >= 1 && code <= 26 ? code : 0;
}

function countLetters(): LetterCounts {
  const triples = new Uint16Array(27 * 27 * 27);
  const pairs = new Uint32Array(27 * 27);
  for (const name of listKnownNames()) {
    let pair = 0;
    for (let i = 0; i <= name.length; i++) {
      const letter = letterCode(name, i);
      triples[pair * 27 + letter] = (triples[pair * 27 + letter] ?? 0) + 1;
      pairs[pair] = (pairs[pair] ?? 0) + 1;
      pair = (pair % 27) * 27 + letter;
    }
  }
  return { triples, pairs };
}

/**
 * Returns the surprise of the least probable letter of a word: the negative logarithm of its probability
 * after the two letters before it, by the known names. About 1 for names, 6 for words with typing errors.
 */
function letterSurprise(word: string): number {
  const { triples, pairs } = (letterCounts ??= countLetters());
  let worst = 0;
  for (let i = 0; i <= word.length; i++) {
    const pair = letterCode(word, i - 2) * 27 + letterCode(word, i - 1);
    const count = triples[pair * 27 + letterCode(word, i)] ?? 0;
    const cost = -Math.log((count + 0.2) / ((pairs[pair] ?? 0) + 5));
    if (cost > worst) worst = cost;
  }
  return worst;
}
