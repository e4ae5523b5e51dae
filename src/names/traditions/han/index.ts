// Names of all lands that write, or once wrote, with Han characters: readings but the Mandarin ones, family names that are one.
import { isPinyin } from '../chinese/syllables.ts';
import { relation } from '../../relation.ts';
import type { Token, TokenComparison } from '../../types.ts';
import type { Tradition } from '../tradition.ts';
import { joinSyllables } from './customs.ts';
import { isReadingOf, surnamesMeet } from './readings.ts';

const READ = relation('script', 0.93);
const MEET = { same: relation('spelling', 0.8), across: relation('spelling', 0.35) };

function same(a: Token, b: Token): TokenComparison | undefined {
  const [han, other] = a.characters ? [a, b] : [b, a];
  if (han.characters)
    return isReadingOf(han.characters, other.text, han.role === 'family') ? READ : undefined;
  if (a.script !== 'latin' || b.script !== 'latin' || areGiven(a, b)) return undefined;
  const meet = surnamesMeet(a.text, b.text);
  return meet && MEET[meet];
}

/** Where given names stand, two words in pinyin are two, though other spellings of family names look like them (Yong, Yang). */
const areGiven = (a: Token, b: Token) =>
  a.role === 'given' && b.role === 'given' && isPinyin(a.text) && isPinyin(b.text);

export const HAN: Tradition = { arrange: joinSyllables, same };
