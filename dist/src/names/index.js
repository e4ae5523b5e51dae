// Comparing two names of people: one entry, deterministic, symmetric.
import { concerns, describeAlignment, explain } from './explain.js';
import { judge } from './judge.js';
import { loadNameTables as loadTables } from './lexicon.js';
import { prepareName } from './prepare.js';
import { forgetWords } from './token.js';
export { firstGiven, nameKeys, nameParts } from './keys.js';
export { nameTablesDigest } from './lexicon.js';
export { useNameFrequencies } from './rarity.js';
export { prepareName };
/**
 * Adds an operator's own table to the shipped ones; see `data/names` for the form. Names prepared before keep what was known then.
 * Errors: `file_not_found`, `unreadable_file`, `invalid_config` (a section of another name).
 */
export function loadNameTables(path) {
    loadTables(path);
    forgetWords();
}
function turn({ alignment, ...rest }) {
    if (!alignment)
        return rest;
    const links = alignment.links.map(({ a, b, related }) => ({ a: b, b: a, related }));
    return { ...rest, alignment: { links, onlyA: alignment.onlyB, onlyB: alignment.onlyA } };
}
/** Names are judged in one order, so that the answer cannot depend on which of them comes first. */
function inOrder(a, b) {
    return a.canonical === b.canonical ? a.text <= b.text : a.canonical < b.canonical;
}
class Comparison {
    confidence;
    variation;
    same;
    #judged;
    #a;
    #b;
    constructor(a, b) {
        const judged = inOrder(a, b) ? judge(a, b) : judge(b, a);
        this.confidence = judged.confidence;
        this.variation = judged.variation;
        this.same = judged.same;
        this.#judged = judged;
        this.#a = a;
        this.#b = b;
    }
    get #judgement() {
        return inOrder(this.#a, this.#b) ? this.#judged : turn(this.#judged);
    }
    get concerns() {
        return concerns(this.#judgement, this.#a, this.#b);
    }
    get explanation() {
        return explain(this.#judgement, this.#a, this.#b);
    }
    get alignment() {
        return describeAlignment(this.#judgement, this.#a, this.#b);
    }
    toJSON() {
        const { confidence, variation, same, explanation, alignment } = this;
        return { confidence, variation, same, concerns: this.concerns, explanation, alignment };
    }
}
/** Compares two prepared names; for one name against many. */
export function comparePrepared(a, b) {
    return new Comparison(a, b);
}
/** Compares two names as they were written. Accepts any strings and never throws. */
export function compareNames(a, b) {
    return new Comparison(prepareName(a), prepareName(b));
}
