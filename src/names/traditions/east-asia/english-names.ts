// English given names that many Chinese speakers use beside their own.
import { FEMALE_FLAG, GIVEN_NAME_FLAG, hasNameFlag, MALE_FLAG } from '../../lexicon.ts';
import type { PreparedName, Token } from '../../types.ts';

/** True if one of two names is Chinese and the other has an English given name before a Chinese family name: 李娜, Nancy Li. */
export const haveChineseAndEnglishGivenName = (a: PreparedName, b: PreparedName): boolean =>
  (isChineseName(a) && isEnglishForm(b)) || (isChineseName(b) && isEnglishForm(a));

const isChineseName = ({ tokens }: PreparedName) =>
  tokens.every((token) => token.chineseForm !== '' && !isEnglishGivenName(token));

const isEnglishForm = ({ tokens: [given, family, ...others] }: PreparedName) =>
  given !== undefined &&
  family !== undefined &&
  others.length === 0 &&
  isEnglishGivenName(given) &&
  family.surnameRegions > 0;

/** True for a given name of one sex that is no East Asian family name. */
const isEnglishGivenName = ({ entry, surnameRegions, sex }: Token) =>
  surnameRegions === 0 && hasNameFlag(entry, GIVEN_NAME_FLAG) && (sex === FEMALE_FLAG || sex === MALE_FLAG);
