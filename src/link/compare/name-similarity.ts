// Similarity of the names of two records, based on the name engine's comparison of whole names and of single
// words.
import {
  areSameNames,
  beginWithOneFamilyName,
  comparePreparedNames,
  isKnownNameWord,
  type NameComparison,
  type PreparedName,
} from '../../names/index.ts';
import { getTypoDistance } from '../../normalise/typo.ts';
import {
  getMiddleName,
  type NameForLinking,
  type NameWordsWithoutInitials,
  type NamesForLinking,
} from '../link-name.ts';

/** Minimum confidence (0-100) with which similar names are evidence for one person. */
const LIKELY_NAME = 25;

/** Confidence (0-100) below which two names are a conflict, even if all other values agree, as they do for members of a household. */
export const MIN_COMPATIBLE_NAME_CONFIDENCE = 5;

/** True if the names of two records are similar enough to belong to one person. Both records must have a name. */
export function haveSimilarNames(a: NamesForLinking, b: NamesForLinking): boolean {
  const best = findBestNameComparison(a, b);
  return (
    (isLikelySameName(best) && !haveDifferentGivenNames(a, b, best)) || findSharedGivenName(a, b) !== null
  );
}

export function isLikelySameName({ same, confidence }: NameComparison): boolean {
  return same || confidence >= LIKELY_NAME;
}

/**
 * True if each record has a full given name that is no word of the other record's name, as members of a household have. Names in two
 * scripts are compared as a whole, because comparing their single words is less reliable.
 */
export function haveDifferentGivenNames(
  a: NamesForLinking,
  b: NamesForLinking,
  best: NameComparison,
): boolean {
  if (joinScriptsOfNames(a) !== joinScriptsOfNames(b))
    return !best.same && best.confidence < MIN_COMPATIBLE_NAME_CONFIDENCE;
  const isLikely = isLikelySameName(best);
  const apart = (given: PreparedName, { words }: NameWordsWithoutInitials) =>
    !words.some((word) => areSameNames(given, word));
  const bothApart = (one: NameWordsWithoutInitials, two: NameWordsWithoutInitials) =>
    one.given !== null && two.given !== null && apart(one.given, two) && apart(two.given, one);
  return a.named.every((one) =>
    b.named.every(
      (two) =>
        bothApart(one.words(), two.words()) || (!isLikely && beginWithOneFamilyName(one.name, two.name)),
    ),
  );
}

export function joinScriptsOfNames({ prepared }: Pick<NamesForLinking, 'prepared'>): string {
  const [only] = prepared;
  if (only && prepared.length === 1) return only.script;
  return prepared
    .map(({ script }) => script)
    .toSorted()
    .join();
}

/**
 * True if each word of the shorter name occurs in the other name, with at most one different letter per word.
 * @param which pairs of words in which a letter may differ (Daniel and Daniela may be two people of a household)
 */
export function isShorterNameInLongerExceptTypos(
  a: NamesForLinking,
  b: NamesForLinking,
  which: WordTypoRule,
): boolean {
  const listCanonicalWords = (names: NamesForLinking) =>
    names.words().map(({ words }) => words.map(({ canonical }) => canonical));
  const theirs = listCanonicalWords(b);
  return listCanonicalWords(a).some((one) => theirs.some((two) => areWordsEqualExceptTypos(one, two, which)));
}

/**
 * Pairs of words in which one letter may differ. `all`: every pair. `not both names`: every pair except two known names. `misspellings`:
 * only a known name and an unknown word. Known names are those of the name tables.
 */
export type WordTypoRule = 'all' | 'not both names' | 'misspellings';

function mayBeTypo(x: string, y: string, which: WordTypoRule): boolean {
  if (which === 'all') return true;
  const names = [x, y].filter(isKnownNameWord).length;
  return which === 'misspellings' ? names === 1 : names < 2;
}

const SHORTEST = 3;

/** Compares the words (lower-case a-z) of two names; see `isShorterNameInLongerExceptTypos`. */
export function areWordsEqualExceptTypos(one: string[], two: string[], which: WordTypoRule): boolean {
  const [few, many] = one.length <= two.length ? [one, two] : [two, one];
  const isNear = (x: string, y: string) =>
    Math.min(x.length, y.length) >= SHORTEST &&
    (x === y || (getTypoDistance(x, y, 1) <= 1 && mayBeTypo(x, y, which)));
  return few.length > 1 && few.every((x) => many.some((y) => isNear(x, y)));
}

/** Returns the words that the names of both records contain, without initials. */
export function listSharedWords(a: NamesForLinking, b: NamesForLinking): string[] {
  const words = (names: NamesForLinking) => names.words().flatMap((name) => name.words);
  const theirs = words(b);
  return words(a)
    .filter((one) => theirs.some((two) => areSameNames(one, two)))
    .map(({ canonical }) => canonical);
}

export function haveSameMiddleInitial(a: NamesForLinking, b: NamesForLinking): boolean {
  return a.named.some((one) =>
    b.named.some((two) => {
      const x = getMiddleName(one);
      const y = getMiddleName(two);
      return x !== undefined && y !== undefined && x[0] === y[0];
    }),
  );
}

export function findSharedGivenName(a: NamesForLinking, b: NamesForLinking): string | null {
  for (const { parts, name } of a.named) {
    const [given = ''] = parts.given;
    const isShared = (other: NameForLinking) =>
      other.parts.given[0] === given && !beginWithOneFamilyName(name, other.name);
    if (given.length > 2 && b.named.some(isShared)) return given;
  }
  return null;
}

/** True if the given names of two records are variants of one name (Kate and Katherine). Family names are ignored. */
export function areGivenNameVariants(a: NamesForLinking, b: NamesForLinking): boolean {
  const theirs = b.words();
  return a
    .words()
    .some(({ given }) => theirs.some((other) => given && other.given && areSameNames(given, other.given)));
}

export function findBestNameComparison(a: NamesForLinking, b: NamesForLinking): NameComparison {
  let best: NameComparison | undefined;
  for (const one of a.prepared)
    for (const two of b.prepared) {
      const found = comparePreparedNames(one, two);
      if (!best || found.confidence > best.confidence) best = found;
    }
  if (!best) throw new Error('only records with names are compared by name');
  return best;
}
