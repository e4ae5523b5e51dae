// Slips of the keyboard, the eye and the ear: how likely is one of two words a mistyped form of the other?
import { differingParts, typoDistance } from '../normalise/typo.js';
import { plausibility } from './shape.js';
const rowsOfKeys = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const neighbours = new Map();
for (const [r, row] of rowsOfKeys.entries()) {
    for (const [c, key] of [...row].entries()) {
        const near = [row[c - 1], row[c + 1]];
        for (const other of [rowsOfKeys[r - 1], rowsOfKeys[r + 1]])
            near.push(other?.[c - 1], other?.[c], other?.[c + 1]);
        neighbours.set(key, near.filter(Boolean).join(''));
    }
}
const lookAlike = new Set([
    'il',
    'li',
    'ij',
    'ji',
    'uv',
    'vu',
    'ec',
    'ce',
    'oc',
    'co',
    'hb',
    'bh',
    'nh',
    'hn',
    'mn',
    'nm',
    'un',
    'nu',
    'ao',
    'oa',
    'ft',
    'tf',
]);
const vowel = /[aeiouy]/;
const beside = (x, y) => neighbours.get(x)?.includes(y) ?? false;
/** Letters that differ of both words, beyond which no typing error is looked for: texts made to cost time end there. */
const LONG = 40;
/** How alike to a slip one edit is, about 0.4-1.1: of the keyboard, of the eye, or neither. */
function oneEdit(a, b) {
    const [short, long] = a.length <= b.length ? [a, b] : [b, a];
    let at = 0;
    while (at < short.length && short[at] === long[at])
        at++;
    const first = at === 0 ? 0.45 : 1;
    if (short.length < long.length) {
        const extra = long[at];
        if (extra === long[at - 1] || extra === long[at + 1])
            return first;
        const key = beside(extra, long[at - 1] ?? '') || beside(extra, long[at + 1] ?? '');
        const ending = at === short.length ? 0.6 : 1;
        return first * ending * (key ? 1 : 0.85);
    }
    const [x, y] = [short[at], long[at]];
    if (x === long[at + 1] && y === short[at + 1])
        return first * 1.1;
    if (beside(x, y) || lookAlike.has(x + y))
        return first * 0.95;
    const ending = at === short.length - 1 && vowel.test(x) && vowel.test(y) ? 0.5 : 1;
    return first * ending * (vowel.test(x) && vowel.test(y) ? 0.7 : 0.6);
}
/**
 * Likelihood 0-1 that two different Latin words are one word with one or two slips. Short words have none. A slip
 * leaves a word that is no name, so one odd-looking word among the two speaks for it and two real-looking ones
 * against it. `known` = how many of the two words are in the tables.
 */
export function slipQuality(a, b, known) {
    const size = Math.min(a.length, b.length);
    if (size < 4 || known === 2)
        return 0;
    if (a.length + b.length > LONG && differingParts(a, b).join('').length > LONG)
        return 0;
    const edits = typoDistance(a, b, 2);
    if (edits > 2 || (edits === 2 && size < 7))
        return 0;
    const length = size >= 7 ? 0.85 : size >= 5 ? 0.75 : 0.45;
    const shape = known === 1 ? 1 : Math.min(1.1, 0.7 + 0.25 * Math.abs(plausibility(a) - plausibility(b)));
    if (edits === 2)
        return a[0] === b[0] ? length * 0.55 * shape : length * 0.15 * shape;
    return Math.min(0.93, length * oneEdit(a, b) * shape);
}
