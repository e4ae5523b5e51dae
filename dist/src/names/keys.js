// Look-up keys of a prepared name: two names that compare as the same nearly always share one.
import { foldLatin } from './script.js';
import { entryOf, headOf } from './lexicon.js';
/** Folded given, middle and family names (particles joined in front) and the suffix of a prepared name. */
export function nameParts(p) {
    const tokens = wordsOf(p);
    const of = (role) => tokens.filter((t) => t.role === role).map((t) => t.prefix + t.text);
    return { given: of('given'), middle: of('middle'), family: of('family'), suffix: foldLatin(p.suffix) };
}
/** The first of the given names, as `nameParts` has it. */
export function firstGiven(p) {
    const token = wordsOf(p).find((t) => t.role === 'given');
    return token && token.prefix + token.text;
}
/** The words of the name, cut where it was written undivided. */
function wordsOf(p) {
    return p.tokens.length === 1 && p.others[0] ? p.others[0] : p.tokens;
}
function ends(tokens) {
    const family = tokens.findLast((t) => t.role === 'family') ?? tokens.at(-1);
    if (!family)
        return undefined;
    const given = tokens.filter((t) => t.role === 'given' && t !== family);
    return [given.length > 0 ? given : [family], family];
}
const ordered = (x, y) => (x <= y ? `${x} ${y}` : `${y} ${x}`);
/** Consonant classes of symbols; h, w and v are left out, since scripts and languages disagree on them most. */
const classes = {};
for (const [name, symbols] of [
    ['p', 'pbfBFP="'],
    ['t', 'tdD^~>79*;'],
    ['k', "kgqGY<&'xKCJjZ?0+"],
    ['s', 'szSTc!:%8.)/'],
    ['n', 'mnNM-'],
    ['r', 'rlR$,L'],
])
    for (const symbol of symbols)
        classes[symbol] = name;
/** Consonant classes of a word, the first four: alike in most spellings and scripts. */
function skeleton(sound) {
    let out = '';
    let last = '';
    for (let i = 0; i < sound.length && out.length < 4; i++) {
        const c = classes[sound[i]];
        if (c === undefined || c === last)
            continue;
        if (c === 'r' && !/[aeiou1-5E@VAy]/.test(sound[i + 1] ?? ''))
            continue;
        out += c;
        last = c;
    }
    return out || 'a';
}
/** One name for a name, its spellings, its short forms and its foreign equivalents. */
function canonicalGiven(t) {
    let info = t.info;
    if (!info)
        return t.text;
    for (let step = 0; step < 2 && info.formals.length > 0 && info.cultures.length === 0; step++) {
        info = entryOf(info.formals[0]);
    }
    const group = info.cultures[0] ?? info.spellings[0];
    return group ? headOf(group) : info.name;
}
/**
 * One to four look-up keys, deterministic: `n:` the folded given and family name whatever their order, without middle
 * names, titles and suffixes; `c:` with the given name by its family of short forms and equivalents; `s:` both by the
 * consonants they sound with, which also meets across scripts; `i:` the initial of the given name by the family name.
 */
export function nameKeys(p) {
    const pair = ends(wordsOf(p));
    if (!pair)
        return [];
    const [given, family] = pair;
    const givenText = given.map((t) => t.text).join('');
    const sounds = given.map((t) => t.sound).join('');
    return [
        `n:${ordered(givenText, family.prefix + family.text)}`,
        `c:${ordered(canonicalGiven(given[0]), family.family)}`,
        `s:${ordered(skeleton(sounds), skeleton(family.sound))}`,
        `i:${givenText[0] ?? ''} ${family.family}`,
    ];
}
