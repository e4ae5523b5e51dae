// Finds values on record that differ from a submitted value only by a typing error.
import { countElementsNotIn } from '../../link/compare/address-similarity.ts';
import type { ContactMatch, TypoSearchData } from '../../model.ts';
import { fingerprintExactPart, type FingerprintFunctions } from '../encryption/fingerprints.ts';
import type { GraphQuery } from '../graph.ts';
import type { GraphReader, StoredTypoSearchData } from './reader.ts';

/**
 * Maximum number of identities whose contacts are compared for typing errors if no identity has both the submitted name and a submitted contact. They
 * have the submitted name.
 */
const MAX_BY_NAME = 6;
/** Maximum number of different letter pairs of two spellings that may differ by one typing error. Swapping two letters changes three pairs. */
const MAX_DIFFERENT_PAIRS = 3;
/**
 * Maximum number of different letter pairs of two spellings of one street. It allows two typing errors, because house number and place must be equal.
 */
const MAX_DIFFERENT_STREET_PAIRS = 6;
/** Fraction (0 to 1) of a word's letter pairs that the stored street lacks, from which the word is another word, not a typing error. */
const MIN_OTHER_WORD = 0.5;
/** Minimum number of characters of a text that is compared for typing errors. A shorter text has too few letter pairs. */
const MIN_LENGTH = 6;
/** Types of look-up keys that contain only some letters of a street name, so that they also match other streets with the same house number. */
const PARTIAL_STREET_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['core', 'core_city']);

export interface TypoCorrectionInput {
  query: GraphQuery;
  values: ContactMatch[][];
  nameMatches: number[];
  reader: GraphReader;
  fingerprints: FingerprintFunctions;
}

interface Spelling {
  grams: number[];
  words: () => number[][];
}

/**
 * Submitted e-mail or address, prepared for comparison with stored ones. The spellings are computed at the first comparison, because few e-mails and
 * addresses are compared.
 */
interface SubmittedSignature {
  kind: TypoSearchData['kind'];
  exactPart: number;
  listSpellings: () => readonly Spelling[];
  /** Returns the letter pairs of the street without its direction word (North, West), and with each other direction word; null if it has none. */
  getDirections: () => { without: number[][]; others: number[][] } | null;
}

/**
 * Returns the matches of each contact, corrected for typing errors. If no identity has a contact exactly, adds identities that have the submitted
 * name and a similar contact. Removes a match on some letters of a street name if the two street names are too different for a typing error.
 */
export function addAndRemoveTypoMatches({
  query,
  values,
  nameMatches,
  reader,
  fingerprints,
}: TypoCorrectionInput): ContactMatch[][] {
  const signatures = query.values.map(({ signature }, i) =>
    signature && signature.text.length >= MIN_LENGTH && isUncertain(values[i] ?? []) ? signature : null,
  );
  if (signatures.every((signature) => signature === null)) return values;
  const byPart = values.flat().filter(({ type }) => PARTIAL_STREET_KEYS.has(type));
  const candidates = [
    ...new Set([...findCandidates(nameMatches, values), ...byPart.map(({ identity }) => identity)]),
  ];
  if (candidates.length === 0) return values;
  const submitted = signatures.map((signature) => signature && toSubmitted(signature, fingerprints));
  const known = reader.getSignatures(
    candidates,
    submitted.flatMap((signature) => signature?.exactPart || []),
  );
  if (known.size === 0) return values;
  return values.map((agreements, i) => {
    const signature = submitted[i];
    if (!signature) return agreements;
    return agreements.length === 0
      ? matchSignature(signature, known, reader)
      : agreements.flatMap((agreement) => correctStreet(agreement, signature, known));
  });
}

/** True if no identity has the whole contact. Some may have an address with the same letters in the street name. */
const isUncertain = (agreements: ContactMatch[]) =>
  agreements.every(({ type }) => PARTIAL_STREET_KEYS.has(type));

