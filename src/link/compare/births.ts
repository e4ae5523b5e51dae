import { type LinkContext, type LinkEvidence, round } from './evidence.ts';
import { NEAR, nearDates } from './near.ts';
import type { LinkRecord } from '../record.ts';

/** A person's own records make a date commoner: up to four of them say nothing against it. */
const SEVERAL = 2;
/** Equal dates say no more than this: people of one name and one date there are. */
const EQUAL_MOST = 13;
const AS_FAR_AS_THEY_GO = 3;
/** Dates that are nearly one say less against than ones that are far apart, however rarely such an error has been seen. */
const NEAR_LEAST = -4;

type Births = Pick<LinkContext, 'errorRates' | 'records' | 'dateCount'>;

/** Birth dates for and against; nothing where one of the two is missing. Of partial dates only what both say is compared. */
export function birthEvidence(one: LinkRecord, two: LinkRecord, context: Births): LinkEvidence[] {
  const [a, b] = [one.birthDate, two.birthDate];
  if (a === null || b === null) return [];
  const { what, bits } = datesApart(a, b, context);
  return [{ code: 'birth', what, bits: round(bits) }];
}

/** What a whole date in common says that so many records have; of a part of a date it is what it says at most. */
export function dateWeight(count: number, { records }: Pick<LinkContext, 'records'>): number {
  return Math.min(EQUAL_MOST, Math.log2(records / count) + SEVERAL);
}

function datesApart(a: string, b: string, context: Births): { what: string; bits: number } {
  if (a === b) {
    // A date that very many have is no date of birth, but what a form puts in where none is known.
    const bits = Math.min(a.length === 10 ? EQUAL_MOST : 5, dateWeight(context.dateCount(a), context));
    return { what: 'the birth dates are equal', bits };
  }
  if (a.startsWith(b) || b.startsWith(a))
    return { what: 'the birth dates agree as far as they go', bits: AS_FAR_AS_THEY_GO };
  if (a.length !== b.length) return { what: 'the birth dates differ', bits: -5 };
  const { near, birth } = context.errorRates;
  const nearness = nearDates(a, b);
  if (nearness !== null) {
    const { what, chance, usual } = NEAR[nearness];
    return {
      what: `the birth dates ${what}`,
      bits: Math.max(NEAR_LEAST, Math.log2((near?.[nearness] ?? usual) / chance)),
    };
  }
  if (birth === null) return { what: 'the birth dates differ', bits: -7 };
  const often = Math.round(birth.rate * 100);
  return {
    what: `the birth dates differ, as ${often} % of one person's do here`,
    bits: Math.log2(birth.rate),
  };
}
