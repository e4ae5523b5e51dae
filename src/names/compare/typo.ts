// Likelihood that one of two words is a mistyped form of the other: errors on the keyboard, look-alike letters, and how name-like each word is.
import { removeCommonPrefixAndSuffix, getTypoDistance } from '../../normalise/typo.ts';
import { listKnownNames } from '../lexicon.ts';

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Neighbouring keys of each key on the keyboard. */
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
/** Groups of letters that a scanner reads as other letters (`rn/m`), in both directions. */
const LOOK_ALIKE_GROUPS = new Set('rn/m m/rn cl/d d/cl li/h h/li ii/u u/ii vv/w w/vv'.split(' '));
const VOWEL = /[aeiouy]/;

const areNeighbours = (x: string, y = '') => NEIGHBOURS.get(x)?.includes(y) ?? false;
const areVowels = (x: string, y: string) => VOWEL.test(x) && VOWEL.test(y);

/** Factor on the likelihood of an error in the first letter. People seldom mistype it. */
const OTHER_START = 0.45;

/** True if one word starts with i and the other with l. Capital I and small l look the same in many fonts. */
const isCapitalI = (a: string, b: string) => /^(?:il|li)$/.test(a.charAt(0) + b.charAt(0));

/**
 * Returns the factor on the likelihood of a typing error, for words that differ by one edit: 1.1 for exchanged letters, about 0.2 for an
 * unusual error.
 */
function oneEditFactor(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const first = at === 0 ? (isCapitalI(a, b) ? 0.9 : OTHER_START) : 1;
  if (short.length < long.length) return additionFactor(long, at, first);
  const [x, y] = [short.charAt(at), long.charAt(at)];
  if (x === long[at + 1] && y === short[at + 1]) return first * 1.1;
  if (areNeighbours(x, y) || LOOK_ALIKES.has(x + y)) return first * 0.95;
  const ending = at === short.length - 1 && areVowels(x, y) ? 0.5 : 1;
  return first * ending * (areVowels(x, y) ? 0.7 : 0.6);
}

/**
 * Returns the factor (0-1) on the likelihood that one more letter in a word is a typing error. It is highest for a doubled letter, and
 * lower if the letter is far away on the keyboard or ends the word.
 */
function additionFactor(long: string, at: number, first: number): number {
  const extra = long.charAt(at);
  if (extra === long[at - 1] || extra === long[at + 1]) return first;
  const isNearKey = areNeighbours(extra, long[at - 1]) || areNeighbours(extra, long[at + 1]);
  return first * (at === long.length - 1 ? 0.6 : 1) * (isNearKey ? 1 : 0.85);
}

/** Factors (0-1) on the likelihood of two typing errors in one word: with an equal and with a different first letter. */
const TWO_ERRORS = 0.55;
const TWO_ERRORS_AND_OTHER_START = 0.15;
/**
 * Factor (0-1) on the likelihood of two typing errors if at least one of them replaces a letter by one that is neither similar nor near on
 * the keyboard: Hallmann, Hartmann.
 */
const TWO_OTHER_LETTERS = 0.35;

function twoErrorsFactor(a: string, b: string): number {
  if (a[0] !== b[0]) return TWO_ERRORS_AND_OTHER_START;
  if (a.length !== b.length) return TWO_ERRORS;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a.charAt(i), b.charAt(i)];
    if (x === y || areNeighbours(x, y) || LOOK_ALIKES.has(x + y)) continue;
    const isExchange = (x === b[i + 1] && y === a[i + 1]) || (x === b[i - 1] && y === a[i - 1]);
    if (!isExchange) return TWO_OTHER_LETTERS;
  }
  return TWO_ERRORS;
}

/** Returns the factor (0-1) on the likelihood that a scanner confused two words (Bernard, Bemard); 0 for other words. */
function lookAlikeFactor(a: string, b: string): number {
  if (
    Math.abs(a.length - b.length) !== 1 ||
    !LOOK_ALIKE_GROUPS.has(removeCommonPrefixAndSuffix(a, b).join('/'))
  )
    return 0;
  return 0.95 * (a[0] === b[0] ? 1 : OTHER_START);
}

/**
 * Maximum number of letters in which two words may differ, counted in both. Words with more are not searched for typing errors, so that
 * hostile input cannot take long.
 */
const MAX_DIFFERENT_LETTERS = 40;

/**
 * Returns the likelihood (0-1) that two different Latin words are one word with one or two typing errors. Returns 0 for words of fewer than four
 * letters. An error usually makes a word that is not a name, so two real-looking words are evidence against an error. @param knownCount number
 * of the two words that the name tables contain
 */
export function estimateTypoLikelihood(a: string, b: string, knownCount: number): number {
  const size = Math.min(a.length, b.length);
  if (size < 4 || knownCount === 2) return 0;
  if (
    a.length + b.length > MAX_DIFFERENT_LETTERS &&
    removeCommonPrefixAndSuffix(a, b).join('').length > MAX_DIFFERENT_LETTERS
  )
    return 0;
  const edits = getTypoDistance(a, b, 2);
  if (edits > 2) return 0;
  const lookAlike = edits === 2 ? lookAlikeFactor(a, b) : 0;
  if (edits === 2 && size < 7 && lookAlike === 0) return 0;
  const letters = lookAlike > 0 ? size + 1 : size;
  const length = letters >= 7 ? 0.85 : letters >= 5 ? 0.75 : 0.45;
  const oddness = Math.abs(letterSurprise(a) - letterSurprise(b));
  const isOneError = edits === 1 || lookAlike > 0;
  const shape = knownCount === 1 && isOneError ? 1 : Math.min(1.1, 0.7 + 0.25 * oddness);
  if (!isOneError) return length * shape * twoErrorsFactor(a, b);
  return Math.min(0.93, length * (lookAlike || oneEditFactor(a, b)) * shape);
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
 * Returns how improbable the least probable letter of a word is after the two letters before it: the negative logarithm of its probability
 * in known names. Names have about 1, words with typing errors about 6.
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
