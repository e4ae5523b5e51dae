// Finds values on record that differ from a submitted value only by a typing error.
import { countElementsNotIn } from '../../link/compare/address-similarity.ts';
import type { ContactAgreement, TypoSignature } from '../../model.ts';
import { fingerprintExactSignaturePart, type FingerprintFunctions } from '../encryption/fingerprints.ts';
import type { GraphQuery } from '../graph.ts';
import type { GraphReader, StoredTypoSignature } from './reader.ts';

/** Maximum number of identities found by name alone whose values are compared for typos. */
const MAX_BY_NAME = 6;
/** Maximum number of different letter pairs for one typo: a swap of two letters changes three. */
const MAX_DIFFERENT_PAIRS = 3;
/** Maximum number of different letter pairs for a street. It may have two typos, because its house number and place must agree. */
const MAX_DIFFERENT_STREET_PAIRS = 6;
/** Share of a word's letter pairs (0 to 1) from which a different word is assumed instead of a typo. */
const MIN_OTHER_WORD = 0.5;
/** Minimum number of characters of a text that is compared for typos. Shorter texts have too few letter pairs. */
const MIN_LENGTH = 6;
/** Types of address keys that contain only some letters of the street name. They also match other streets with the same house number. */
const PARTIAL_STREET_KEYS: ReadonlySet<ContactAgreement['type']> = new Set(['core', 'core_city']);

export interface TypoCorrectionInput {
  query: GraphQuery;
  values: ContactAgreement[][];
  nameMatches: number[];
  reader: GraphReader;
  fingerprints: FingerprintFunctions;
}

interface Spelling {
  grams: number[];
  words: () => number[][];
}

/** Submitted signature. Its spellings are computed at the first comparison, because few signatures are compared. */
interface SubmittedSignature {
  kind: TypoSignature['kind'];
  exactPart: number;
  listSpellings: () => readonly Spelling[];
  /** Returns the letter pairs of a street without its direction (North, West) and with each other direction; null if the street has none. */
  getDirections: () => { without: number[][]; others: number[][] } | null;
}

/**
 * Returns the agreements, corrected for typos. Adds identities that have the name and a value which differs by a typo, if nobody has the exact
 * value. Agreements on a part of a street name become typos, or are removed if the name is another one.
 */
export function correctAgreementsForTypos({
  query,
  values,
  nameMatches,
  reader,
  fingerprints,
}: TypoCorrectionInput): ContactAgreement[][] {
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
      ? matchSignature(signature, known)
      : agreements.flatMap((agreement) => correctStreet(agreement, signature, known));
  });
}

/** True if no identity has the whole value. Identities may share a part of its street name. */
const isUncertain = (agreements: ContactAgreement[]) =>
  agreements.every(({ type }) => PARTIAL_STREET_KEYS.has(type));

function toSubmitted(signature: TypoSignature, fingerprints: FingerprintFunctions): SubmittedSignature {
  const { kind, text } = signature;
  const toSpelling = (spelling: string): Spelling => ({
    grams: fingerprints.grams(spelling),
    words: () => spelling.split(' ').map((word) => fingerprints.grams(word)),
  });
  let spellings: readonly Spelling[] | undefined;
  let directions: ReturnType<SubmittedSignature['getDirections']> | undefined;
  return {
    kind,
    exactPart: fingerprintExactSignaturePart(fingerprints, signature),
    getDirections: () =>
      (directions ??= signature.directions && {
        without: signature.directions.without.map(fingerprints.grams),
        others: signature.directions.others.map(fingerprints.grams),
      }) ?? null,
    listSpellings: () => (spellings ??= [text, ...(signature.spellings ?? [])].map(toSpelling)),
  };
}

/** Returns the identities with a similar value. The match is never with a primary value, because the stored text is different. */
function matchSignature(
  signature: SubmittedSignature,
  known: Map<number, StoredTypoSignature[]>,
): ContactAgreement[] {
  return [...known]
    .filter(([, signatures]) => signatures.some((other) => isSimilar(signature, other)))
    .map(([identity]) => ({
      identity,
      type: 'typo',
      primary: false,
      share: 1,
      firstSeen: null,
      lastSeen: null,
    }));
}

/**
 * Corrects an agreement on a part of the street name. Returns an agreement of the type `core` for a typo, and an empty list for another street
 * name.
 */
function correctStreet(
  agreement: ContactAgreement,
  signature: SubmittedSignature,
  known: Map<number, StoredTypoSignature[]>,
): ContactAgreement[] {
  if (!PARTIAL_STREET_KEYS.has(agreement.type)) return [agreement];
  const there = known.get(agreement.identity)?.filter((other) => haveSameExactPart(signature, other)) ?? [];
  // The identity has no address with this number and place, so the street names cannot be compared; the
  // submitted postcode may be wrong.
  if (there.length === 0) return [agreement];
  return there.some((other) => isSimilar(signature, other)) ? [{ ...agreement, type: 'core' }] : [];
}

/** Returns the identities with the name that also have a value of the query; if there are none, the first identities with the name. */
function findCandidates(nameMatches: number[], values: ContactAgreement[][]): number[] {
  const linked = new Set<number>();
  for (const agreements of values) for (const { identity } of agreements) linked.add(identity);
  const both = nameMatches.filter((id) => linked.has(id));
  return both.length > 0 ? both : nameMatches.slice(0, MAX_BY_NAME);
}

const haveSameExactPart = (a: SubmittedSignature, b: StoredTypoSignature) =>
  a.kind === b.kind && a.exactPart === b.exactPart;

function isSimilar(submitted: SubmittedSignature, known: StoredTypoSignature): boolean {
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

/** True if the known street is more similar to the submitted street with another direction than to the street without direction. */
function isOtherDirection(submitted: SubmittedSignature, known: StoredTypoSignature): boolean {
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