function toSubmitted(signature: TypoSearchData, fingerprints: FingerprintFunctions): SubmittedSignature {
  const { kind, text } = signature;
  const toSpelling = (spelling: string): Spelling => ({
    grams: fingerprints.grams(spelling),
    words: () => spelling.split(' ').map((word) => fingerprints.grams(word)),
  });
  let spellings: readonly Spelling[] | undefined;
  let directions: ReturnType<SubmittedSignature['getDirections']> | undefined;
  return {
    kind,
    exactPart: fingerprintExactPart(fingerprints, signature),
    getDirections: () =>
      (directions ??= signature.directions && {
        without: signature.directions.without.map(fingerprints.grams),
        others: signature.directions.others.map(fingerprints.grams),
      }) ?? null,
    listSpellings: () => (spellings ??= [text, ...(signature.spellings ?? [])].map(toSpelling)),
  };
}

/** Returns matches of the identities with a similar contact. `primary` is always false, because their stored contact is not the submitted one. */
function matchSignature(
  signature: SubmittedSignature,
  known: Map<number, StoredTypoSearchData[]>,
  { getSeenDates }: GraphReader,
): ContactMatch[] {
  return [...known]
    .filter(([, signatures]) => signatures.some((other) => isSimilar(signature, other)))
    .map(([identity]) => {
      const { firstSeen, lastSeen } = getSeenDates(identity);
      return { identity, type: 'typo', primary: false, share: 1, firstSeen, lastSeen };
    });
}

/**
 * Corrects a match on some letters of the street name: returns it with the type `core` if the street names differ by a typing error, nothing if they
 * are different names, and the match itself if they cannot be compared.
 */
function correctStreet(
  agreement: ContactMatch,
  signature: SubmittedSignature,
  known: Map<number, StoredTypoSearchData[]>,
): ContactMatch[] {
  if (!PARTIAL_STREET_KEYS.has(agreement.type)) return [agreement];
  const there = known.get(agreement.identity)?.filter((other) => haveSameExactPart(signature, other)) ?? [];
  // The identity has no address with this house number and place (the submitted postcode may be wrong), so the street names cannot be compared.
  if (there.length === 0) return [agreement];
  return there.some((other) => isSimilar(signature, other)) ? [{ ...agreement, type: 'core' }] : [];
}

/** Returns the identities with the submitted name that also have a submitted contact; if there are none, the first identities with the name. */
function findCandidates(nameMatches: number[], values: ContactMatch[][]): number[] {
  const linked = new Set<number>();
  for (const agreements of values) for (const { identity } of agreements) linked.add(identity);
  const both = nameMatches.filter((id) => linked.has(id));
  return both.length > 0 ? both : nameMatches.slice(0, MAX_BY_NAME);
}

const haveSameExactPart = (a: SubmittedSignature, b: StoredTypoSearchData) =>
  a.kind === b.kind && a.exactPart === b.exactPart;

function isSimilar(submitted: SubmittedSignature, known: StoredTypoSearchData): boolean {
  if (!haveSameExactPart(submitted, known) || isOtherDirection(submitted, known)) return false;
  return submitted.listSpellings().some(({ grams, words }) => {
    const different = Math.max(
      countElementsNotIn(grams, known.grams),
      countElementsNotIn(known.grams, grams),
    );
    if (different <= MAX_DIFFERENT_PAIRS) return true;
    if (known.kind !== 'address' || different > MAX_DIFFERENT_STREET_PAIRS) return false;
    return words().every((word) => countElementsNotIn(word, known.grams) < MIN_OTHER_WORD * word.length);
  });
}

/** True if the stored street has another direction word than the submitted one, such as `12 East Main St` for `12 West Main St`. */
function isOtherDirection(submitted: SubmittedSignature, known: StoredTypoSearchData): boolean {
  const directions = submitted.getDirections();
  if (!directions) return false;
  const least = (spellings: readonly number[][]) =>
    Math.min(
      ...spellings.map(
        (grams) => countElementsNotIn(grams, known.grams) + countElementsNotIn(known.grams, grams),
      ),
    );
  const own = submitted.listSpellings().map(({ grams }) => grams);
  return least(directions.others) < Math.min(least(own), least(directions.without));
}
