// Names with a repeated word, as people fill in a form with a field for the family name and one for the full name: Petrova Ekaterina Petrova.
import { GIVEN_NAME_FLAG, hasNameFlag, SURNAME_FLAG } from '../lexicon.ts';
import type { PreparedName, Token } from '../types.ts';
import { keepNameTokens } from './name.ts';

/** True if a name has a word twice. Neighbouring words of East Asian and Arabic names are no repetition: Fan Bing Bing, Ahmad Ahmad. */
export function hasRepeatedWord({ tokens }: PreparedName): boolean {
  for (let i = 1; i < tokens.length; i++)
    for (let j = 0; j < i; j++) if (isRepetition(tokens, j, i)) return true;
  return false;
}

/** True for a word of a name that may be East Asian or Arabic. Such names often have an equal word twice. */
const mayBeDoubleName = ({ mayBeEastAsian, mayBeArabic }: Token) => mayBeEastAsian || mayBeArabic;

/** True if two words of a name are equal. In other scripts than Latin, two names may have one reading. */
function isRepetition(tokens: readonly Token[], i: number, j: number): boolean {
  const [a, b] = [tokens[i], tokens[j]];
  if (a?.text !== b?.text || !a || !b || a.isInitial || a.text === '') return false;
  return (a.script === 'latin' || a.raw === b.raw) && !(j === i + 1 && tokens.every(mayBeDoubleName));
}

const SINGLE_NAMES = new WeakMap<PreparedName, readonly [keepFirst: PreparedName, keepLast: PreparedName]>();

/** Returns a name that repeats words in two forms: with the first one of equal words alone, and with the last one alone. */
export function listNamesWithoutRepetition(name: PreparedName): readonly [PreparedName, PreparedName] {
  const cached = SINGLE_NAMES.get(name);
  if (cached) return cached;
  const { tokens } = name;
  const keepFirst = tokens.filter((_, i) => !tokens.some((_other, j) => j < i && isRepetition(tokens, j, i)));
  const keepLast = tokens.filter((_, i) => !tokens.some((_other, j) => i < j && isRepetition(tokens, i, j)));
  const keep = (kept: Token[]): PreparedName => ({
    ...keepNameTokens(name, kept),
    repeatedWords: tokens.filter((token) => !kept.includes(token)).map(({ raw }) => raw),
  });
  const names = [keep(keepFirst), keep(keepLast)] as const;
  SINGLE_NAMES.set(name, names);
  return names;
}

/** Returns a name without repeated words. A repeated word at the start is a family name, unless it is only known as a given name. */
export function getNameWithoutRepetition(name: PreparedName): PreparedName {
  if (!hasRepeatedWord(name)) return name;
  const [keepFirst, keepLast] = listNamesWithoutRepetition(name);
  const { entry } = name.tokens[0] as Token;
  return hasNameFlag(entry, GIVEN_NAME_FLAG) && !hasNameFlag(entry, SURNAME_FLAG) ? keepFirst : keepLast;
}
