// Transliteration letter by letter, and rules on words and their endings that several naming traditions use.
import { toUnicodeNormalForm } from '../../normalise/text.ts';
import { parseTextTable } from '../tables.ts';
import type { WordTransliteration } from '../types.ts';

/** Letters and letter pairs of an alphabet, each with its Latin spelling and its sound symbols. */
export type Alphabet = ReadonlyMap<string, { latin: string; sound: string }>;

/**
 * Parses an alphabet from a text table with the columns letter, Latin spelling and sound. `-` means nothing; a missing sound equals the Latin
 * spelling. Latin spellings follow BGN/PCGN without diacritics. Sounds are symbols of compare/symbols.ts.
 */
export function parseAlphabet(table: string): Alphabet {
  const toText = (cell: string) => (cell === '-' ? '' : cell);
  return new Map(
    parseTextTable(table).map(([letter = '', latin = '', sound = latin]) => [
      letter,
      { latin: toText(latin), sound: toText(sound) },
    ]),
  );
}

/** Transliterates a word with an alphabet. Letter pairs are tried before single letters; unknown letters are left out. */
export function transliterateWordWithSounds(word: string, alphabet: Alphabet): WordTransliteration {
  let text = '';
  let sound = '';
  for (let i = 0; i < word.length;) {
    const pair = alphabet.get(word.slice(i, i + 2));
    const letter = pair ?? alphabet.get(word.charAt(i));
    i += pair ? 2 : 1;
    if (!letter) continue;
    text += letter.latin;
    if (letter.sound && !sound.endsWith(letter.sound)) sound += letter.sound;
  }
  return { text, sound };
}

/**
 * Creates a function that returns the possible last sounds of a word (see `ScriptRules.endingSounds`): those of the first pattern that
 * matches. Without a match, any sound is possible.
 */
export const createEndingSoundsFinder =
  (rules: readonly (readonly [ending: RegExp, sounds: string])[]) =>
  (word: string): string =>
    rules.find(([ending]) => ending.test(word))?.[1] ?? 'avuc';

/** Creates a function that rewrites a word by the first rule whose pattern matches. Other words stay unchanged. */
export function createFirstMatchingRuleReplacer(
  rules: readonly (readonly [pattern: RegExp, replacement: string])[],
): (text: string) => string {
  return (text) => {
    for (const [pattern, replacement] of rules)
      if (text.search(pattern) >= 0) return text.replace(pattern, replacement);
    return text;
  };
}

const ACCENTS = /[\u0300-\u036f]/g;

export const stripAccents = (word: string) =>
  toUnicodeNormalForm(toUnicodeNormalForm(word, 'NFD').replace(ACCENTS, '').toLowerCase(), 'NFC');
