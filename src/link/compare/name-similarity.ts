// How far the names of two records are alike: what the name engine says of whole names and of single words.
import {
  comparePreparedNames,
  isKnownNameWord,
  type NameComparison,
  type PreparedName,
} from '../../names/index.ts';
import { typoDistance } from '../../normalise/typo.ts';
import { getMiddleName, type FullWords } from '../link-name.ts';
import type { LinkRecord } from '../link-record.ts';

/** Confidence from which a likeness of names counts for a person rather than against. */
const LIKELY_NAME = 25;

/** Confidence below which two names belong to two people, whatever else they share (a household does share everything else). */
export const DIFFERENT_NAME_CONFIDENCE = 5;

/** Are the names likely enough one person's to count for it? Both records must have one. */
export function haveSimilarNames(a: LinkRecord, b: LinkRecord): boolean {
  const best = compareBestNames(a, b);
  return (
    (isLikelySameName(best) && !haveDifferentGivenNames(a, b, best)) || findSharedGivenName(a, b) !== null
  );
}

export function isLikelySameName({ same, confidence }: NameComparison): boolean {
  return same || confidence >= LIKELY_NAME;
}

/**
 * Both records have a full given name, and neither's is any word of the other's name: a household's members, whatever else agrees. In
 * two scripts single words tell less than the whole names do.
 */
export function haveDifferentGivenNames(a: LinkRecord, b: LinkRecord, best: NameComparison): boolean {
  if (getScripts(a) !== getScripts(b)) return !best.same && best.confidence < DIFFERENT_NAME_CONFIDENCE;
  const apart = (given: PreparedName, { words }: FullWords) =>
    !words.some((word) => comparePreparedNames(given, word).same);
  const bothApart = (one: FullWords, two: FullWords) =>
    one.given !== null && two.given !== null && apart(one.given, two) && apart(two.given, one);
  return a.words().every((one) => b.words().every((two) => bothApart(one, two)));
}

export function getScripts({ prepared }: Pick<LinkRecord, 'prepared'>): string {
  const [only] = prepared;
  if (only && prepared.length === 1) return only.script;
  return prepared
    .map(({ script }) => script)
    .toSorted()
    .join();
}

/**
 * Is each word of the shorter name a word of the other, but for a letter? Not what two people of a household are called, by then, unless
 * both are names, as Daniel and Daniela are.
 */
export function areNamesTyposApart(a: LinkRecord, b: LinkRecord, which: TypoRule): boolean {
  return a.words().some((one) => b.words().some((two) => areWordsTyposApart(one, two, which)));
}

/**
 * Words a letter apart that are taken for one: all, where names are known to err and hardly anybody shares a home; those that are not both
 * names; or of which one is a name, and the other a misspelling of it.
 */
export type TypoRule = 'all' | 'not both names' | 'misspellings';

function mayBeTypo(x: string, y: string, which: TypoRule): boolean {
  if (which === 'all') return true;
  const names = [x, y].filter(isKnownNameWord).length;
  return which === 'misspellings' ? names === 1 : names < 2;
}

const SHORTEST = 3;

export function areWordsTyposApart(one: FullWords, two: FullWords, which: TypoRule): boolean {
  const [few, many] = one.words.length <= two.words.length ? [one.words, two.words] : [two.words, one.words];
  const isNear = (x: string, y: string) =>
    Math.min(x.length, y.length) >= SHORTEST &&
    (x === y || (typoDistance(x, y, 1) <= 1 && mayBeTypo(x, y, which)));
  return few.length > 1 && few.every((x) => many.some((y) => isNear(x.canonical, y.canonical)));
}

/** Words, more than initials, that the names of two records have in common. */
export function listSharedWords(a: LinkRecord, b: LinkRecord): string[] {
  const words = (record: LinkRecord) => record.words().flatMap((name) => name.words);
  const theirs = words(b);
  return words(a)
    .filter((one) => theirs.some((two) => comparePreparedNames(one, two).same))
    .map(({ canonical }) => canonical);
}

export function haveSameMiddleName(a: LinkRecord, b: LinkRecord): boolean {
  return a.named.some((one) =>
    b.named.some((two) => {
      const [x, y] = [getMiddleName(one), getMiddleName(two)];
      return x !== undefined && y !== undefined && x[0] === y[0];
    }),
  );
}

/** The given name that two records have in common; null where they have none. */
export function findSharedGivenName(a: LinkRecord, b: LinkRecord): string | null {
  const givens = (record: LinkRecord) => record.named.map(({ parts }) => parts.given[0] ?? '');
  const theirs = givens(b);
  return givens(a).find((given) => given.length > 2 && theirs.includes(given)) ?? null;
}

export function compareBestNames(a: LinkRecord, b: LinkRecord): NameComparison {
  let best: NameComparison | undefined;
  for (const one of a.prepared)
    for (const two of b.prepared) {
      const found = comparePreparedNames(one, two);
      if (!best || found.confidence > best.confidence) best = found;
    }
  if (!best) throw new Error('only records with names are compared by name');
  return best;
}
