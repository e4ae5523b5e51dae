// English given names that many Chinese and Korean speakers use beside their own.
import { FEMALE_FLAG, HAS_SHORT_FORMS_FLAG, GIVEN_NAME_FLAG, hasNameFlag, MALE_FLAG } from '../../lexicon.ts';
import type { PreparedName, Token } from '../../types.ts';

/** True for a name that can be one of the two names of `haveEastAsianAndEnglishGivenName`. A cheap test before the other name is prepared. */
export const mayHaveEnglishGivenName = (name: PreparedName): boolean =>
  isEastAsianName(name) || isEnglishForm(name);

/**
 * True if one of two names is Chinese or Korean, and the other has an English given name beside a family name of these languages: 李娜, Nancy
 * Li.
 */
export const haveEastAsianAndEnglishGivenName = (a: PreparedName, b: PreparedName): boolean =>
  (isEastAsianName(a) && isEnglishForm(b)) || (isEastAsianName(b) && isEnglishForm(a));

const isEastAsianName = ({ tokens }: PreparedName) =>
  tokens.every((token) => isEastAsianWord(token) && !isEnglishGivenName(token));

const isEnglishForm = ({ tokens }: PreparedName) =>
  tokens.length === 2 &&
  tokens.some(({ surnameRegions }) => surnameRegions > 0) &&
  tokens.some(isEnglishGivenName);

const isEastAsianWord = ({ script, chineseForm, koreanForm }: Token) =>
  script === 'hangul' || chineseForm !== '' || koreanForm !== '';

/**
 * True for a given name of one sex that is no East Asian family name. A word that can also be a Chinese or Korean name counts only if the name
 * tables have other forms of it: Donna, but not Jihoon.
 */
function isEnglishGivenName(token: Token): boolean {
  const { entry, surnameRegions, sex } = token;
  if (surnameRegions > 0 || !hasNameFlag(entry, GIVEN_NAME_FLAG)) return false;
  const hasForms = hasNameFlag(entry, HAS_SHORT_FORMS_FLAG) || (entry?.cultureGroups.length ?? 0) > 0;
  return (sex === FEMALE_FLAG || sex === MALE_FLAG) && (hasForms || !isEastAsianWord(token));
}
