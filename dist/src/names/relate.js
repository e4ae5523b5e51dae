// How two single words of names stand to each other.
import { genderVariant } from './gender.js';
import { GIVEN, lookUp, SURNAME } from './lexicon.js';
import { soundDistance } from './phonemes.js';
import { letterSet, spellings } from './token.js';
import { isReadingOf, isRenderingOf, koreanOf, sinoSurnames } from './reading/han.js';
import { isBare } from './reading/index.js';
import { isPinyin } from './reading/sino.js';
import { different, related } from './related.js';
import { latinSound } from './sound.js';
import { typoDistance } from '../normalise/typo.js';
import { slipQuality } from './slip.js';
import { byShortening, byTables } from './variants.js';
const equal = related('equal', 1);
const otherScript = related('script', 0.98);
const particle = related('equal', 0.98);
const spelledOut = related('equal', 0.97);
const initial = related('initial', 0.85);
const koreanVowel = related('spelling', 0.86);
const bare = related('equal', 0.97);
const noParticle = related('part', 0.98);
const otherParticle = related('part', 0.96);
const acrossScripts = [
    [0, 0.97],
    [0.08, 0.94],
    [0.15, 0.79],
    [0.22, 0.5],
    [0.3, 0.21],
    [0.4, 0.06],
    [0.55, 0],
];
const withinLatin = [
    [0, 0.94],
    [0.04, 0.85],
    [0.09, 0.65],
    [0.15, 0.35],
    [0.22, 0.12],
    [0.35, 0],
];
/** Distances from which on the curves say nothing. */
const farLatin = withinLatin.at(-1)[0];
const farAcross = acrossScripts.at(-1)[0];
function onCurve(curve, x) {
    let i = 1;
    while (i < curve.length && x > curve[i][0])
        i++;
    if (i === curve.length)
        return 0;
    const before = curve[i - 1];
    const after = curve[i];
    return before[1] + ((after[1] - before[1]) * (x - before[0])) / (after[0] - before[0]);
}
const real = GIVEN | SURNAME;
const isKnown = (t) => ((t.info?.flags ?? 0) & real) !== 0;
function chinese(a, b) {
    if (a.han && b.han) {
        if (a.han === b.han)
            return equal;
        return a.text === b.text ? related('spelling', 0.35) : different;
    }
    const han = a.han ? a : b;
    const other = a.han ? b : a;
    if (han.han) {
        if (other.text === han.text)
            return related('script', 0.96);
        if (isRenderingOf(han.han, other.text))
            return related('script', 0.94);
        if (other.korean && koreanOf(han.han).includes(other.korean))
            return related('script', 0.9);
        return isReadingOf(han.han, other.text, han.role === 'family') ? related('script', 0.93) : undefined;
    }
    if (a.script === 'hangul' || b.script === 'hangul') {
        const name = a.script === 'hangul' ? a.raw : b.raw;
        return name.length === 1 && sinoSurnames(a.text, b.text) === 'same' ? related('script', 0.95) : undefined;
    }
    if (a.script !== 'latin' || b.script !== 'latin')
        return undefined;
    if (a.sino && a.sino === b.sino)
        return related('spelling', a.giles !== b.giles ? 0.88 : 0.5);
    if (a.korean && a.korean === b.korean)
        return related('spelling', 0.86);
    const meet = sinoSurnames(a.text, b.text);
    if (meet)
        return related('spelling', meet === 'same' ? 0.8 : 0.35);
    return a.sino && b.sino && !a.giles && !b.giles ? related('slip', 0.15) : undefined;
}
/** Letters that spellings do not tell apart: Kamel and Kamil, Alonso and Alonzo, but not Sara and Zara. */
function evenlySpelt(a, b) {
    return ((a.letters ^ b.letters) & ~evened) === 0 && evenLetters(a.text) === evenLetters(b.text);
}
const evened = letterSet('eiyouzsphf');
const evenLetters = (text) => text[0] +
    text
        .slice(1)
        .replaceAll('e', 'i')
        .replaceAll('y', 'i')
        .replaceAll('o', 'u')
        .replaceAll('z', 's')
        .replace(/ph/g, 'f');
