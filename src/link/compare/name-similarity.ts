// Similarity of the names of two records, based on the name engine's comparison of whole names and of single
// words.
import {
  comparePreparedNames,
  isKnownNameWord,
  type NameComparison,
  type PreparedName,
} from '../../names/index.ts';
import { getTypoDistance } from '../../normalise/typo.ts';
import { getMiddleName, type FullNameWords, type LinkNames } from '../link-name.ts';

/** Minimum confidence (0-100) with which similar names are evidence for one person. */
const LIKELY_NAME = 25;

/** Confidence (0-100) below which two names are a conflict, whatever else agrees. Members of a household share all other values. */
export const DIFFERENT_NAME_CONFIDENCE = 5;

/** True if the names of two records are similar enough to belong to one person. Both records must have a name. */
export function haveSimilarNames(a: LinkNames, b: LinkNames): boolean {
  const best = findBestNameComparison(a, b);
  return (
    (isLikelySameName(best) && !haveDifferentGivenNames(a, b, best)) || findSharedGivenName(a, b) !== null
  );
}

export function isLikelySameName({ same, confidence }: NameComparison): boolean {
  return same || confidence >= LIKELY_NAME;
}

/**
 * True if each record has a full given name that the other record's name does not contain, as members of a household have. Names in two scripts
 * are compared as a whole, because comparing their single words is less reliable.
 */
export function haveDifferentGivenNames(a: LinkNames, b: LinkNames, best: NameComparison): boolean {
  if (getNameScripts(a) !== getNameScripts(b))
    return !best.same && best.confidence < DIFFERENT_NAME_CONFIDENCE;
  const apart = (given: PreparedName, { words }: FullNameWords) =>
    !words.some((word) => comparePreparedNames(given, word).same);
  const bothApart = (one: FullNameWords, two: FullNameWords) =>
    one.given !== null && two.given !== null && apart(one.given, two) && apart(two.given, one);
  return a.words().every((one) => b.words().every((two) => bothApart(one, two)));
}

export function getNameScripts({ prepared }: Pick<LinkNames, 'prepared'>): string {
  const [only] = prepared;
  if (only && prepared.length === 1) return only.script;
  return prepared
    .map(({ script }) => script)
    .toSorted()
    .join();
}

/**
 * True if each word of the shorter name occurs in the other name, with at most one different letter per word. @param which words that may
 * differ: Daniel and Daniela may be two people of a household
 */
export function areNamesTyposApart(a: LinkNames, b: LinkNames, which: WordTypoRule): boolean {
  const listCanonicalWords = (names: LinkNames) =>
    names.words().map(({ words }) => words.map(({ canonical }) => canonical));
  const theirs = listCanonicalWords(b);
  return listCanonicalWords(a).some((one) => theirs.some((two) => areWordsTyposApart(one, two, which)));
}

/**
 * Words that may differ by one letter. `all` is for records with name errors and hardly any shared homes, `not both names` excludes pairs of
 * known names, `misspellings` allows only a known name and its misspelling.
 */
export type WordTypoRule = 'all' | 'not both names' | 'misspellings';

function mayBeTypo(x: string, y: string, which: WordTypoRule): boolean {
  if (which === 'all') return true;
  const names = [x, y].filter(isKnownNameWord).length;
  return which === 'misspellings' ? names === 1 : names < 2;
}

const SHORTEST = 3;

/** Compares the folded words of two names; see `areNamesTyposApart`. */
export function areWordsTyposApart(one: string[], two: string[], which: WordTypoRule): boolean {
  const [few, many] = one.length <= two.length ? [one, two] : [two, one];
  const isNear = (x: string, y: string) =>
    Math.min(x.length, y.length) >= SHORTEST &&
    (x === y || (getTypoDistance(x, y, 1) <= 1 && mayBeTypo(x, y, which)));
  return few.length > 1 && few.every((x) => many.some((y) => isNear(x, y)));
}

/** Returns the words that the names of both records contain, without initials. */
export function listSharedWords(a: LinkNames, b: LinkNames): string[] {
  const words = (names: LinkNames) => names.words().flatMap((name) => name.words);
  const theirs = words(b);
  return words(a)
    .filter((one) => theirs.some((two) => comparePreparedNames(one, two).same))
    .map(({ canonical }) => canonical);
}

export function haveSameMiddleName(a: LinkNames, b: LinkNames): boolean {
  return a.named.some((one) =>
    b.named.some((two) => {
      const [x, y] = [getMiddleName(one), getMiddleName(two)];
      return x !== undefined && y !== undefined && x[0] === y[0];
    }),
  );
}

export function findSharedGivenName(a: LinkNames, b: LinkNames): string | null {
  const givens = (names: LinkNames) => names.named.map(({ parts }) => parts.given[0] ?? '');
  const theirs = givens(b);
  return givens(a).find((given) => given.length > 2 && theirs.includes(given)) ?? null;
}

/** True if the given names of two records are variants of one name (Kate and Katherine). Family names are ignored. */
export function areGivenNameVariants(a: LinkNames, b: LinkNames): boolean {
  const theirs = b.words();
  return a
    .words()
    .some(({ given }) =>
      theirs.some((other) => given && other.given && comparePreparedNames(given, other.given).same),
    );
}

export function findBestNameComparison(a: LinkNames, b: LinkNames): NameComparison {
  let best: NameComparison | undefined;
  for (const one of a.prepared)
    for (const two of b.prepared) {
      const found = comparePreparedNames(one, two);
      if (!best || found.confidence > best.confidence) best = found;
    }
  if (!best) throw new Error('only records with names are compared by name');
  return best;
}
