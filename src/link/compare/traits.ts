import {
  type LinkStatistics,
  type LinkEvidence,
  getRecordCountForRarity,
  roundToHundredthBits,
} from './evidence.ts';
import { findSharedGivenName } from './name-similarity.ts';
import type { LinkableRecord } from '../link-record.ts';

/** Maximum weight of a shared birth place in bits. Many people live where they were born. */
const BORN_MOST = 7;
/** Weight of different birth places in bits. It is small, because one record may name the village and another the county. */
const BORN_ELSEWHERE = -1;
/**
 * Weight of different genders in bits if the given name is shared. The gender may be mistyped, or the record belongs to another household
 * member.
 */
const OTHER_GENDER = -3;
/** Weight of different genders in bits if no given name is shared, for example because of initials. */
const OTHER_GENDER_AND_NAME = -7;
/** Maximum weight in bits of a shared identifier, such as a customer number. */
const IDENTIFIER_MOST = 16;
/** Minimum weight in bits of a shared personal number. Two people hardly ever have the same number. */
const NUMBER_LEAST = 16;
/** Weight in bits of different personal numbers, of a type that a person has only once. Some numbers are written wrongly. */
export const DIFFERENT_IDENTIFIER_BITS = -12;
/**
 * Weight in bits of different numbers of a renewable type, such as a passport. Of two records that are years apart, about one in four has an
 * earlier number.
 */
const RENEWED_NUMBER = -2;

/**
 * Compares birth places, genders and identifiers of two records and adds the evidence. A value that one record lacks gives no evidence.
 */
export function addBirthPlaceGenderAndIdentifierEvidence(
  evidence: LinkEvidence[],
  a: LinkableRecord,
  b: LinkableRecord,
  context: LinkStatistics,
): void {
  if (a.birthPlace !== null && b.birthPlace !== null)
    evidence.push(weighBirthPlaces(a.birthPlace, b.birthPlace, context));
  if (a.gender !== null && b.gender !== null && a.gender !== b.gender) evidence.push(weighGenders(a, b));
  if (a.identifiers.length > 0 && b.identifiers.length > 0) addIdentifierEvidence(evidence, a, b, context);
}

function weighBirthPlaces(a: number, b: number, context: LinkStatistics): LinkEvidence {
  if (a !== b) return { code: 'birth_place', what: 'the birth places differ', bits: BORN_ELSEWHERE };
  const bits = weighSharedBirthPlace(context.placeCount(a), context);
  return { code: 'birth_place', what: 'the birth places are one', bits };
}

export function weighSharedBirthPlace(
  count: number,
  { records, perPerson }: Pick<LinkStatistics, 'records' | 'perPerson'>,
): number {
  const rare = Math.log2((records * perPerson) / (count + 1)) - 1;
  return roundToHundredthBits(Math.max(0, Math.min(BORN_MOST, rare)));
}

function weighGenders(a: LinkableRecord, b: LinkableRecord): LinkEvidence {
  const bits = findSharedGivenName(a.linkNames, b.linkNames) === null ? OTHER_GENDER_AND_NAME : OTHER_GENDER;
  return { code: 'gender', what: 'the genders differ', bits };
}

function addIdentifierEvidence(
  evidence: LinkEvidence[],
  a: LinkableRecord,
  b: LinkableRecord,
  context: LinkStatistics,
): void {
  const common = commonOf(a, b);
  if (common.length > 0) {
    const bits = Math.max(...common.map((one) => identifierWeight(one, context)));
    evidence.push({ code: 'identifier', what: 'an identifier in common', bits });
  }
  const others = a.identifiers.filter(
    ({ type }) => !common.some((one) => one.type === type) && b.identifiers.some((one) => one.type === type),
  );
  if (others.some(({ once }) => once === true))
    evidence.push({
      code: 'identifier',
      what: 'different numbers of a type that people have once',
      bits: DIFFERENT_IDENTIFIER_BITS,
    });
  else if (others.some(({ once }) => once === 'at a time'))
    evidence.push({
      code: 'identifier',
      what: 'different numbers of a type that people have one of at a time',
      bits: RENEWED_NUMBER,
    });
}

function identifierWeight(
  { value, once }: LinkableRecord['identifiers'][number],
  context: LinkStatistics,
): number {
  const shared = Math.log2(context.sharers(value));
  const rare = Math.log2(getRecordCountForRarity(context)) - shared;
  const bits = once === false ? Math.min(IDENTIFIER_MOST, rare) : Math.max(NUMBER_LEAST - shared, rare);
  return roundToHundredthBits(Math.max(1, bits));
}

const commonOf = (a: LinkableRecord, b: LinkableRecord) =>
  a.identifiers.filter((one) => b.identifiers.some(({ value }) => value === one.value));
