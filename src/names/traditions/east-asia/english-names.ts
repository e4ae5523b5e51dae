// English given names that many Chinese, Korean and Vietnamese speakers use beside their own.
import { FEMALE_FLAG, HAS_SHORT_FORMS_FLAG, hasNameFlag, MALE_FLAG } from '../../lexicon.ts';
import type { PreparedName, Token } from '../../types.ts';
import { VIETNAMESE_SURNAME_FLAG } from './han-table.ts';

/** True for a name that can be one of the two names of `haveEastAsianAndEnglishGivenName`. A cheap test before the other name is prepared. */
export const mayHaveEnglishGivenName = (name: PreparedName): boolean =>
  isEastAsianName(name) || isEnglishForm(name);

/**
 * True if one of two names is Chinese, Korean or Vietnamese, and the other has an English given name beside a family name of these languages: 李娜, Nancy
 * Li.
 */
export const haveEastAsianAndEnglishGivenName = (a: PreparedName, b: PreparedName): boolean =>
  (isEastAsianName(a) && isEnglishForm(b)) || (isEastAsianName(b) && isEnglishForm(a));

const isEastAsianName = ({ tokens }: PreparedName) =>
  tokens.every((token) => isEastAsianWord(token) && !isEnglishGivenName(token)) || isVietnameseName(tokens);

/** Matches a Vietnamese syllable without accents. */
const VIETNAMESE_SYLLABLE =
  /^(?:[bdghlmnrstvx]|c|ch|gh|gi|k|kh|ng|ngh|nh|ph|qu|th|tr)?(?:a[iouy]?|e[ou]?|i(?:a|eu?|u)?|o(?:a[iy]?|e|i)?|u(?:a|e|i|oi?|u|y[ae]?)?|ye?u?)(?:[cmnpt]|ch|ng|nh)?$/;

/** True for Vietnamese syllables with a Vietnamese family name. A given name with other forms in the name tables (Dan) is English. */
const isVietnameseName = (tokens: readonly Token[]): boolean =>
  tokens.some(({ surnameRegions }) => surnameRegions & VIETNAMESE_SURNAME_FLAG) &&
  tokens.every(
    (token) => VIETNAMESE_SYLLABLE.test(token.text) && (token.surnameRegions > 0 || !hasOtherForms(token)),
  );

const isEnglishForm = ({ tokens }: PreparedName) =>
  tokens.length === 2 &&
  tokens.some(({ surnameRegions }) => surnameRegions > 0) &&
  tokens.some(isEnglishGivenName) &&
  !isVietnameseName(tokens);

const isEastAsianWord = ({ script, chineseForm, koreanForm }: Token) =>
  script === 'hangul' || chineseForm !== '' || koreanForm !== '';

/**
 * True for a given name of men or women that is no East Asian family name. A word that can also be a Chinese or Korean name counts only if the name
 * tables have other forms of it: Donna, but not Jihoon.
 */
function isEnglishGivenName(token: Token): boolean {
  const { entry, surnameRegions } = token;
  if (surnameRegions > 0 || !hasNameFlag(entry, MALE_FLAG | FEMALE_FLAG)) return false;
  return hasOtherForms(token) || !isEastAsianWord(token);
}

const hasOtherForms = ({ entry }: Token): boolean =>
  hasNameFlag(entry, HAS_SHORT_FORMS_FLAG) || (entry?.cultureGroups.length ?? 0) > 0;
