// One word of a name, with all that is known of it whatever name it stands in.
import { masculineFamily } from './gender.js';
import { lookUp } from './lexicon.js';
import { isEasternSurname, mandarin, mandarinSound, plainHan } from './reading/han.js';
import { readWord } from './reading/index.js';
import { sinoForm } from './reading/sino.js';
import { foldLatin, mainScript } from './script.js';
import { wordTables } from './words.js';
/** Abd al- and ud-din, whose article and vowels are written in many ways. */
function withoutLinks(text) {
    if (text.startsWith('abd'))
        return text.replace(/^abd[aeiou]?[lr]?/, '');
    return text.length > 5 ? text.replace(/[aeiou]?[ld]?d(?:i|ee|e|ii)ne?$/, 'din') : text;
}
/** The set of the letters of a folded word, a bit each. */
export function letterSet(text) {
    let letters = 0;
    for (let i = 0; i < text.length; i++)
        letters |= 1 << (text.charCodeAt(i) - 97);
    return letters;
}
/** The forms of a folded word that are compared beside the word itself. */
export function spellings(text) {
    return {
        text,
        plain: text.includes('e') ? text.replace(/(?<![aeiouqg])([aou])e/g, '$1') : text,
        family: masculineFamily(text),
        servant: withoutLinks(text),
        letters: letterSet(text),
    };
}
// A few words make up most names, and reading one costs more than all the rest of preparing it.
const known = new Map();
const KNOWN_WORDS = 20_000;
/** To be called when the tables have changed: words are looked up in them once. */
export function forgetWords() {
    known.clear();
}
/** Makes the token of one written word. */
export function makeToken(raw, prefix, role = 'middle') {
    let facts = known.get(raw);
    if (!facts) {
        const script = mainScript(raw);
        if (script === 'han')
            return hanToken(raw, role);
        facts = readFacts(raw, script);
        if (known.size >= KNOWN_WORDS)
            known.clear();
        known.set(raw, facts);
    }
    return { ...facts, prefix, role };
}
/** What is true of a word whatever name it stands in. */
function readFacts(raw, script) {
    const { text, sound } = readWord(raw, script);
    return {
        raw,
        ...spellings(text),
        prefix: '',
        sound,
        han: '',
        sino: '',
        korean: '',
        giles: false,
        eastern: script === 'latin' && isEasternSurname(text),
        script,
        role: 'middle',
        initial: text.length === 1 && script !== 'hangul' && script !== 'kana',
        soft: wordTables().softTitles.has(text),
        info: lookUp(text),
    };
}
function hanToken(raw, role) {
    const han = plainHan([...raw]
        .filter((c) => mainScript(c) === 'han')
        .slice(0, 16)
        .join(''));
    const syllables = mandarin(han, role === 'family');
    const text = foldLatin(syllables.join(''));
    const sino = sinoForm(text) ?? '';
    return {
        raw,
        ...spellings(text),
        prefix: '',
        sound: mandarinSound(syllables),
        han,
        sino,
        korean: '',
        giles: false,
        eastern: false,
        script: 'han',
        role,
        initial: false,
        soft: false,
        info: undefined,
    };
}
/** Two neighbouring words as one: Ji Sung -> Jisung. */
export function joinTokens(a, b) {
    const raw = a.raw + b.raw;
    const common = {
        role: b.role,
        initial: false,
        sino: a.sino && b.sino ? a.sino + b.sino : '',
        korean: a.korean && b.korean ? a.korean + b.korean : '',
        giles: a.giles,
    };
    if (mainScript(raw) !== 'latin')
        return { ...makeToken(raw, a.prefix), ...common };
    const known = foldLatin(raw);
    return {
        ...a,
        raw,
        ...spellings(a.text + b.prefix + b.text),
        sound: a.sound + b.sound,
        han: '',
        script: 'latin',
        soft: wordTables().softTitles.has(known),
        info: lookUp(known),
        ...common,
    };
}
