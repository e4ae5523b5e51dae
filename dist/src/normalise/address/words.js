import { typoDistance } from '../typo.js';
import table from '../../../data/addresses/street-words.json' with { type: 'json' };
/** `{ "AVE": "AVENUE AV" }` as a Map from every spelling, the canonical one included, to the canonical one. */
export function spellings(entries, separator = ' ') {
    const map = new Map();
    for (const [canonical, others] of Object.entries(entries)) {
        if (canonical !== '')
            map.set(canonical, canonical);
        for (const other of others.split(separator))
            if (other !== '')
                map.set(other, canonical);
    }
    return map;
}
const words = (text) => new Set(text.split(' '));
/** Street types that end an English, German or Nordic street name: spelling → canonical. */
export const SUFFIXES = spellings(table.suffixes);
/** Street types that start a Romance or Slavic street name. */
export const PREFIX_TYPES = spellings(table.prefixTypes);
export const DIRECTIONALS = spellings(table.directionals);
export const UNIT_MARKS = spellings(table.units);
export const UNIT_WORDS = words(table.unitWords);
export const NAME_WORDS = spellings(table.words);
export const CITY_WORDS = spellings(table.cityWords);
export const PARTICLES = words(table.particles);
export const HIGHWAY_WORDS = words(table.highways);
export const HIGHWAY_MARKS = words(table.highwayMarks);
/** A street type that was cut off while it was typed, or by a narrow column: `BOULEV`, `STRE`, `L`. */
const TRUNCATED = new Map(table.truncated.split(' ').map((pair) => pair.split(':')));
const LONG_TYPES = table.fuzzy.split(' ');
const typos = new Map();
/** `FIRST`…`TWENTIETH` → `1`…`20`. */
export const ORDINALS = new Map(table.ordinals.split(' ').map((word, index) => [word, String(index + 1)]));
/** The street type a word was meant to be: cut short, or one typo away from a common type. Undefined where it is none. */
export function misspeltSuffix(word) {
    const cut = TRUNCATED.get(word);
    if (cut !== undefined)
        return cut === '' ? word : cut;
    if (word.length < 4 || word.length > 10)
        return undefined;
    if (typos.has(word))
        return typos.get(word);
    const meant = LONG_TYPES.find((type) => typoDistance(word, type, 1) === 1);
    const suffix = meant === undefined ? undefined : SUFFIXES.get(meant);
    // Bounded, so that a stream of invented words cannot fill the memory.
    if (typos.size > 5000)
        typos.clear();
    typos.set(word, suffix);
    return suffix;
}
