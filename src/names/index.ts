// Comparing two names of people: the one door of this room. Deterministic, symmetric. A name goes one way: prepare/name.ts reads it
// (parse, roles, tokens), compare/judge.ts judges two (align, words, evidence, calibrate); traditions/ knows the customs of naming.
import type { AlignedWord, PreparedName } from './types.ts';
import { concerns, describeAlignment, explain } from './explain.ts';
import { judge, type Judgement, type NameVariation } from './compare/assess.ts';
import { prepareName } from './prepare/name.ts';
import { forgetWords } from './prepare/token.ts';
import { loadNameTables as loadTables, lookUp } from './lexicon.ts';

export { type NameFrequency, setNameFrequencies } from './compare/evidence.ts';
export {
  firstGivenName,
  givenNameKey,
  nameHalves,
  type NameHalf,
  nameKeys,
  nameParts,
} from './prepare/keys.ts';
export { joinNameParts } from './prepare/parse.ts';
export { nameTablesDigest, loadedNameTables } from './lexicon.ts';
export { prepareName };
export type { AlignedWord, PreparedName, NameVariation };

/**
 * Adds an operator's own table to the shipped ones; see `data/names` for the form. Names prepared before keep what was known then.
 * Errors: file_not_found, unreadable_file, invalid_config (a section of another name).
 */
export function loadNameTables(path: string): void {
  loadTables(path);
  forgetWords();
}

/** Whether a folded word (a-z) is a name that the tables know. */
export function isKnownNameWord(word: string): boolean {
  return lookUp(word) !== undefined;
}

/** The answer on two names. `concerns`, `explanation` and `alignment` are worked out when they are read. */
export interface NameComparison {
  /** 0-100: share of such pairs that are one person's, on balanced pairs. */
  confidence: number;
  /** What explains most of the difference. */
  variation: NameVariation;
  /** The pair could be one person's. */
  same: boolean;
  concerns: string[];
  explanation: string;
  alignment: AlignedWord[];
}

/** The judgement of the same names, the other one first. */
function turned({ alignment, ...rest }: Judgement): Judgement {
  if (!alignment) return rest;
  const links = alignment.links.map(({ a, b, comparison }) => ({ a: b, b: a, comparison }));
  return { ...rest, alignment: { links, onlyA: alignment.onlyB, onlyB: alignment.onlyA } };
}

/** Names are judged in one order, so that the answer cannot depend on which of them comes first. */
function inOrder(a: PreparedName, b: PreparedName): boolean {
  return a.canonical === b.canonical ? a.text <= b.text : a.canonical < b.canonical;
}

class Comparison implements NameComparison {
  readonly confidence: number;
  readonly variation: NameVariation;
  readonly same: boolean;
  readonly #judged: Judgement;
  readonly #a: PreparedName;
  readonly #b: PreparedName;

  constructor(a: PreparedName, b: PreparedName) {
    const judged = inOrder(a, b) ? judge(a, b) : judge(b, a);
    this.confidence = judged.confidence;
    this.variation = judged.variation;
    this.same = judged.same;
    this.#judged = judged;
    this.#a = a;
    this.#b = b;
  }

  get #judgement(): Judgement {
    return inOrder(this.#a, this.#b) ? this.#judged : turned(this.#judged);
  }

  get concerns(): string[] {
    return concerns(this.#judgement, this.#a, this.#b);
  }

  get explanation(): string {
    return explain(this.#judgement, this.#a, this.#b);
  }

  get alignment(): AlignedWord[] {
    return describeAlignment(this.#judgement, this.#a, this.#b);
  }

  toJSON(): NameComparison {
    const { confidence, variation, same, explanation, alignment } = this;
    return { confidence, variation, same, concerns: this.concerns, explanation, alignment };
  }
}

/** Compares two prepared names; for one name against many. */
export function comparePreparedNames(a: PreparedName, b: PreparedName): NameComparison {
  return new Comparison(a, b);
}

/** Compares two names as they were written. Accepts any strings and never throws. */
export function compareNames(a: string, b: string): NameComparison {
  return new Comparison(prepareName(a), prepareName(b));
}
