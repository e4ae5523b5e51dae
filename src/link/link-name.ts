// Prepared names for linking, cached: people have several records, and a few words make up most names.
import {
  getNameKeys,
  getLatinNamePartsByRole,
  getGivenNameKey,
  hashNameTables,
  prepareName,
  type PreparedName,
} from '../names/index.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { hashText } from './fingerprints.ts';
import type { FingerprintFunction } from './stored-record.ts';

/** Name of a record, prepared for linking and publishing. */
export interface NameForLinking {
  name: PreparedName;
  parts: ReturnType<typeof getLatinNamePartsByRole>;
  /** Returns the look-up keys of the name; see `getNameKeys`. */
  keys(): string[];
  /** Generation in the name: 1 for the elder (Sr, I), 2 for Jr and II, and so on; 0 for none. */
  generation: number;
  /** Texts of the name's words that are longer than an initial; `given` is the given name, null if it is missing or an initial. */
  fullWords: { given: string | null; words: string[] };
  /** Returns the words of `fullWords`, prepared for comparison. */
  words(): NameWordsWithoutInitials;
}

/** Names of one record. Records with equal names share this object while it is cached. */
export interface NamesForLinking {
  /** Number of this object, unique within the thread. */
  id: number;
  named: NameForLinking[];
  prepared: PreparedName[];
  words(): NameWordsWithoutInitials[];
  /** Generation in the names: 1 for the elder (Sr, I), 2 for Jr and II, and so on; 0 for none. */
  generation: number;
}

export interface NameWordsWithoutInitials {
  /** Given name; null if it is missing or an initial. */
  given: PreparedName | null;
  /** All words that are longer than an initial. */
  words: PreparedName[];
}

/**
 * Number of cached names; each needs about 3 KB. Records with equal names are compared and published one after the other. A larger cache would
 * keep names that are not used again and slow down garbage collection.
 */
const MAX_CACHED_NAMES = 64;
/** Number of words in the cache of prepared words. A few words make up most names. */
const MAX_CACHED_WORDS = 8192;
/** Number of cached words in canonical form (lower-case ASCII), about 100 bytes each. */
const MAX_CACHED_CANONICAL_WORDS = 32_768;

/**
 * Returns `make` with a cache, which is cleared when the name tables change.
 * @param most number of cached results; the cache may hold twice as many
 */
function withCache<T extends object | string>(most: number, make: (text: string) => T): (text: string) => T {
  const cache = createBoundedCache(most, make);
  let tables = '';
  return (text) => {
    if (tables !== hashNameTables()) {
      tables = hashNameTables();
      cache.clear();
    }
    return cache.get(text);
  };
}

export const getPreparedWord: (text: string) => PreparedName = withCache(MAX_CACHED_WORDS, prepareName);

/** Returns a word in lower-case ASCII, without accents. Records are counted by this form of a word. */
export const getCanonicalWord: (text: string) => string = withCache(
  MAX_CACHED_CANONICAL_WORDS,
  (text) => prepareName(text).canonical,
);

export const getNameForLinking = (text: string): NameForLinking =>
  getSingleName(text).named[0] ?? prepareLinkName(text);

function prepareLinkName(text: string): NameForLinking {
  const name = prepareName(text);
  const parts = getLatinNamePartsByRole(name);
  const fullWords = listFullWords(name, parts);
  let words: NameWordsWithoutInitials | undefined;
  let keys: string[] | undefined;
  return {
    name,
    parts,
    // The keys are computed on first use: comparisons do not need them.
    keys: () => (keys ??= getNameKeys(name)),
    generation: generationOf(name, parts),
    fullWords,
    // Computed on first use, because not all names are compared.
    words: () => (words ??= prepareFullWords(fullWords)),
  };
}

let namesCreated = 0;

function createLinkNames(
  texts: readonly string[],
  prepare: (text: string) => NameForLinking,
): NamesForLinking {
  const named = texts.map(prepare);
  let words: NameWordsWithoutInitials[] | undefined;
  return {
    id: ++namesCreated,
    named,
    prepared: named.map(({ name }) => name),
    words: () => (words ??= named.map((name) => name.words())),
    generation: named.find(({ generation }) => generation > 0)?.generation ?? 0,
  };
}

const getSingleName = withCache(MAX_CACHED_NAMES, (text) => prepareNamesForLinkingWithoutCache([text]));

/** Prepares the names of one record without caches, for records that are read only once. */
export const prepareNamesForLinkingWithoutCache = (texts: readonly string[]): NamesForLinking =>
  createLinkNames(texts, prepareLinkName);

export function getNamesForLinking(texts: readonly string[]): NamesForLinking {
  const [only] = texts;
  return only !== undefined && texts.length === 1
    ? getSingleName(only)
    : createLinkNames(texts, getNameForLinking);
}

/** Fingerprints of one name, by which identities are found. */
export interface NameFingerprints {
  /** Fingerprints of the look-up keys of the name; see `getNameKeys`. */
  keys: number[];
  /** Fingerprint of the given name's look-up key; null if the given name is missing or an initial. */
  givenKey: number | null;
  /** Hash of the words and the generation (Jr). Spellings with equal hashes count as one variant of the name. */
  form: number;
}

export function computeNameFingerprints(
  { name, keys, generation }: NameForLinking,
  fingerprint: FingerprintFunction,
): NameFingerprints {
  const given = getGivenNameKey(name);
  return {
    keys: keys().map((key) => fingerprint('name', key)),
    givenKey: given === null ? null : fingerprint('name', given),
    form: hashText(`${name.canonical}|${generation}`),
  };
}

/** Matches "I" as a generation at the end of a name, because the name parser reads a single I as an initial. */
const THE_FIRST = /\p{L}{2}[ ,]+I\.?$/u;
/** Generation (1 for Sr, 2 for Jr) that a word between given and family name gives. A single I there may also be an initial. */
const BETWEEN = new Map(Object.entries({ i: 1, sr: 1, ii: 2, jr: 2, iii: 3, iv: 4 }));

function generationOf({ text, generation }: PreparedName, { middle }: NameForLinking['parts']): number {
  if (generation > 0) return generation;
  if (THE_FIRST.test(text)) return 1;
  return BETWEEN.get(middle.find((word) => BETWEEN.has(word)) ?? '') ?? 0;
}

/** Returns the first middle name or initial that is not a generation such as Jr. Undefined if there is none. */
export const getMiddleName = ({ parts }: NameForLinking): string | undefined =>
  parts.middle.find((word) => word.length === 1 || !BETWEEN.has(word));

/**
 * Returns the given name and all words. A name without spaces may be split in several places (森純一): its words are those of all splits. The given
 * name of a name in kana without spaces is unknown.
 */
function listFullWords(
  { tokens, alternatives, script }: PreparedName,
  { given, middle, family }: NameForLinking['parts'],
): NameForLinking['fullWords'] {
  const [first = ''] = given;
  const isUndivided = tokens.length === 1;
  const otherSplits = isUndivided ? alternatives.slice(1).flat() : [];
  return {
    given: first.length > 1 && !(isUndivided && script === 'kana') ? first : null,
    words: [...given, ...middle, ...family, ...otherSplits.map(({ text }) => text)].filter(
      (word) => word.length > 1,
    ),
  };
}

const prepareFullWords = ({ given, words }: NameForLinking['fullWords']): NameWordsWithoutInitials => ({
  given: given === null ? null : getPreparedWord(given),
  words: words.map(getPreparedWord),
});
