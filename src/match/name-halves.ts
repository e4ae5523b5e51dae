// Compares the given and the family names of two names of which not all words agree.
import type { NameMatch } from '../model.ts';
import {
  areIcelandicParentAndChild,
  areNamesOfParentAndChild,
  areChildAndFatherNames,
  findSharedFamilyNameWord,
  haveSamePaternalSurname,
  type GivenOrFamilyName,
  type PreparedName,
} from '../names/index.ts';
import { getTypoDistance } from '../normalise/typo.ts';

export type NameHalves = Record<'given' | 'family', GivenOrFamilyName>;
export type NameHalvesAgreement = Pick<
  NameMatch,
  'agreement' | 'sharedHalf' | 'hasMansName' | 'kinship' | 'isOtherForm' | 'isParentOrChild' | 'hasFamilyWord'
>;

/**
 * Agreement (0-100) of two names if only their given names or only their family names are equal. It is low because a common name is equal by chance,
 * a person of another given name may be a relative, and a family name may have changed.
 */
export const HALF_AGREEMENT = { given: 30, commonGiven: 17.5, family: 17.5, commonFamily: 16.4 };
/** Agreement (0-100) if given and family name are both equal except for typing errors: just below 50, from which names count as the same. */
const BOTH_HALVES_AGREEMENT = 49;
/** Minimum similarity (0-1) of two given names that may be one name. Family names with less similarity still count as typing errors. */
const MIN_GIVEN_SIMILARITY = 0.55;
/** Fraction (0-1) of the full agreement that a given or family name gets at similarity 0. The fraction grows to 1 for an equal name. */
const BASE_SHARE = { given: 0.9, family: 0.98 };

/** Compares the given and family names of two names, in the usual or in reversed order. Returns an agreement below 50; 0 if neither is similar. */
export function compareHalves(x: NameHalves, y: NameHalves): NameHalvesAgreement {
  // One of two spellings may be in the name tables: De Vries, DeVries.
  const isCommonFamily = x.family.isCommon || y.family.isCommon;
  const shared = { isCommonGiven: x.given.isCommon, isCommonFamily };
  const given = givenSimilarity(x.given, y.given);
  const straight = combineHalves(given, familySimilarityBeside(given, x.family, y.family), shared);
  // One of the names is written with the family name first: the one whose first word is no known given name.
  const [usual, other] = y.given.isCommon ? [y, x] : [x, y];
  const crossedGiven = similarity(usual.given, other.family);
  const crossedFamily = familySimilarityBeside(crossedGiven, usual.family, other.given);
  // A family name often equals somebody else's given name: Craig Charles is no form of Charles Abernathy. One shared half counts in reversed order
  // only if the halves are equal and the first word is no given name.
  const areBothAlike = crossedGiven >= MIN_GIVEN_SIMILARITY && crossedFamily > 0;
  const isReversed = areBothAlike || !other.given.isRealName;
  const equalHalf = (similar: number) => (areBothAlike || (isReversed && similar === 1) ? similar : 0);
  const crossed = combineHalves(equalHalf(crossedGiven), equalHalf(crossedFamily), {
    isCommonGiven: usual.given.isCommon,
    isCommonFamily,
  });
  const best = crossed.agreement > straight.agreement ? crossed : straight;
  return best.agreement === 0 && haveRareFamilyWord(x, y) ? RELATED_NAME : best;
}

/** Agreement of names with different given names, whose family names have one rare word in common: Ada Poole-Wren, Ben Wren. */
const RELATED_NAME: NameHalvesAgreement = {
  agreement: HALF_AGREEMENT.family,
  sharedHalf: 'family',
  kinship: 1,
};

const haveRareFamilyWord = ({ family: x }: NameHalves, { family: y }: NameHalves) =>
  x.rareWords.some((word) => y.rareWords.includes(word));

/**
 * Returns the agreement of two names of which only one half is the same name, in another script or as a short form.
 * @param half the half that is the same; null if none is
 */
export function getAgreementOfSharedHalf(
  half: 'given' | 'family' | null,
  x: NameHalves,
  y: NameHalves,
): NameHalvesAgreement {
  return combineHalves(Number(half === 'given'), Number(half === 'family'), {
    isCommonGiven: x.given.isCommon || y.given.isCommon,
    isCommonFamily: x.family.isCommon || y.family.isCommon,
  });
}

function combineHalves(
  givenSimilarity: number,
  family: number,
  { isCommonGiven, isCommonFamily }: { isCommonGiven: boolean; isCommonFamily: boolean },
): NameHalvesAgreement {
  const given = givenSimilarity < MIN_GIVEN_SIMILARITY ? 0 : givenSimilarity;
  if (given > 0 && family > 0)
    return { agreement: BOTH_HALVES_AGREEMENT * Math.min(given, family), sharedHalf: null };
  if (given > 0) {
    const agreement = isCommonGiven
      ? HALF_AGREEMENT.commonGiven
      : HALF_AGREEMENT.given * halfShare(given, BASE_SHARE.given);
    return { agreement, sharedHalf: 'given' };
  }
  if (family > 0)
    return {
      agreement:
        HALF_AGREEMENT[isCommonFamily ? 'commonFamily' : 'family'] * halfShare(family, BASE_SHARE.family),
      sharedHalf: 'family',
      kinship: isCommonFamily || family < 1 ? 0 : 1,
    };
  return { agreement: 0, sharedHalf: null };
}

const halfShare = (similar: number, base: number) => base + (1 - base) * similar;

