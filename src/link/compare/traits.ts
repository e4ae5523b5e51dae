import { type LinkContext, type LinkEvidence, population, round } from './evidence.ts';
import type { LinkRecord } from '../record.ts';

/** The most that a birth place says: many are born where they live. */
const BORN_MOST = 7;
/** Of a place of birth a village is told as often as its county. */
const BORN_ELSEWHERE = -1;
/** Names tell most of it already; where it differs, it is a typo or another of the household. */
const OTHER_GENDER = -3;
const IDENTIFIER_MOST = 16;
/** Numbers of a type that people have once: not all are written well. */
const OTHER_NUMBER = -10;

/** What birth places, genders and identifiers say; nothing where one of the two records is silent. */
export function traitEvidence(a: LinkRecord, b: LinkRecord, context: LinkContext): LinkEvidence[] {
  return [...birthPlaces(a, b, context), ...genders(a, b), ...identifiers(a, b, context)];
}

function birthPlaces(a: LinkRecord, b: LinkRecord, context: LinkContext): LinkEvidence[] {
  if (a.birthPlace === null || b.birthPlace === null) return [];
  if (a.birthPlace !== b.birthPlace)
    return [{ code: 'birth_place', what: 'the birth places differ', bits: BORN_ELSEWHERE }];
  const bits = birthPlaceWeight(context.placeCount(a.birthPlace), context);
  return [{ code: 'birth_place', what: 'the birth places are one', bits }];
}

/** What a birth place in common says that so many records tell as theirs. */
export function birthPlaceWeight(
  count: number,
  { records, perPerson }: Pick<LinkContext, 'records' | 'perPerson'>,
): number {
  const rare = Math.log2((records * perPerson) / (count + 1)) - 1;
  return round(Math.max(0, Math.min(BORN_MOST, rare)));
}

function genders(a: LinkRecord, b: LinkRecord): LinkEvidence[] {
  if (a.gender === null || b.gender === null || a.gender === b.gender) return [];
  return [{ code: 'gender', what: 'the genders differ', bits: OTHER_GENDER }];
}

function identifiers(a: LinkRecord, b: LinkRecord, context: LinkContext): LinkEvidence[] {
  const evidence: LinkEvidence[] = [];
  const common = a.identifiers.find((one) => b.identifiers.some(({ value }) => value === one.value));
  if (common) {
    const rare = Math.log2(population(context) / context.sharers(common.value));
    const bits = round(Math.max(1, Math.min(IDENTIFIER_MOST, rare)));
    evidence.push({ code: 'identifier', what: 'an identifier in common', bits });
  }
  if (a.identifiers.some((one) => one.once && !common && b.identifiers.some(({ type }) => type === one.type)))
    evidence.push({
      code: 'identifier',
      what: 'different numbers of a type that people have once',
      bits: OTHER_NUMBER,
    });
  return evidence;
}
