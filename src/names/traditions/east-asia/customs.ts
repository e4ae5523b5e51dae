// Customs of names in China, Korea, Japan and Vietnam, whatever the script.
import {
  COMMON_SURNAME_FLAG,
  FEMALE_FLAG,
  HAS_SHORT_FORMS_FLAG,
  GIVEN_NAME_FLAG,
  hasNameFlag,
  MALE_FLAG,
  SURNAME_FLAG,
} from '../../lexicon.ts';
import { toUnicodeNormalForm } from '../../../normalise/text.ts';
import type { PreparedName, Token } from '../../types.ts';
import type { NameDraft, NamingTradition } from '../tradition.ts';
import { CHINESE_OR_KOREAN_SURNAME_FLAGS, VIETNAMESE_SURNAME_FLAG } from './han-table.ts';

const NAME_DIVIDER = /[·・･•=＝]/u;

/** True for a foreign name in East Asian script. A dot separates its words, which are in the order of the foreign language. */
export const isForeignNameInEastAsianScript = (original: string) => NAME_DIVIDER.test(original);

/** Splits a name without spaces into family and given name, once for each possible length of the family name. */
export function listSplitsByFamilyNameLength(
  letters: readonly string[],
  lengths: readonly number[],
): [family: string, given: string][] {
  return lengths
    .filter((length) => length < letters.length)
    .map((length) => [letters.slice(0, length).join(''), letters.slice(length).join('')]);
}

/**
 * True for two Latin words with different numbers of syllables, if the longer one has no other forms in the name tables. It may then be an East Asian
 * given name, of which one syllable is no short form: Min and Minseo, but not Ben and Benny.
 * @param form unified spelling in which a dot ends each syllable
 */
export function haveOtherSyllableCount(a: Token, b: Token, form: 'chineseForm' | 'koreanForm'): boolean {
  if (!a[form] || !b[form] || a[form].split('.').length === b[form].split('.').length) return false;
  const { entry } = a.text.length > b.text.length ? a : b;
  return (
    !entry ||
    (!hasNameFlag(entry, HAS_SHORT_FORMS_FLAG) && entry.fullForms.length + entry.cultureGroups.length === 0)
  );
}

/** Matches a word (lower-case a-z) that may be one Chinese or Korean syllable. */
export const EAST_ASIAN_SYLLABLE = /^[^aeiouyw]*[aeiouyw]+(ng|rk|n|m|k|l|p|t|h|r|b)?$/;
const isSurname = ({ surnameRegions }: Token) => (surnameRegions & CHINESE_OR_KOREAN_SURNAME_FLAGS) !== 0;

/** Sets the family role of a first word that is a surname and not a given name (Park Jisung, Li Ming). */
function markLeadingSurname([lead, second]: readonly Token[]): void {
  if (!lead || lead.isInitial || !isSurname(lead) || hasNameFlag(lead.entry, GIVEN_NAME_FLAG)) return;
  if (!second) lead.role = 'family';
  if (
    !second ||
    isSurname(second) ||
    hasNameFlag(second.entry, SURNAME_FLAG) ||
    lead.role !== 'given' ||
    !(second.koreanForm || second.chineseForm)
  )
    return;
  lead.role = 'family';
  second.role = 'given';
}

/** Gives the role of a given name to all other short words in a Latin name with a Korean or Chinese family name (Kim Jong Un). */
export function assignEastAsianNameRoles({ tokens, words, hasKnownFamilyName }: NameDraft): void {
  if (tokens.length < 3 && !hasKnownFamilyName) markLeadingSurname(tokens);
  const [start, middle, end] = tokens;
  if (!start || !middle || !end || tokens.length > 3) return;
  if (!tokens.every((token) => token.script === 'latin' && EAST_ASIAN_SYLLABLE.test(token.text))) return;
  const startsWithSurname = isSurname(start) && !hasKnownFamilyName;
  const endsWithSurname = isSurname(end);
  if (!startsWithSurname && !endsWithSurname) return;
  const isFamilyFirst =
    startsWithSurname && (words[2]?.isHyphenated || (!endsWithSurname && !words[1]?.isHyphenated));
  if (!isFamilyFirst && start.role === 'middle') start.role = 'given';
  if (middle.role === 'middle' || isFamilyFirst) middle.role = 'given';
  if (!isFamilyFirst) return;
  start.role = 'family';
  end.role = 'given';
}

/** Matches a mark of tone on its letter. Its place varies: Hoà, Hòa. */
const TONE = /[\u0300\u0301\u0303\u0309\u0323]/g;

/** Sets the form with marks of the words of a Vietnamese name, but the family name, whose marks are often wrong. */
function markVietnameseForms({ tokens }: NameDraft): void {
  const surnames = [tokens[0], tokens.at(-1)].filter(
    (token) => (token?.surnameRegions ?? 0) & VIETNAMESE_SURNAME_FLAG,
  );
  if (surnames.length === 0) return;
  const family = surnames.find((token) => hasNameFlag(token?.entry, COMMON_SURNAME_FLAG)) ?? surnames[0];
  for (const token of tokens) {
    const word = toUnicodeNormalForm(token.raw.toLowerCase(), 'NFD');
    if (token === family || word === token.text || !EAST_ASIAN_SYLLABLE.test(token.text)) continue;
    token.vietnameseForm = word.replace(TONE, '') + (word.match(TONE) ?? []).join('');
  }
}

/** True if two names have a Vietnamese word with other marks. A word without marks fits all. */
export const haveOtherVietnameseMarks = (a: PreparedName, b: PreparedName): boolean =>
  a.tokens.some(
    (token) => token.vietnameseForm && b.tokens.some((other) => isOtherVietnameseWord(token, other)),
  );

/** True if two words with equal letters have marks, and not the same ones. */
export const isOtherVietnameseWord = ({ text, vietnameseForm }: Token, other: Token): boolean =>
  vietnameseForm !== undefined &&
  other.vietnameseForm !== undefined &&
  text === other.text &&
  vietnameseForm !== other.vietnameseForm;

/** Sets the sex of a person from the middle word of a Vietnamese name: Nguyễn Thị Hoa is a woman, Nguyễn Văn Hoa a man. */
function markSexByMiddleWord({ tokens }: NameDraft): void {
  if (!tokens.some((token) => token.surnameRegions & VIETNAMESE_SURNAME_FLAG)) return;
  const isWoman = tokens.some((token) => token.text === 'thi' && token.script === 'latin');
  if (!isWoman && !tokens.some((token) => token.prefix === 'van')) return;
  for (const token of tokens)
    if (!(token.surnameRegions & VIETNAMESE_SURNAME_FLAG))
      Object.assign(token, { sex: isWoman ? FEMALE_FLAG : MALE_FLAG, hasSexMarker: true });
}

export const VIETNAMESE_TRADITION: NamingTradition = {
  assignRoles(draft) {
    markSexByMiddleWord(draft);
    markVietnameseForms(draft);
  },
};
