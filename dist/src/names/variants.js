// Given names that are one name by the tables, or by the way short forms are made.
import { genderForms, genderVariant, sexOf } from './gender.js';
import { entryOf, GIVEN } from './lexicon.js';
import { soundDistance } from './phonemes.js';
import { different, related } from './related.js';
import { typoDistance } from '../normalise/typo.js';
function shares(a, b) {
    if (a.length === 0 || b.length === 0)
        return false;
    for (const x of a)
        if (b.includes(x))
            return true;
    return false;
}
/** `short` is a short form of a name that is spelt otherwise than `full`, or of its foreign equivalent. */
function throughFull(short, full) {
    let found;
    for (const id of short.formals) {
        const formal = entryOf(id);
        if (shares(formal.spellings, full.spellings))
            return 'spelling';
        if (shares(formal.cultures, full.cultures))
            found = 'culture';
    }
    return found;
}
/** Two equivalents that look alike and do not sound so (Adam, Adan) are more often two people's names. */
function equivalent(a, b) {
    if (genderVariant(a, b))
        return 0.3;
    if (a.script !== b.script || typoDistance(a.text, b.text, 1) > 1)
        return 0.82;
    return soundDistance(a.sound, b.sound, 'latin') > 0.12 ? 0.5 : 0.82;
}
/** Gigi is short for Luigi too, but Jana is more often a woman than a Jan. */
const crossNickname = (a, b) => (genderForms(a, b) ? 0.3 : 0.75);
/** A short form and a foreign equivalent of its full name: likelier when the one begins the other (Al, Alfredo). */
const abroad = (a, b) => (a.text.startsWith(b.text) || b.text.startsWith(a.text) ? 0.8 : 0.45);
/** What the tables say of two words; undefined when nothing. */
export function byTables(a, b) {
    const x = a.info;
    const y = b.info;
    if (!x || !y)
        return undefined;
    const sexes = sexOf(a) && sexOf(b) && sexOf(a) !== sexOf(b);
    if (x.formals.includes(y.id) || y.formals.includes(x.id))
        return related('nickname', sexes ? crossNickname(a, b) : 0.89);
    if (shares(x.spellings, y.spellings))
        return related('spelling', sexes ? 0.4 : 0.9);
    if (shares(x.cultures, y.cultures))
        return related('cultural', sexes ? 0.15 : equivalent(a, b));
    const through = throughFull(x, y) ?? throughFull(y, x);
    if (through === 'spelling')
        return related('nickname', 0.85);
    if (!sexes && shares(x.formals, y.formals))
        return related('nickname', 0.75);
    if (through === 'culture')
        return related('nickname', sexes || genderForms(a, b) ? 0.05 : abroad(a, b));
    return undefined;
}
const endings = /(ie|ey|ee|y|i|o|a|e|ito|ita|inho|inha|ino|ina|chen|lein|ek|ik|ka|ko|cio|uca)$/;
/**
 * Short forms that no table lists are still made in known ways: a name cut off (Greg, Fran), cut off with a pet ending
 * (Roby, Mellie), or its last part (Tina, Fred).
 */
export function byShortening(a, b) {
    if (a.role === 'family' && b.role === 'family')
        return different;
    const [short, long] = a.text.length <= b.text.length ? [a, b] : [b, a];
    if (long.text.length - short.text.length < 2 || short.text.length < 3 || long.text.length < 5)
        return different;
    const quality = shortening(short, long);
    return quality > 0 && !genderVariant(short, long) ? related('nickname', quality) : different;
}
function shortening(short, long) {
    const full = long.info ? (long.info.flags & GIVEN) !== 0 : false;
    if (long.text.startsWith(short.text))
        return cutQuality(short, full);
    if (long.text.startsWith(short.text.slice(0, 2))) {
        const stem = short.text.replace(endings, '').replace(/(.)\1$/, '$1');
        if (stem !== short.text && stem.length >= 3 && long.text.startsWith(stem))
            return 0.85 * cutQuality(short, full);
    }
    return short.text.length >= 4 && full && long.text.endsWith(short.text) ? 0.5 : 0;
}
function cutQuality(short, full) {
    const own = short.info && short.info.flags & GIVEN && short.info.formals.length === 0;
    if (own)
        return 0.3;
    return full ? 0.75 : 0.6;
}
