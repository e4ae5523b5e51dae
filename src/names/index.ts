// The name engine: compares two names of people. Results are deterministic and do not depend on the order of the two names. prepare/name.ts
// prepares one name (parse, roles, tokens); compare/assess.ts compares two prepared names (align words, weigh evidence, calibrate);
// traditions/ holds the customs of naming.
import {
  assessNames,
  type NameAssessment,
  type NameDifferenceKind,
  getNameAlignment,
} from './compare/assess.ts';
import { findNamePart, joinWordsAsInOther, type NamePart } from './compare/part.ts';
import { limitToSubmittedWords } from './disclose.ts';
import { describeAlignment, explainComparison, listConcerns } from './explain.ts';
import { addNameTable, findNameEntry } from './lexicon.ts';
import { prepareName } from './prepare/name.ts';
import { clearTokenCache } from './prepare/token.ts';
import type { AlignedWord, PreparedName, Token } from './types.ts';

export { listLoadedNameTables, digestNameTables } from './lexicon.ts';
export {
  getFirstGivenName,
  getGivenNameKey,
  splitGivenAndFamilyName,
  type GivenOrFamilyName,
  getNameKeys,
  getFoldedNameParts,
} from './prepare/keys.ts';
export { findNonPersonName, isCompanyName } from './non-person.ts';
export { joinNameParts } from './prepare/parse.ts';
export { limitToSubmittedWords, findNamePart, joinWordsAsInOther, prepareName };
export type { AlignedWord, NamePart, NameDifferenceKind, PreparedName };

/**
 * Adds a name table of the operator to the shipped tables; see `data/names` for the format. Names that are prepared already do not change.
 * Errors: file_not_found, unreadable_file, invalid_config (unknown section).
 */
export function loadNameTables(path: string): void {
  addNameTable(path);
  clearTokenCache();
}

export function isKnownNameWord(word: string): boolean {
  return findNameEntry(word) !== undefined;
}

/** Result of comparing two names. `concerns`, `explanation` and `alignment` are computed when they are read. */
export interface NameComparison {
  /** 0-100: the share of such pairs that are one person's, among pairs of which half are. */
  confidence: number;
  variation: NameDifferenceKind;
  /** True if the names could be one person's. */
  same: boolean;
  /** Sentences with the evidence that the names are not one person's. */
  concerns: string[];
  explanation: string;
  alignment: AlignedWord[];
  /** Given or family names, if only these agree beyond doubt; null otherwise. Computed at the first read. */
  readonly sharedHalf: 'given' | 'family' | null;
}

/** Minimum quality of two aligned words that are surely one word. */
const SURE_WORD_QUALITY = 0.9;

function swapSides({ alignment, ...rest }: NameAssessment): NameAssessment {
  if (!alignment) return rest;
  const links = alignment.links.map(({ a, b, comparison }) => ({ a: b, b: a, comparison }));
  return { ...rest, alignment: { links, onlyA: alignment.onlyB, onlyB: alignment.onlyA } };
}

/** True if the name `a` is assessed first. The fixed order of the two names makes the result independent of the order of the arguments. */
function isFirst(a: PreparedName, b: PreparedName): boolean {
  return a.canonical === b.canonical ? a.text <= b.text : a.canonical < b.canonical;
}

class Comparison implements NameComparison {
  readonly confidence: number;
  readonly variation: NameDifferenceKind;
  readonly same: boolean;
  readonly #ordered: NameAssessment;
  readonly #a: PreparedName;
  readonly #b: PreparedName;

  constructor(a: PreparedName, b: PreparedName) {
    const ordered = isFirst(a, b) ? assessNames(a, b) : assessNames(b, a);
    this.confidence = ordered.confidence;
    this.variation = ordered.variation;
    this.same = ordered.same;
    this.#ordered = ordered;
    this.#a = a;
    this.#b = b;
  }

  get #assessment(): NameAssessment {
    return isFirst(this.#a, this.#b) ? this.#ordered : swapSides(this.#ordered);
  }

  get concerns(): string[] {
    return listConcerns(this.#assessment, this.#a, this.#b);
  }

  get explanation(): string {
    return explainComparison(this.#assessment, this.#a, this.#b);
  }

  get alignment(): AlignedWord[] {
    return describeAlignment(this.#assessment, this.#a, this.#b);
  }

  get sharedHalf(): 'given' | 'family' | null {
    const sure = getNameAlignment(this.#assessment, this.#a, this.#b).links.filter(
      ({ comparison: { relation, quality } }) => relation !== 'initial' && quality >= SURE_WORD_QUALITY,
    );
    // The word order of a name in another script than Latin is known, so the roles of its words are sure.
    const roles = sure.map(({ a: [a], b: [b] }) => (a.script === 'latin' ? b.role : a.role));
    const isHalf = (role: Token['role']) => roles.includes(role);
    const [given, family] = [isHalf('given'), isHalf('family')];
    return given === family ? null : given ? 'given' : 'family';
  }

  toJSON(): Omit<NameComparison, 'sharedHalf'> {
    const { confidence, variation, same, explanation, alignment } = this;
    return { confidence, variation, same, concerns: this.concerns, explanation, alignment };
  }
}

export function comparePreparedNames(a: PreparedName, b: PreparedName): NameComparison {
  return new Comparison(a, b);
}

/** Compares two names as they were written. Accepts any strings and never throws. */
export function compareNames(a: string, b: string): NameComparison {
  return new Comparison(prepareName(a), prepareName(b));
}
