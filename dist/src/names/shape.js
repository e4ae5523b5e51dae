// How much a word looks like a name: letter triples of the names in the tables.
import { knownNames } from './lexicon.js';
let counts;
let pairs;
function code(text, i) {
    const c = text.charCodeAt(i) - 96;
    return c >= 1 && c <= 26 ? c : 0;
}
function learn() {
    counts = new Uint16Array(27 * 27 * 27);
    pairs = new Uint32Array(27 * 27);
    for (const name of knownNames()) {
        let two = 0;
        for (let i = 0; i <= name.length; i++) {
            const letter = code(name, i);
            counts[two * 27 + letter]++;
            pairs[two]++;
            two = (two % 27) * 27 + letter;
        }
    }
}
/** Least probability of a letter after its two predecessors, as a negative logarithm: about 1 for names, 6 for slips. */
export function plausibility(word) {
    if (!counts)
        learn();
    let worst = 0;
    for (let i = 0; i <= word.length; i++) {
        const two = code(word, i - 2) * 27 + code(word, i - 1);
        const cost = -Math.log((counts[two * 27 + code(word, i)] + 0.2) / (pairs[two] + 5));
        if (cost > worst)
            worst = cost;
    }
    return worst;
}
