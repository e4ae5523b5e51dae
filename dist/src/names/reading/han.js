// Han characters: readings in Mandarin, the southern Chinese languages, Japanese, Korean and Vietnamese.
import { createRequire } from 'node:module';
import { readTable, tableLines } from '../tables.js';
import { koreanForm } from './sino.js';
let table;
const japanese = 2;
const korean = 3;
function load() {
    const built = {
        surnames: new Map(),
        characters: new Map(),
        plain: new Map(),
        foreign: new Map(),
        latin: new Map(),
    };
    let section = '';
    for (const [index, line] of tableLines(readTable('han.txt')).entries()) {
        if (line.startsWith('['))
            section = line;
        else if (section === '[foreign]')
            addForeign(built, line);
        else
            addReadings(built, line, section === '[surnames]' ? index : -1);
    }
    return built;
}
function addForeign({ foreign, plain }, line) {
    const [word, ...names] = line.split(' ');
    foreign.set([...word].map((c) => plain.get(c) ?? c).join(''), names);
}
/** `index` is the number of the line for a family name, -1 for a character. */
function addReadings(built, line, index) {
    const [chars, ...columns] = line.split(' | ').map((cell) => cell.split(' '));
    const readings = columns.map((list, column) => list[0] === '-' ? [] : column === japanese ? list.map(evenVowels) : list);
    const target = index < 0 ? built.characters : built.surnames;
    for (const char of chars) {
        target.set(char, target.has(char) ? merge(target.get(char), readings) : readings);
        if (char !== chars[0] && !built.plain.has(char))
            built.plain.set(char, chars[0]);
    }
    if (index >= 0)
        indexLatin(built.latin, columns, index);
}
const merge = (a, b) => a.map((list, i) => [...new Set([...list, ...(b[i] ?? [])])]);
function indexLatin(latin, columns, line) {
    for (const [column, list] of columns.entries()) {
        for (const word of list) {
            if (word === '-')
                continue;
            const entries = latin.get(word);
            if (entries)
                entries.push([line, column]);
            else
                latin.set(word, [[line, column]]);
        }
    }
}
/** Long vowels of Japanese are written in many ways (Sato, Satou, Satoh): they are written short here. */
export function evenVowels(text) {
    return text
        .replace(/ō/g, 'o')
        .replace(/o[uh](?![aeiouy])|oo/g, 'o')
        .replace(/uu/g, 'u');
}
/** Characters with variants of one character made the same. */
export function plainHan(word) {
    const { plain } = (table ??= load());
    let out = '';
    for (const c of word)
        out += plain.get(c) ?? c;
    return out;
}
/** How many characters of a Han name are the family name, by the surnames of China and Korea; 0 = not known. */
export function surnameLength(word) {
    const { surnames } = (table ??= load());
    if (word.length > 2 && surnames.has(word.slice(0, 2)))
        return 2;
    return surnames.has(word[0]) ? 1 : 0;
}
const voiced = { k: 'g', s: 'z', t: 'd', h: 'b', c: 'j' };
function startsAs(latin, at, reading, inner) {
    if (latin.startsWith(reading, at))
        return true;
    if (!inner || reading.length < 2)
        return false;
    const voice = reading.startsWith('sh')
        ? 'j' + reading.slice(2)
        : reading.startsWith('ts')
            ? 'z' + reading.slice(2)
            : reading.startsWith('ch')
                ? 'j' + reading.slice(2)
                : (voiced[reading[0]] ?? '') + reading.slice(1);
    return voice.length > 1 && latin.startsWith(voice, at);
}
/** Whether Latin letters can be read from a word's characters in one column of the table. */
function readsAs(word, latin, column, family) {
    const { surnames, characters } = (table ??= load());
    const walk = (i, at) => {
        if (i === word.length)
            return at === latin.length;
        if (at >= latin.length)
            return false;
        for (let size = Math.min(3, word.length - i); size > 0; size--) {
            const piece = word.slice(i, i + size);
            const lists = [
                characters.get(piece)?.[column],
                family || column !== japanese ? surnames.get(piece)?.[column] : undefined,
            ];
            for (const list of lists) {
                for (const reading of list ?? []) {
                    if (startsAs(latin, at, reading, column === japanese && i > 0) &&
                        walk(i + size, at + reading.length))
                        return true;
                }
            }
        }
        return false;
    };
    return walk(0, 0);
}
/** Whether Han characters are the usual rendering of a foreign name: 乔治 of George. */
export function isRenderingOf(word, latin) {
    return (table ??= load()).foreign.get(word)?.includes(latin) ?? false;
}
/** Whether a Latin word is a reading of Han characters in some language but Mandarin. */
export function isReadingOf(word, latin, family) {
    if (word.length > 6 || latin.length > 24)
        return false;
    const even = evenVowels(latin);
    for (let column = 1; column <= 4; column++)
        if (readsAs(word, even, column, family))
            return true;
    return false;
}
/** Forms of the Korean readings of up to three characters, as `koreanForm` writes them. */
export function koreanOf(word) {
    const { surnames, characters } = (table ??= load());
    let forms = [''];
    if (word.length > 3)
        return [];
    for (const c of word) {
        const readings = characters.get(c)?.[korean] ?? surnames.get(c)?.[korean] ?? [];
        forms = forms.flatMap((form) => readings.slice(0, 3).map((reading) => `${form}${koreanForm(reading)}.`));
    }
    return forms;
}
/** How two Latin surnames meet in one Chinese character: in one language, across languages, or not at all. */
export function sinoSurnames(a, b) {
    const { latin } = (table ??= load());
    const ofA = latin.get(a);
    const ofB = ofA && latin.get(b);
    if (!ofB)
        return undefined;
    let found;
    for (const [line, column] of ofA) {
        for (const [other, side] of ofB) {
            if (line !== other)
                continue;
            if (column === side || (column < 2 && side < 2))
                return 'same';
            found = 'across';
        }
    }
    return found;
}
/** Whether a Latin word is a family name of China in pinyin or a southern spelling. */
export function isSinoSurname(text) {
    const { latin } = (table ??= load());
    return latin.get(text)?.some(([, column]) => column < 2) ?? false;
}
/** Whether a Latin word is a family name of China or Korea. */
export function isEasternSurname(text) {
    const { latin } = (table ??= load());
    return latin.get(text)?.some(([, column]) => column < 2 || column === korean) ?? false;
}
/** Whether a Latin word is a family name of Korea. */
export function isKoreanSurname(text) {
    const { latin } = (table ??= load());
    return latin.get(text)?.some(([, column]) => column === korean) ?? false;
}
let pinyinOf;
/** Mandarin syllables of a Han word. pinyin-pro is loaded when the first character comes that the table lacks. */
export function mandarin(word, family) {
    const { surnames, characters } = (table ??= load());
    if (family && surnames.has(word))
        return [surnames.get(word)[0][0] ?? ''];
    const known = [...word].map((c) => characters.get(c)?.[0]?.[0] ?? (family ? surnames.get(c)?.[0]?.[0] : undefined));
    if (known.every((reading) => reading !== undefined))
        return known;
    pinyinOf ??= createRequire(import.meta.url)('pinyin-pro').pinyin;
    return pinyinOf(word, { toneType: 'none', type: 'array', ...(family ? { mode: 'surname' } : {}) }).map((s) => s.replace('ü', 'u'));
}
const initials = {
    b: '=',
    p: 'P',
    m: 'm',
    f: 'F',
    d: '>',
    t: '^',
    n: 'n',
    l: 'R',
    g: '<',
    k: '&',
    h: '(',
    j: '+',
    q: 'C',
    x: '/',
    zh: '?',
    ch: 'C',
    sh: ':',
    r: ',',
    z: ')',
    c: ')',
    s: '!',
    w: 'W',
    y: 'y',
};
const carriers = new Set('e te de ke ge le ze ce se he re bu pu fu mu du tu ku gu si zi ci shi zhi chi ri li'.split(' '));
/** Sounds of Mandarin syllables: as Chinese names are spelt, and as foreign names are rendered with them. */
export function mandarinSound(list) {
    let out = '';
    for (const syllable of list) {
        if (syllable === 'er') {
            out += ',';
            continue;
        }
        const [, start, middle, end] = /^([zcs]h|[bpmfdtnlgkhjqxrzcswy])?([aeiou]+)(ng|n)?$/.exec(syllable) ?? [
            '',
            '',
            syllable,
            '',
        ];
        const vowel = carriers.has(syllable)
            ? 'U'
            : (middle ?? '')
                .replace(/^i(?=[aou])/, '3')
                .replace(/^u(?=[aeio])/, '5')
                .replace(/(?<=[ae])i$/, '3')
                .replace(/(?<=[ao])[uo]$/, '5');
        out += (start ? initials[start] : '') + vowel + (end === 'ng' ? '-' : end === 'n' ? 'M' : '');
    }
    return out;
}
