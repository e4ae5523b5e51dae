// Reading an alphabet letter by letter.
import { toNormalForm } from '../../normalise/text.ts';
import type { Reading } from '../types.ts';

/** Letter, or two letters -> what it is in Latin letters, and its sounds. */
export type Alphabet = ReadonlyMap<string, { latin: string; sound: string }>;

const part = (text: string) => (text === '-' ? '' : text);

/**
 * An alphabet from a table of `letter latin sound`, two blanks or a line's end between the letters; `-` is nothing, and a sound that is
 * not given is the Latin letter. Latin: BGN/PCGN-like, without marks. Sounds: symbols of compare/symbols.ts.
 */
export function alphabet(table: string): Alphabet {
  const cells = table.trim().split(/\s*\n\s*|\s{2,}/);
  return new Map(
    cells.map((cell) => {
      const [letter = '', latin = '', sound = latin] = cell.split(' ');
      return [letter, { latin: part(latin), sound: part(sound) }];
    }),
  );
}

/** Reads a word by an alphabet, pairs of letters first; letters that the alphabet lacks are left out. */
export function readLetters(word: string, letters: Alphabet): Reading {
  let text = '';
  let sound = '';
  for (let i = 0; i < word.length;) {
    const pair = letters.get(word.slice(i, i + 2));
    const found = pair ?? letters.get(word.charAt(i));
    i += pair ? 2 : 1;
    if (!found) continue;
    text += found.latin;
    if (found.sound && !sound.endsWith(found.sound)) sound += found.sound;
  }
  return { text, sound };
}

/** What a word may end in (see `Writing.ends`), by the first rule that fits; anything where none does. */
export const byEnding =
  (rules: readonly (readonly [ending: RegExp, ends: string])[]) =>
  (word: string): string =>
    rules.find(([ending]) => ending.test(word))?.[1] ?? 'avc';

const MARKS = /[\u0300-\u036f]/g;

/** A word without accents and capitals. */
export const bareLetters = (word: string) =>
  toNormalForm(toNormalForm(word, 'NFD').replace(MARKS, '').toLowerCase(), 'NFC');

// Making another form of a word by rules.

type Rules = readonly (readonly [pattern: RegExp, to: string])[];

/** By the first rule that fits; a word that none fits stays as it is. */
export function byFirstRule(rules: Rules): (text: string) => string {
  return (text) => {
    for (const [pattern, to] of rules) if (text.search(pattern) >= 0) return text.replace(pattern, to);
    return text;
  };
}
