// What names in China, Korea and Japan have in common, whatever they are written in.
import { GIVEN, SURNAME, FEMALE, MALE } from '../../lexicon.ts';
import type { Token } from '../../types.ts';
import type { Draft, Tradition } from '../tradition.ts';
import { IN_CHINA, IN_KOREA, IN_VIETNAM } from './han-table.ts';

const DOTS = /[·・･•=＝]/u;

/** A foreign name: its words are divided by a dot and stand in the order of its own language. */
export const isForeign = (text: string) => DOTS.test(text);

/** Cuts the letters of an undivided name after so many for the family name. */
export function cutAt(
  letters: readonly string[],
  sizes: readonly number[],
): [family: string, given: string][] {
  return sizes
    .filter((size) => size < letters.length)
    .map((size) => [letters.slice(0, size).join(''), letters.slice(size).join('')]);
}

const SYLLABLE = /^[^aeiouyw]*[aeiouyw]+(ng|rk|n|m|k|l|p|t|h|r|b)?$/;
const isSurname = (token: Token) => (token.surnameOf & (IN_CHINA | IN_KOREA)) !== 0;

const isKnown = ({ info }: Token, flag: number) => ((info?.flags ?? 0) & flag) !== 0;

/** Park Jisung, Li Ming: a family name that is no given name as well, before syllables that are none. */
function familyLeads([lead, rest]: readonly Token[]): void {
  if (!lead || lead.initial || !isSurname(lead) || isKnown(lead, GIVEN)) return;
  if (!rest) lead.role = 'family';
  if (
    !rest ||
    isSurname(rest) ||
    isKnown(rest, SURNAME) ||
    lead.role !== 'given' ||
    !(rest.korean || rest.chinese)
  )
    return;
  lead.role = 'family';
  rest.role = 'given';
}

/** Kim Jong Un: beside a Korean or Chinese family name every other short word is part of the given name. */
export function joinSyllables({ tokens, words, sure }: Draft): void {
  if (tokens.length < 3 && !sure) familyLeads(tokens);
  const [start, middle, end] = tokens;
  if (!start || !middle || !end || tokens.length > 3) return;
  if (!tokens.every((t) => t.script === 'latin' && SYLLABLE.test(t.text))) return;
  const front = isSurname(start) && !sure;
  const back = isSurname(end);
  if (!front && !back) return;
  const familyFirst = front && (words[2]?.tied || (!back && !words[1]?.tied));
  if (!familyFirst && start.role === 'middle') start.role = 'given';
  if (middle.role === 'middle' || familyFirst) middle.role = 'given';
  if (!familyFirst) return;
  start.role = 'family';
  end.role = 'given';
}

// Vietnamese names: the word before the given name that tells women from men.
/** Nguyễn Thị Hoa is a woman, Nguyễn Văn Hoa a man. */
function arrange({ tokens }: Draft): void {
  if (!tokens.some((t) => t.surnameOf & IN_VIETNAM)) return;
  const woman = tokens.some((t) => t.text === 'thi' && t.script === 'latin');
  if (!woman && !tokens.some((t) => t.prefix === 'van')) return;
  for (const t of tokens)
    if (!(t.surnameOf & IN_VIETNAM)) Object.assign(t, { sex: woman ? FEMALE : MALE, sexTold: true });
}

export const VIETNAMESE: Tradition = { arrange };