/** Returns the similarity (0-1) of two family names; 1 for the male and the female form of one name. */
const familySimilarity = (x: GivenOrFamilyName, y: GivenOrFamilyName): number =>
  x.text.length > 1 && haveCommonSexForm(x, y) ? 1 : similarity(x, y);

function haveCommonSexForm(x: GivenOrFamilyName, y: GivenOrFamilyName): boolean {
  const { sexForms } = x.sexForms.length > 0 ? x : y;
  return sexForms.some((_, i) => (x.sexForms[i] ?? x.text) === (y.sexForms[i] ?? y.text));
}

/**
 * Returns the similarity (0-1) of two family names. Beside equal given names, one extra letter may be an error, even if both family names exist:
 * Baker and Barker, Xi and Xia.
 */
function familySimilarityBeside(givenSimilarity: number, x: GivenOrFamilyName, y: GivenOrFamilyName): number {
  const family = familySimilarity(x, y);
  return givenSimilarity === 1 && family === 0 ? letterSimilarity(x.text, y.text) : family;
}

/** Returns the similarity (0-1) of two family names that begin with the same letter and differ by one extra letter; 0 for all others. */
function letterSimilarity(x: string, y: string): number {
  const length = Math.max(x.length, y.length);
  if (length < 3 || x[0] !== y[0] || x.length === y.length) return 0;
  return getTypoDistance(x, y, 1) === 1 ? 1 - 1 / (0.75 * length) : 0;
}

/**
 * Returns the similarity (0-1) of two given names; 0 for two errors in a known name of up to six letters, which is rather another name (Tomoe,
 * Tomona).
 */
function givenSimilarity(x: GivenOrFamilyName, y: GivenOrFamilyName): number {
  const isShort = Math.max(x.text.length, y.text.length) <= 6;
  const isRealName = x.isRealName || y.isRealName;
  return isShort && isRealName && getTypoDistance(x.text, y.text, 1) > 1 ? 0 : similarity(x, y);
}

/** True for two different names that both are known as real names. They are never typing errors of each other. */
export const areDifferentKnownNames = (x: GivenOrFamilyName, y: GivenOrFamilyName): boolean =>
  x.isRealName && y.isRealName && x.text !== y.text;

/** Returns the similarity (0-1) of two given or two family names by their letters. */
function similarity(one: GivenOrFamilyName, two: GivenOrFamilyName): number {
  const [x, y] = [one.text, two.text];
  if (x.length < 2 || y.length < 2) return 0;
  if (x === y) return 1;
  if (areDifferentKnownNames(one, two)) return 0;
  const length = Math.max(x.length, y.length);
  const limit = Math.min(3, Math.floor((length - 1) / 3) + 1, Math.floor(length / 2));
  const distance = getTypoDistance(x, y, limit);
  if (distance > 1 && haveOtherStems(x, y, distance)) return 0;
  return distance > limit ? 0 : Math.max(0, 1 - distance / (0.75 * length));
}

/** Endings that very many family names have. Names that share only the ending are different names: Orlova and Sokolova, Hansen and Aasen. */
const FAMILY_NAME_ENDING =
  /(?:ova|eva|ina|ov|ev|in|ski|sky|cki|cky|ska|cka|sson|sen|son|enko|chuk|vic|vich|wicz|yan|ian|oglu|dottir|berg|mann|man|stein|feld|ford|worth|ton|ley)$/;

/**
 * True if two names have the same usual ending, and the letters before it differ too much for typing errors: more than one error for each three letters.
 * @param distance number of typing errors between the names
 */
function haveOtherStems(x: string, y: string, distance: number): boolean {
  const ending = FAMILY_NAME_ENDING.exec(x)?.[0];
  if (ending === undefined || !y.endsWith(ending)) return false;
  const stem = Math.max(x.length, y.length) - ending.length;
  return distance > Math.floor((stem - 1) / 3);
}

/** Marks the agreement of a given name that many men have. Men seldom change their family name. */
export const markMansName = (
  likeness: NameHalvesAgreement,
  { isMansName }: NameHalves['given'],
): NameHalvesAgreement =>
  isMansName && likeness.sharedHalf === 'given' && likeness.agreement === HALF_AGREEMENT.commonGiven
    ? { ...likeness, hasMansName: true }
    : likeness;

/** Adds to an agreement the signs that two people are parent and child, or share a word of a double family name. */
export function addKinship(
  likeness: NameHalvesAgreement,
  a: PreparedName,
  b: PreparedName,
): NameHalvesAgreement {
  const isParentOrChild = likeness.sharedHalf === 'family' && areNamesOfParentAndChild(a, b);
  if (isParentOrChild || areIcelandicParentAndChild(a, b) || areChildAndFatherNames(a, b))
    return { ...likeness, agreement: HALF_AGREEMENT.family, kinship: 1, isParentOrChild: true };
  const word = likeness.agreement > 0 ? null : findSharedFamilyNameWord(a, b);
  if (word === null) return likeness;
  const shared = haveSamePaternalSurname(a, b) ? SHARED_SURNAME : {};
  return { ...likeness, ...shared, ...(word === 'rare' ? { kinship: 1 } : {}), hasFamilyWord: true };
}

/**
 * Agreement of different given names with a common family name that both names have, if it is the first one of two (the paternal one: Ana Ruiz Soto,
 * Eva Ruiz Leal), or if one address is common as well.
 */
export const SHARED_SURNAME = { agreement: 16, sharedHalf: 'family', kinship: 0 } as const;
