// How rare a name word is: a rare family name that agrees says more than a common one.
import { COMMON, GIVEN, SURNAME } from './lexicon.js';
let frequency;
/** Lets the operator's own population say how rare a word is; `undefined` goes back to the tables. */
export function useNameFrequencies(source) {
    frequency = source;
}
/** 0 for the commonest words (one person in 500 or more), 1 for the rarest (one in 50,000 or fewer). */
export function rarity(t) {
    const share = frequency?.(t.text);
    if (share !== undefined)
        return Math.min(1, Math.max(0, -Math.log10(Math.max(share, 1e-9)) - 2.7) / 2);
    const flags = t.info?.flags ?? 0;
    if (flags & COMMON)
        return 0;
    return flags & (SURNAME | GIVEN) ? 0.5 : 1;
}
