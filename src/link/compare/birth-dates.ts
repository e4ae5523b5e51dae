import { type LinkContext, type LinkEvidence, type NearDateKind, roundBits } from './evidence.ts';
import type { LinkRecord } from '../link-record.ts';

/** A person's own records make a date commoner: up to four of them say nothing against it. */
const SEVERAL = 2;
/** Equal dates say no more than this: people of one name and one date there are. */
const EQUAL_MOST = 13;
/** Smaller graphs weigh a date that few have as one of this size: it says what a rare name lacks, and not what a given name alone does. */
const LEAST_RECORDS = 1024;
const AS_FAR_AS_THEY_GO = 3;
/** Years between parent and child. */
const GENERATION = [15, 50] as const;
export const GENERATION_BETWEEN = 'a generation lies between the birth dates';
/** Dates that are nearly one say less against than ones that are far apart, however rarely such an error has been seen. */
const NEAR_LEAST = -4;

type Births = Pick<LinkContext, 'errorRates' | 'records' | 'dateCount' | 'nameAndBirthCount'>;

/**
 * Birth dates for and against; nothing where one of the two is missing. Of partial dates only what both say is compared.
 *
 * @param atHome do the two share an address that may be a family's?
 */
export function weighBirthDates(
  one: LinkRecord,
  two: LinkRecord,
  context: Births,
  atHome: () => boolean,
): LinkEvidence[] {
  const [a, b] = [one.birthDate, two.birthDate];
  if (a === null || b === null) return [];
  const found = a === b ? sameDate(a, [one, two], context) : datesApart(a, b, context);
  if (found.bits > NEAR_LEAST && isGenerationApart(a, b) && atHome())
    return [{ code: 'birth', what: GENERATION_BETWEEN, bits: NEAR_LEAST }];
  return [{ code: 'birth', what: found.what, bits: roundBits(found.bits) }];
}

function isGenerationApart(a: string, b: string): boolean {
  const years = Math.abs(Number(a.slice(0, 4)) - Number(b.slice(0, 4)));
  return years >= GENERATION[0] && years <= GENERATION[1];
}

/**
 * What a whole date in common says that so many records have; of a part of a date it is what it says at most. One that few have is rare in
 * the world, however small the graph; one that more have may be what a form puts in where none is known.
 */
export function weighSharedDate(count: number, { records }: Pick<LinkContext, 'records'>): number {
  const drawn = count <= 2 ** SEVERAL ? Math.max(records, LEAST_RECORDS) : records;
  return Math.min(EQUAL_MOST, Math.log2(drawn / count) + SEVERAL);
}

interface Dates {
  what: string;
  bits: number;
}

/** Are there so few records that those of one person may be most of them? */
export function isSmallGraph({ records }: Pick<LinkContext, 'records'>): boolean {
  return records < LEAST_RECORDS;
}

function sameDate(date: string, pair: LinkRecord[], context: Births): Dates {
  const all = context.dateCount(date);
  const count = isSmallGraph(context) ? Math.max(2, all - ownDates(pair, context)) : all;
  const bits = Math.min(date.length === 10 ? EQUAL_MOST : 5, weighSharedDate(count, context));
  return { what: 'the birth dates are equal', bits };
}

/** Of those who have the date, the ones that bear one of the two names with it: in a small file they may be most, and make it no commoner. */
function ownDates(pair: LinkRecord[], { nameAndBirthCount }: Births): number {
  return Math.max(
    ...pair.map(({ nameAndBirth }) => (nameAndBirth === null ? 0 : nameAndBirthCount(nameAndBirth))),
  );
}

function datesApart(a: string, b: string, context: Births): Dates {
  if (a.startsWith(b) || b.startsWith(a))
    return { what: 'the birth dates agree as far as they go', bits: AS_FAR_AS_THEY_GO };
  if (a.length !== b.length) return { what: 'the birth dates differ', bits: -5 };
  const { near, birth } = context.errorRates;
  const nearness = classifyNearDates(a, b);
  if (nearness !== null) {
    const { what, chance, usual } = NEAR_DATES[nearness];
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

/**
 * The ways in which two birth dates are nearly one: how often a date of sixty years is so to another by chance, and how often one person's
 * dates are, where nothing has been measured.
 */
export const NEAR_DATES = {
  swapped: { what: 'have day and month exchanged', chance: 0.00002, usual: 0.0006 },
  digit: { what: 'are one digit apart', chance: 0.0014, usual: 0.03 },
  exchanged: { what: 'have two digits exchanged', chance: 0.0002, usual: 0.0035 },
  part: { what: 'differ in one part', chance: 0.0045, usual: 0.012 },
} as const satisfies Record<NearDateKind, unknown>;

/** In what two different dates are nearly one; null where they are far apart. */
export function classifyNearDates(a: string, b: string): NearDateKind | null {
  const [x, y] = [a.split('-'), b.split('-')];
  if (x.length !== y.length) return null;
  if (x.length === 3 && x[0] === y[0] && x[1] === y[2] && x[2] === y[1]) return 'swapped';
  const digits = [...a].filter((digit, i) => digit !== b[i]).length;
  if (digits === 1) return 'digit';
  if (digits === 2 && [...a].toSorted().join('') === [...b].toSorted().join('')) return 'exchanged';
  const parts = x.filter((part, i) => part !== y[i]).length;
  return x.length === 3 && parts === 1 ? 'part' : null;
}

/** Is each one's name with its birth date on another record too? Then they are two people's: hardly anybody makes one error twice. */
export function bothRecur(
  a: LinkRecord,
  b: LinkRecord,
  { nameAndBirthCount }: Pick<LinkContext, 'nameAndBirthCount'>,
): boolean {
  if (a.nameAndBirth === null || b.nameAndBirth === null || a.nameAndBirth === b.nameAndBirth) return false;
  return nameAndBirthCount(a.nameAndBirth) > 1 && nameAndBirthCount(b.nameAndBirth) > 1;
}
