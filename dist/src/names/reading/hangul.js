// Hangul: the Revised Romanization for showing and keys, and sounds that also meet McCune-Reischauer and the
// spellings that Koreans use in passports.
const initials = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ');
const medials = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const finals = '- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');
const initialSounds = '< k n > t R m = p ! ! - ? J 0 k t P H'.split(' ');
const medialSounds = 'a e ya ye @ e y@ ye o Wa We We yo u W@ We Wi yu U U3 i'.split(' ');
const finalSounds = '- < < < n n n > R < m R R R = R m = = ! ! - > ! < ! = !'.split(' ');
const base = 0xac00;
const blank = (part) => (part === '-' ? '' : part);
function parts(syllable) {
    const code = syllable.charCodeAt(0) - base;
    if (code < 0 || code >= 11_172)
        return undefined;
    return [Math.floor(code / 588), Math.floor((code % 588) / 28), code % 28];
}
/** Revised Romanization of a Hangul word, syllable by syllable. */
export function hangulLatin(word) {
    let out = '';
    for (const c of word) {
        const p = parts(c);
        if (p)
            out += blank(initials[p[0]]) + medials[p[1]] + blank(finals[p[2]]);
    }
    return out;
}
/** Sounds of a Hangul word. */
export function hangulSound(word) {
    let out = '';
    for (const c of word) {
        const p = parts(c);
        if (!p)
            continue;
        const start = blank(initialSounds[p[0]]);
        const end = p[2] === 21 ? 'N' : blank(finalSounds[p[2]]);
        out += (start === 'R' && out.endsWith('R') ? '' : start) + medialSounds[p[1]] + end;
    }
    return out;
}
