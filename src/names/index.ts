// The name engine: compares two names of people. Results are deterministic and do not depend on the order of the two names. prepare/name.ts
// prepares one name (parse, roles, tokens); compare/assess.ts compares two prepared names (align words, weigh evidence, calibrate);
// traditions/ holds the customs of naming.
import {
  assessNamePair,
  dropRepeatedWords,
  isFirst,
  mayBeOnePerson,
  findMainDifference,
  type NamePairAssessment,
  type NameDifferenceType,
  getNameAlignment,
} from './compare/assess.ts';
import { mayBeRelatives } from './compare/evidence.ts';
import {
  findPartialNameMatch,
  listPossibleGenerations,
  listPossibleSuffixWords,
  rewritePreparedNameLikeOther,
  type PartialNameMatch,
} from './compare/part.ts';
import { limitNameToSubmittedWords } from './disclose.ts';
import { listAlignedWords, explainNameComparison, listConcernsAboutNamePair } from './explain.ts';
import { addNameTable, findNameEntry, GIVEN_NAME_FLAG, SURNAME_FLAG } from './lexicon.ts';
import { splitGivenAndFamilyName } from './prepare/keys.ts';
import { prepareName } from './prepare/name.ts';
import { clearTokenCache } from './prepare/token.ts';
import {
  haveEastAsianAndEnglishGivenName,
  mayHaveEnglishGivenName,
} from './traditions/east-asia/english-names.ts';
import { areNamesOfParentAndChild } from './traditions/cyrillic-and-greek.ts';
import { haveOtherVietnameseMarks } from './traditions/east-asia/customs.ts';
import {
  areIcelandicParentAndChild,
  areChildAndFatherNames,
  haveSamePaternalSurname,
  findSharedFamilyNameWord,
} from './traditions/western.ts';
import type { AlignedTokenPair, AlignedWordPair, PreparedName, Token, WordRelation } from './types.ts';

export { listOperatorNameTablePaths, hashNameTables } from './lexicon.ts';
export {
  beginWithOneFamilyName,
  getFirstGivenName,
  getGivenNameKey,
  splitGivenAndFamilyName,
  type GivenOrFamilyName,
  getNameKeys,
  getLatinNamePartsByRole,
} from './prepare/keys.ts';
export {
  findNonPersonNameType,
  isCompanyName,
  isCompanyOrHouseholdName,
  isGivenNameBesideTradeWord,
  isTitleOfSeveralPeople,
  RELATIVE_WORDS,
  removeCompany,
  removeRelation,
} from './non-person.ts';
export { removeOtherPerson } from './prepare/marks.ts';
export { joinNameParts } from './prepare/parse.ts';
export { isTitleWord } from './title-words.ts';
export {
  areIcelandicParentAndChild,
  areNamesOfParentAndChild,
  areChildAndFatherNames,
  haveEastAsianAndEnglishGivenName,
  haveOtherVietnameseMarks,
  haveSamePaternalSurname,
  mayHaveEnglishGivenName,
  findSharedFamilyNameWord,
  limitNameToSubmittedWords,
  findPartialNameMatch,
  listPossibleGenerations,
  listPossibleSuffixWords,
  rewritePreparedNameLikeOther,
  prepareName,
};
export type { AlignedWordPair, PartialNameMatch, NameDifferenceType, PreparedName };

/**
 * Adds a name table of the operator to the built-in tables; `data/names` explains the format. Names that are already prepared do not
 * change. Errors: file_not_found, unreadable_file, invalid_config (unknown section).
 */
export function loadOperatorNameTable(path: string): void {
  addNameTable(path);
  clearTokenCache();
}

export function isKnownNameWord(word: string): boolean {
  return findNameEntry(word) !== undefined;
}

/**
 * Returns the only role, given or family, in which the name tables have a word. Null if they have it in both or in none. The word has letters a-z
 * only.
 */
export function findOnlyNameRole(word: string): 'given' | 'family' | null {
  const flags = findNameEntry(word)?.flags ?? 0;
  const isGiven = (flags & GIVEN_NAME_FLAG) !== 0;
  if (isGiven === ((flags & SURNAME_FLAG) !== 0)) return null;
  return isGiven ? 'given' : 'family';
}

/** Result of comparing two names. `concerns`, `explanation` and `alignment` are computed at the first read. */
export interface NameComparison {
  /**
   * Confidence (0-100) that both names belong to one person. Calibrated on pairs of names, half of them of one person: of the pairs with
   * confidence 80, 80 % belong to one person.
   */
  confidence: number;
  variation: NameDifferenceType;
  /** True if both names may belong to one person. */
  same: boolean;
  /** Sentences with the evidence that the names belong to two people. */
  concerns: string[];
  explanation: string;
  alignment: AlignedWordPair[];
  /** Part of the name (given or family) that certainly agrees, if only one does; otherwise null. Computed at the first read. */
  readonly sharedHalf: 'given' | 'family' | null;
  /** Main difference of the names, also if they are not the same. Computed at the first read. */
  readonly mainDifference: NameDifferenceType;
  /** True if the given names are forms of one name that two relatives may have (Sean, Ian). Computed at the first read. */
  readonly mayBeRelatives: boolean;
  /** True if each name has a word that the other name lacks (John Robert Smith, John Michael Smith). Computed at the first read. */
  readonly hasDifferentWords: boolean;
}

