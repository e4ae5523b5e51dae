// Forms for men and women: of given names they make two people, of Slavic family names they make one family.
import { FEMALE, MALE } from './lexicon.js';
const sexes = MALE | FEMALE;
/** Sex that a given name tells: 1 male, 2 female, 0 either or not known. */
export function sexOf(t) {
    const sex = (t.info?.flags ?? 0) & sexes;
    return sex === sexes ? 0 : sex;
}
const feminine = /^(a|e|ia|ina|ine|ne|na|lle|le|te|tte|ette|ie|ya|ah|iane|iana|ane|ke|ique)$/;
const plain = (text) => text
    .replace(/ck|qu/g, 'k')
    .replace(/c(?![eiyh])/g, 'k')
    .replace(/(.)\1+/g, '$1');
/** Maria and Mario, Daniel and Danielle, Alan and Alana: two people's names that look like one. */
export function genderVariant(a, b) {
    const x = sexOf(a);
    const y = sexOf(b);
    return x && y ? x !== y : genderForms(a, b);
}
/** Whether two words look like the man's and the woman's form of one name, whoever bears them. */
export function genderForms(a, b) {
    const [one, two] = [plain(a.text), plain(b.text)];
    const [short, long, shorter, longer] = one.length <= two.length ? [one, two, a, b] : [two, one, b, a];
    // The longer form is the woman's: Wayn is no man's form of Wayne.
    if (short.length < long.length && (sexOf(longer) === MALE || sexOf(shorter) === FEMALE))
        return false;
    if (short !== long && long.startsWith(short))
        return feminine.test(long.slice(short.length));
    const stem = short.replace(/(ien|ian|ain|in|on)$/, '');
    if (stem !== short && stem === long.replace(/(ine|ienne|iane|ia|ina|onne)$/, ''))
        return true;
    const [s, l] = [short.slice(0, -1), long.slice(0, -1)];
    return s === l && short !== long && /[aeoi]$/.test(short) && /[aeoi]$/.test(long);
}
const families = [
    [/(ov|ev|iov|yov)a$/, '$1'],
    [/(in|yn)a$/, '$1'],
    [/(sk|tsk|ck|zk)(aya|aia|aja|aa|a)$/, '$1y'],
    [/(sk|tsk|ck|zk)(yi|iy|ii|ij|i|yj|oy|oi)$/, '$1y'],
    [/ova$/, 'ov'],
    [/(aite|yte|iene|ute|iute)$/, 'as'],
];
const feminineEnd = /(a|ya|ia|e|i|y|j)$/;
/** A family name with the ending for men: Ivanova -> ivanov, Kowalska -> kowalsky. */
export function masculineFamily(text) {
    if (text.length < 5 || !feminineEnd.test(text))
        return text;
    for (const [ending, to] of families)
        if (ending.test(text))
            return text.replace(ending, to);
    return text;
}
