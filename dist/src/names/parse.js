// Text -> the parts of a name. Knows nothing of any particular name, only of the words and marks around names.
import { foldLatin } from './script.js';
import { wordTables } from './words.js';
const maxLength = 250;
/** Nearly every name: no mark to be read, nothing to be folded but capitals. */
const plain = /^[a-z ]*$/i;
const ascii = /^[ -~]*$/;
const quoted = /["“”„«»]([^"“”„«»]{1,60})["“”«»]|(?<=^|\s)['‘]([^'’]{1,40})['’](?=\s|$|,)/gu;
const bracketed = /[([（]([^()（）[\]]{0,80})[)\]）]/gu;
const birthName = /^(?:n[eé]e?|born|geb(?:oren)?|f[oö]dd|formerly|roz|ur)\b\.?\s*/iu;
const dottedDegree = /(?<=[\s,])(?:ph\.?\s?d|m\.\s?d|d\.\s?d\.\s?s|j\.\s?d|d\.\s?m\.\s?d|m\.\s?b\.\s?a|r\.\s?n|esq)\.?(?=$|[\s,])/giu;
/** Vowel points of Arabic and Hebrew, and the Arabic stretching line. */
const pointing = /(?<=[א-תء-يٮ-ۓ]\p{Mn}*)\p{Mn}|ـ/gu;
const inlineBirthName = /\s(?:n[eé]e|born|geb\.?|geboren)\s+([^\s,.()]+)\s*$/i;
const breaks = /[\s\u00b7\u2022\u2027\u30fb\uff65=/_|+&;:!?*#@~^<>{}\\$%]+/u;
const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d-]/gu;
/** Marks a word that follows a hyphen, until the words of a segment are known. */
const tie = '\u0002';
const apostrophes = /['’‘ʼʻ`´ʿʾʹ′＇]/gu;
/** Splits a text into the parts of a name. Never throws; a text without letters gives no words. */
export function parseName(text) {
    const parsed = {
        words: [],
        familyFirst: 0,
        extras: [],
        former: [],
        generation: 0,
        suffix: '',
        titles: [],
    };
    const segments = plain.test(text) ? [plainWords(text, parsed)] : readMarks(text, parsed);
    const names = [];
    for (const segment of segments) {
        if (segment.length === 0)
            continue;
        const before = names[0]?.length ?? 0;
        const kept = stripTail(stripTitles(segment, parsed), parsed, before);
        if (kept.length > 0)
            names.push(kept);
    }
    for (const [index, segment] of names.entries()) {
        addWords(parsed.words, segment, names.length > 1 && index === 0);
        if (index === 0 && names.length > 1)
            parsed.familyFirst = parsed.words.length;
    }
    return parsed;
}
/** A word between blanks, before it is known what stands around it. */
const newWord = (text, folded) => ({ text, folded, prefix: '', tied: false });
function plainWords(text, parsed) {
    const rest = text
        .slice(0, maxLength)
        .replace(inlineBirthName, (_, name) => aside(parsed.former, name));
    const words = [];
    for (const word of rest.split(' '))
        if (word)
            words.push(newWord(word, word.toLowerCase()));
    return words;
}
/** Takes what stands in quotation marks and brackets out of a text and cuts the rest at its commas. */
function readMarks(text, parsed) {
    let rest = ascii.test(text)
        ? text.slice(0, maxLength)
        : text.normalize('NFKC').slice(0, maxLength).replaceAll(tie, ' ').replace(pointing, '');
    if (/["“”„«»'‘]/.test(rest))
        rest = rest.replace(quoted, (_, a, b) => aside(parsed.extras, a ?? b));
    if (/[([（]/.test(rest))
        rest = rest.replace(bracketed, (_, inner) => bracket(parsed, inner));
    rest = rest.replace(inlineBirthName, (_, name) => aside(parsed.former, name));
    if (rest.includes('.') || rest.includes(','))
        rest = rest.replace(dottedDegree, ' ');
    return rest.split(/[,，、،]/).map(split);
}
function aside(list, inner) {
    list.push(inner);
    return ' ';
}
function bracket(parsed, inner) {
    const body = inner.trim();
    if (birthName.test(body))
        parsed.former.push(body.replace(birthName, ''));
    else if (body)
        parsed.extras.push(body);
    return ' ';
}
function split(segment) {
    return segment
        .replace(apostrophes, '')
        .replaceAll('.', ' ')
        .replace(dashes, ` ${tie}`)
        .split(breaks)
        .filter((word) => /[\p{L}\p{N}]/u.test(word))
        .map((text) => newWord(text, foldLatin(text)));
}
const titleLinks = /^(of|the|and|us|state|district|magistrate)$/;
function stripTitles(words, parsed) {
    const { titles } = wordTables();
    let start = 0;
    while (start < words.length - 1) {
        const word = words[start].folded;
        if (!titles.has(word) && !(start > 0 && titleLinks.test(word) && words.length - start > 2))
            break;
        parsed.titles.push(word);
        start++;
    }
    return start ? words.slice(start) : words;
}
/**
 * Takes suffixes and degrees off the end. `before` = how many words of the name stand before the comma in front of the
 * segment: after a comma a suffix may be all there is, and after a whole name so may a degree.
 */
function stripTail(words, parsed, before) {
    const after = before > 0;
    const { suffixes } = wordTables();
    let end = words.length;
    const keep = after ? 0 : 1;
    while (end > keep) {
        const { text, folded } = words[end - 1];
        const word = /\d/.test(text) ? text.toLowerCase() : folded;
        const generation = suffixes.get(word);
        const sure = after || end > 2 || (word.length > 1 && end > 1);
        if (generation && sure && !(after && end > 1 && word.length === 1)) {
            parsed.generation = Number(generation);
            parsed.suffix = word;
        }
        else if (isDegree(word, end, before))
            parsed.titles.push(word);
        else
            break;
        end--;
    }
    return end < words.length ? words.slice(0, end) : words;
}
function isDegree(word, end, before) {
    const { degrees, softDegrees, titles } = wordTables();
    if (before === 0)
        return end > 2 && degrees.has(word);
    return before > 1 && (degrees.has(word) || softDegrees.has(word) || (end === 1 && titles.has(word)));
}
const article = /^(al|el|ul|ad|as|ar|an|ash|az|at)$/;
/**
 * A particle belongs to the word after it, unless it opens the name or closes it, where it is a name itself. One letter is
 * a particle (Velasquez y Garcia) only behind a given and a family name; before, it is an initial.
 */
function addWords(out, segment, family) {
    let prefix = '';
    let tied = false;
    for (let i = 0; i < segment.length; i++) {
        const word = segment[i];
        tied ||= word.text.startsWith(tie);
        if (isParticle(segment, i, family)) {
            prefix += word.folded;
            continue;
        }
        if (tied)
            word.text = word.text.replaceAll(tie, '');
        word.prefix = prefix;
        word.tied = tied && i > 0;
        out.push(word);
        prefix = '';
        tied = false;
    }
}
function isParticle(segment, at, family) {
    const { particles } = wordTables();
    const { folded } = segment[at];
    const next = segment[at + 1];
    if (!next || !particles.has(folded) || (folded.length === 1 && at < (family ? 1 : 2)))
        return false;
    if (at > 0 || family)
        return true;
    const chain = particles.has(next.folded) && segment.length > 2;
    return chain || (next.text.startsWith(tie) && article.test(folded));
}