/** Minimum quality (0-1) of two aligned words that certainly are the same name, also as a short form from the name tables. */
const SURE_WORD_QUALITY = 0.85;
/** Minimum quality (0-1) of two aligned family names that the explanation calls one name: Meyer and Meier, Cohen and כהן. */
const SURE_FAMILY_QUALITY = 0.5;
/** Relations of two words that are spellings or forms of one name. */
const SPELLING_RELATIONS: ReadonlySet<WordRelation> = new Set(['spelling', 'script', 'gendered', 'part']);

/** True if two aligned words certainly are the same name. For two spellings of a family name, a lower quality is sufficient. */
function isSurelySameWord({ a: [a], b: [b], comparison: { relation, quality } }: AlignedTokenPair): boolean {
  if (a.isInitial || relation === 'initial') return false;
  const isFamilySpelling = SPELLING_RELATIONS.has(relation) && roleOf(a, b) === 'family';
  return quality >= (isFamilySpelling ? SURE_FAMILY_QUALITY : SURE_WORD_QUALITY);
}

/**
 * Returns the role (such as given or family) of two aligned words. If only one word is Latin, returns the role of the other word, because the word
 * order of its script is known.
 */
const roleOf = (a: Token, b: Token): Token['role'] => (a.script === 'latin' ? b.role : a.role);

function swapSides({ alignment, ...rest }: NamePairAssessment): NamePairAssessment {
  if (!alignment) return rest;
  const links = alignment.links.map(({ a, b, comparison }) => ({ a: b, b: a, comparison }));
  return { ...rest, alignment: { links, onlyA: alignment.onlyB, onlyB: alignment.onlyA } };
}

class Comparison implements NameComparison {
  readonly confidence: number;
  readonly variation: NameDifferenceType;
  readonly same: boolean;
  readonly #ordered: NamePairAssessment;
  readonly #a: PreparedName;
  readonly #b: PreparedName;

  constructor(first: PreparedName, second: PreparedName) {
    const [a, b] = [dropRepeatedWords(first, second), dropRepeatedWords(second, first)];
    const ordered = isFirst(a, b) ? assessNamePair(a, b) : assessNamePair(b, a);
    this.confidence = ordered.confidence;
    this.variation = ordered.variation;
    this.same = ordered.same;
    this.#ordered = ordered;
    this.#a = a;
    this.#b = b;
  }

  get #assessment(): NamePairAssessment {
    return isFirst(this.#a, this.#b) ? this.#ordered : swapSides(this.#ordered);
  }

  get concerns(): string[] {
    return listConcernsAboutNamePair(this.#assessment, this.#a, this.#b);
  }

  get explanation(): string {
    return explainNameComparison(this.#assessment, this.#a, this.#b);
  }

  get alignment(): AlignedWordPair[] {
    return listAlignedWords(this.#assessment, this.#a, this.#b);
  }

  get sharedHalf(): 'given' | 'family' | null {
    const { links, onlyA, onlyB } = getNameAlignment(this.#assessment, this.#a, this.#b);
    const sure = links.filter((link) => isSurelySameWord(link) && !this.#isSurnameAsGivenName(link));
    const given = sure.some(({ a: [a], b: [b] }) => roleOf(a, b) === 'given');
    const [hasOtherA, hasOtherB] = [onlyA, onlyB].map((only) => only.some(({ role }) => role === 'family'));
    // One of two family names may be a stranger's: Lucía Quiroga Soto, José Fernández Quiroga.
    const family = sure.some(
      ({ a: [a], b: [b] }) =>
        roleOf(a, b) === 'family' && (!hasOtherA || a.role === 'given') && (!hasOtherB || b.role === 'given'),
    );
    return given === family ? null : given ? 'given' : 'family';
  }

  /** True if a family name is aligned with a given name, although its own name begins with a given name: Shannon Marsh, Marshall Tunney. */
  #isSurnameAsGivenName({ a: [a], b: [b] }: AlignedTokenPair): boolean {
    if (a.script !== 'latin' || b.script !== 'latin' || (a.role === 'family') === (b.role === 'family'))
      return false;
    return splitGivenAndFamilyName(a.role === 'family' ? this.#a : this.#b).given.isRealName;
  }

  get mainDifference(): NameDifferenceType {
    return findMainDifference(this.#a, this.#b, getNameAlignment(this.#assessment, this.#a, this.#b));
  }

  get mayBeRelatives(): boolean {
    return getNameAlignment(this.#assessment, this.#a, this.#b).links.some(mayBeRelatives);
  }

  get hasDifferentWords(): boolean {
    const { onlyA, onlyB } = getNameAlignment(this.#assessment, this.#a, this.#b);
    return onlyA.length > 0 && onlyB.length > 0;
  }

  toJSON(): Omit<NameComparison, 'sharedHalf' | 'mainDifference' | 'mayBeRelatives' | 'hasDifferentWords'> {
    const { confidence, variation, same, explanation, alignment } = this;
    return { confidence, variation, same, concerns: this.concerns, explanation, alignment };
  }
}

export function comparePreparedNames(a: PreparedName, b: PreparedName): NameComparison {
  return new Comparison(a, b);
}

/** True if two names may belong to one person (`NameComparison.same`). Faster than a full comparison. */
export function areSameNames(a: PreparedName, b: PreparedName): boolean {
  return isFirst(a, b) ? mayBeOnePerson(a, b) : mayBeOnePerson(b, a);
}

/** Compares two names as written. Accepts any strings and never throws. */
export function compareNames(a: string, b: string): NameComparison {
  return new Comparison(prepareName(a), prepareName(b));
}