function written(a, b) {
    if (a.text.length < 4 || b.text.length < 4)
        return undefined;
    if (a.plain === b.plain)
        return spelledOut;
    if (a.family === b.family)
        return related('gendered', 0.8);
    if (a.servant !== b.servant)
        return undefined;
    return a.servant !== a.text && b.servant !== b.text ? related('spelling', 0.9) : related('part', 0.75);
}
/** Number of letters that only one of two words has, from their letter sets. */
function unlike(a, b) {
    let bits = a ^ b;
    let count = 0;
    for (; bits; count++)
        bits &= bits - 1;
    return count;
}
function sameLatin(a, b) {
    if (a.text.length < 2 || b.text.length < 2)
        return different;
    if (a.text[0] !== b.text[0] && unlike(a.letters, b.letters) > 7)
        return different;
    const form = written(a, b);
    if (form)
        return form;
    const knownWords = Number(isKnown(a)) + Number(isKnown(b));
    let best = bySpelling(a, b, knownWords);
    if (best.quality > 0.05 && a.role !== 'family' && b.role !== 'family' && genderVariant(a, b)) {
        best = related(best.relation, best.quality * (knownWords === 1 && best.relation === 'slip' ? 0.35 : 0.2));
    }
    if (best.quality > 0.6)
        return best;
    const short = byShortening(a, b);
    return short.quality > best.quality ? short : best;
}
function bySpelling(a, b, knownWords) {
    if (Math.abs(a.text.length - b.text.length) > 4)
        return different;
    const slip = slipQuality(a.text, b.text, knownWords);
    const distance = a.sound === b.sound ? 0 : soundDistance(a.sound, b.sound, 'latin', farLatin);
    let spelling = onCurve(withinLatin, distance);
    if (knownWords === 2) {
        const alike = a.text.length > 3 && evenlySpelt(a, b);
        spelling = alike ? 0.75 : spelling * (distance < 0.03 ? 0.8 : 0.15);
    }
    const lastVowel = a.text.length < 6 &&
        /[aeiou]$/.test(a.text) &&
        /[aeiou]$/.test(b.text) &&
        a.text.slice(0, -1) === b.text.slice(0, -1);
    const quality = Math.max(slip, spelling) * (lastVowel ? 0.5 : 1);
    if (quality <= 0)
        return different;
    const typed = slip > 0 && knownWords < 2 && typoDistance(a.text, b.text, 1) === 1;
    return related(slip >= spelling || typed ? 'slip' : 'spelling', quality);
}
/** Al-Subaiy and Alsubaie, Ó Briain and O'Brien: the particle apart in one and joined in the other. */
function particleJoined(apart, joined) {
    const { prefix } = apart;
    if (joined.prefix || joined.text.length < prefix.length + 3)
        return undefined;
    const article = joined.text[1] === 'l' && joined.text.length > 5 && /^[aeu]/.test(joined.text);
    const size = prefix && joined.text.startsWith(prefix) ? prefix.length : article && /^([aeu]l)?$/.test(prefix) ? 2 : 0;
    if (size === 0)
        return undefined;
    const rest = joined.text.slice(size);
    if (rest === apart.text)
        return particle;
    if (!prefix)
        return undefined;
    return relate({ ...apart, prefix: '' }, { ...joined, ...spellings(rest), sound: latinSound(rest), info: lookUp(rest) });
}
/** Compares two words. Symmetric. */
export function relate(a, b) {
    if (a.text === b.text && !a.han && !b.han) {
        if (a.script !== b.script)
            return otherScript;
        if (a.prefix !== b.prefix)
            return a.prefix && b.prefix ? otherParticle : noParticle;
        return isBare(a.script) && a.raw !== b.raw ? bare : equal;
    }
    if (a.korean && a.korean === b.korean && a.initial !== b.initial)
        return koreanVowel;
    if (a.initial || b.initial)
        return a.text[0] === b.text[0] ? initial : different;
    if (a.prefix || b.prefix) {
        const long = a.prefix + a.text;
        const other = b.prefix + b.text;
        if (long === b.text || other === a.text || long === other)
            return particle;
    }
    const article = particleJoined(a, b) ?? particleJoined(b, a);
    if (article)
        return article;
    const table = byTables(a, b);
    if (table && a.script === b.script)
        return table;
    const found = chinese(a, b);
    if (found)
        return found;
    if (a.script === 'latin' && b.script === 'latin')
        return sameLatin(a, b);
    if (a.script === b.script)
        return isBare(a.script) ? sameBare(a, b) : sameLatin(a, b);
    return acrossBoth(table, bySound(a, b));
}
/** In two scripts a name that sounds alike is that name; only where it does not, the tables speak. */
function acrossBoth(table, sound) {
    if (!table || sound.quality >= table.quality)
        return sound;
    return sound.quality > 0.5 || table.relation === 'spelling' ? related('script', table.quality) : table;
}
const eastern = new Set(['kana', 'hangul', 'han', 'thai']);
function modeOf(a, b) {
    if (eastern.has(a) || eastern.has(b))
        return a === 'thai' || b === 'thai' ? 'bare' : 'eastern';
    if (isBare(a) || isBare(b))
        return 'bare';
    return a === 'other' || b === 'other' ? 'indic' : 'full';
}
function bySound(a, b) {
    const mode = modeOf(a.script, b.script);
    let quality = onCurve(acrossScripts, soundDistance(a.sound, b.sound, mode, farAcross));
    if (isNativePinyin(a, b))
        quality *= 0.4;
    return quality > 0 ? related('script', quality) : different;
}
/** One or two characters against good pinyin that is not theirs: another Chinese name, however alike. */
function isNativePinyin(a, b) {
    const [han, other] = a.han ? [a, b] : [b, a];
    return (han.sino !== '' &&
        han.han.length > 0 &&
        han.han.length <= 2 &&
        other.script === 'latin' &&
        isPinyin(other.text));
}
function sameBare(a, b) {
    return a.text.length > 4 && b.text.length > 4 ? related('slip', slipQuality(a.text, b.text, 1)) : different;
}
