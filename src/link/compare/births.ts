import { type LinkContext, type LinkEvidence, round } from './evidence.ts';
import { nearAddress, samePlace } from './likeness.ts';
import type { LinkRecord } from '../record.ts';

/** A person's own records make a date commoner: up to four of them say nothing against it. */
const SEVERAL = 2;

/** Birth dates for and against; nothing where one of the two is missing. Of partial dates only what both say is compared. */
export function birthEvidence(
  one: LinkRecord,
  two: LinkRecord,
  { errorRates, records, dateCount }: Pick<LinkContext, 'errorRates' | 'records' | 'dateCount'>,
): LinkEvidence[] {
  const [a, b] = [one.birthDate, two.birthDate];
  if (a === null || b === null) return [];
  if (a === b) {
    // A date that very many have is no date of birth, but what a form puts in where none is known.
    const rare = round(Math.log2(records / dateCount(a)) + SEVERAL);
    return [
      { code: 'birth', what: 'the birth dates are equal', bits: Math.min(a.length === 10 ? 11 : 5, rare) },
    ];
  }
  if (a.startsWith(b) || b.startsWith(a))
    return [{ code: 'birth', what: 'the birth dates agree as far as they go', bits: 3 }];
  const [x, y] = [a.replaceAll('-', ''), b.replaceAll('-', '')];
  if (x.length !== y.length) return [{ code: 'birth', what: 'the birth dates differ', bits: -5 }];
  const swapped =
    x.slice(0, 4) === y.slice(0, 4) && x.slice(4, 6) === y.slice(6) && x.slice(6) === y.slice(4, 6);
  if (swapped) return [{ code: 'birth', what: 'the birth dates have day and month exchanged', bits: 5 }];
  const apart = [...x].filter((digit, i) => digit !== y[i]).length;
  if (apart === 1) return [{ code: 'birth', what: 'the birth dates are one digit apart', bits: 4.5 }];
  if (apart === 2) {
    const exchanged = [...x].sort().join('') === [...y].sort().join('');
    return [{ code: 'birth', what: 'the birth dates are two digits apart', bits: exchanged ? 4 : 0 }];
  }
  if (errorRates.birth !== null && (samePlace(one, two) || nearAddress(one, two))) {
    const what = `the birth dates differ, as ${Math.round(errorRates.birth.rate * 100)} % of one person's do here`;
    return [{ code: 'birth', what, bits: round(Math.log2(errorRates.birth.rate)) }];
  }
  return [{ code: 'birth', what: 'the birth dates differ', bits: -7 }];
}
