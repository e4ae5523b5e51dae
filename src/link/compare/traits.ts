import { type LinkContext, type LinkEvidence, getPopulation, roundBits } from './evidence.ts';
import { findSharedGivenName } from './name-similarity.ts';
import type { LinkRecord } from '../link-record.ts';

/** The most that a birth place says: many are born where they live. */
const BORN_MOST = 7;
/** Of a place of birth a village is told as often as its county. */
const BORN_ELSEWHERE = -1;
/** One given name tells most of it already: where the gender differs, it is a typo or another of the household. */
const OTHER_GENDER = -3;
/** Of initials, and of names a little apart, it tells the rest. */
const OTHER_GENDER_AND_NAME = -7;
/** The number of a customer of somebody. */
const IDENTIFIER_MOST = 16;
/** That of a person is hardly ever another's: it says so much, or more where there are more people. */
const NUMBER_LEAST = 16;
/** Numbers of a type that people have once: not all are written well. */
export const DIFFERENT_NUMBER_BITS = -12;
/** And once at a time: of two records of one person that were written years apart, about one in four has an earlier passport's. */
const RENEWED_NUMBER = -2;

/** What birth places, genders and identifiers say; nothing where one of the two records is silent. */
export function weighTraits(a: LinkRecord, b: LinkRecord, context: LinkContext): LinkEvidence[] {
  return [...birthPlaces(a, b, context), ...genders(a, b), ...identifiers(a, b, context)];
}

function birthPlaces(a: LinkRecord, b: LinkRecord, context: LinkContext): LinkEvidence[] {
  if (a.birthPlace === null || b.birthPlace === null) return [];
  if (a.birthPlace !== b.birthPlace)
    return [{ code: 'birth_place', what: 'the birth places differ', bits: BORN_ELSEWHERE }];
  const bits = weighSharedBirthPlace(context.placeCount(a.birthPlace), context);
  return [{ code: 'birth_place', what: 'the birth places are one', bits }];
}

/** What a birth place in common says that so many records tell as theirs. */
export function weighSharedBirthPlace(
  count: number,
  { records, perPerson }: Pick<LinkContext, 'records' | 'perPerson'>,
): number {
  const rare = Math.log2((records * perPerson) / (count + 1)) - 1;
  return roundBits(Math.max(0, Math.min(BORN_MOST, rare)));
}

function genders(a: LinkRecord, b: LinkRecord): LinkEvidence[] {
  if (a.gender === null || b.gender === null || a.gender === b.gender) return [];
  const bits = findSharedGivenName(a, b) === null ? OTHER_GENDER_AND_NAME : OTHER_GENDER;
  return [{ code: 'gender', what: 'the genders differ', bits }];
}

function identifiers(a: LinkRecord, b: LinkRecord, context: LinkContext): LinkEvidence[] {
  const evidence: LinkEvidence[] = [];
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
      bits: DIFFERENT_NUMBER_BITS,
    });
  else if (others.some(({ once }) => once === 'at a time'))
    evidence.push({
      code: 'identifier',
      what: 'different numbers of a type that people have one of at a time',
      bits: RENEWED_NUMBER,
    });
  return evidence;
}

function identifierWeight({ value, once }: LinkRecord['identifiers'][number], context: LinkContext): number {
  const shared = Math.log2(context.sharers(value));
  const rare = Math.log2(getPopulation(context)) - shared;
  const bits = once === false ? Math.min(IDENTIFIER_MOST, rare) : Math.max(NUMBER_LEAST - shared, rare);
  return roundBits(Math.max(1, bits));
}

const commonOf = (a: LinkRecord, b: LinkRecord) =>
  a.identifiers.filter((one) => b.identifiers.some(({ value }) => value === one.value));
