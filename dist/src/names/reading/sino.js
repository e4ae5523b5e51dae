// Chinese syllables in Latin letters: pinyin and Wade-Giles meet in one form.
const finals = 'a o e ai ei ao ou an en ang eng ong i ia ie iao iu ian in iang ing iong u ua uo uai ui uan un uang ue'.split(' ');
const pinyinInitials = ['', ...'b p m f d t n l g k h j q x zh ch sh r z c s y w'.split(' ')];
const classes = {
    b: 'p',
    d: 't',
    g: 'k',
    j: 'c',
    q: 'c',
    zh: 'c',
    ch: 'c',
    x: 'x',
    hs: 'x',
    z: 'z',
    c: 'z',
    ts: 'z',
    tz: 'z',
    sz: 's',
    ss: 's',
    j_: 'r',
};
const gilesFinals = {
    ien: 'ian',
    ieh: 'ie',
    ueh: 'ue',
    uei: 'ui',
    ung: 'ong',
    ih: 'i',
    eh: 'e',
    o: 'o',
    iung: 'iong',
    yueh: 'ue',
    erh: 'er',
};
const forms = new Map();
const pinyinSyllables = new Set();
function build() {
    for (const initial of pinyinInitials) {
        for (const final of finals) {
            const syllable = initial + final;
            if (!plausible(initial, final))
                continue;
            pinyinSyllables.add(syllable);
            forms.set(syllable, form(initial, final));
        }
    }
    for (const initial of ['', ...'p m f t n l k h ch hs sh j ts tz s y w'.split(' ')]) {
        for (const final of [...finals, ...Object.keys(gilesFinals)]) {
            const syllable = initial + final;
            if (!forms.has(syllable))
                forms.set(syllable, form(initial === 'j' ? 'r' : initial, gilesFinals[final] ?? final));
        }
    }
    for (const [giles, pinyin] of [
        ['szu', 'si'],
        ['ssu', 'si'],
        ['tzu', 'zi'],
        ['tsu', 'zu'],
        ['yu', 'yu'],
        ['yen', 'yan'],
        ['yeh', 'ye'],
        ['jih', 'ri'],
        ['jen', 'ren'],
        ['erh', 'er'],
        ['er', 'er'],
        ['kuo', 'guo'],
        ['ko', 'ge'],
        ['ho', 'he'],
        ['lo', 'luo'],
        ['to', 'duo'],
        ['shih', 'shi'],
        ['chih', 'zhi'],
    ])
        if (!pinyinSyllables.has(giles))
            forms.set(giles, form(...halves(pinyin)));
}
function halves(syllable) {
    const at = syllable.search(/[aeiou]/);
    return [syllable.slice(0, at), syllable.slice(at)];
}
/** Excludes combinations that pinyin does not have, so that its spellings can be told from others. */
function plausible(initial, final) {
    if (initial === '')
        return /^(a|o|e|ai|ei|ao|ou|an|en|ang|eng)$/.test(final);
    if (/^[jqx]$/.test(initial))
        return /^(i.*|u|ue|uan|un)$/.test(final);
    if (initial === 'y')
        return /^(a|e|ao|ou|an|ang|i|in|ing|u|ue|uan|un|ong|o)$/.test(final);
    if (initial === 'w')
        return /^(a|o|ai|ei|an|en|ang|eng|u)$/.test(final);
    if (/^([zcs]h?|r|[gkh])$/.test(initial))
        return !/^i.|^in|^ue$|^o$/.test(final) && !(final === 'i' && /^[gkh]$/.test(initial));
    if (/^[bpmf]$/.test(initial))
        return !/^(u.+|ou?ng|iang|iong|ia)$/.test(final) || false;
    if (/^[dt]$/.test(initial) && /^i(a|n|ang|ong)$/.test(final))
        return false;
    return !/^(o|ua|uai|uang)$/.test(final);
}
function form(initial, final) {
    const start = initial === 'y' || initial === 'w' ? '' : (classes[initial] ?? initial);
    let end = final;
    if (initial === 'y')
        end = final.startsWith('i')
            ? final
            : final.startsWith('u')
                ? 'v' + final.slice(1)
                : `i${final === 'an' ? 'an' : final}`;
    if (initial === 'w')
        end = final === 'u' ? 'u' : `u${final}`;
    if (/^[jqx]$|^hs$/.test(initial) && final.startsWith('u'))
        end = 'v' + final.slice(1);
    if (end === 'uo' || end === 'e')
        end = 'o';
    if (end === 'uen')
        end = 'un';
    if (end === 'uei')
        end = 'ui';
    if (end === 'iou')
        end = 'iu';
    return `${start}${end.replace('v', 'u')}.`;
}
/** One form for the pinyin and the Wade-Giles spelling of up to three syllables; undefined for other words. */
export function sinoForm(text) {
    if (forms.size === 0)
        build();
    if (text.length < 2 || text.length > 14)
        return undefined;
    const best = [''];
    const count = [0];
    for (let end = 1; end <= text.length; end++) {
        for (let size = Math.min(6, end); size > 0; size--) {
            const before = best[end - size];
            const syllable = before === undefined ? undefined : forms.get(text.slice(end - size, end));
            if (syllable === undefined || count[end - size] >= 3)
                continue;
            if (best[end] === undefined || count[end - size] + 1 < count[end]) {
                best[end] = before + syllable;
                count[end] = count[end - size] + 1;
            }
        }
    }
    return best[text.length];
}
/** Whether a text is spelt in pinyin syllables throughout. */
export function isPinyin(text) {
    if (forms.size === 0)
        build();
    const reach = [true];
    for (let end = 1; end <= text.length; end++) {
        for (let size = Math.min(6, end); size > 0 && !reach[end]; size--) {
            const piece = text.slice(end - size, end);
            const inner = end > size && /^[aeo]/.test(piece);
            if (reach[end - size] && !inner && pinyinSyllables.has(piece))
                reach[end] = true;
        }
    }
    return reach[text.length] === true;
}
const koreanRules = [
    [/^(sh|ss)/, 's'],
    [/^(ch|jj|j)/, 'c'],
    [/^(kk|g)/, 'k'],
    [/^(tt|d)/, 't'],
    [/^(pp|b)/, 'p'],
    [/^r/, 'l'],
    [/eo|ou|oo|eu/g, 'u'],
    [/^woo?(?!n)/, 'u'],
    [/u?ee|ui|yi/g, 'i'],
    [/ae|ai|ay/g, 'e'],
    [/wu/g, 'u'],
    [/h$/, ''],
    [/[gk]$/, 'k'],
    [/nk$/, 'ng'],
];
/** One form for the spellings of a Korean syllable: Young, Yeong and Yung, Chung, Jung and Jeong. */
export function koreanForm(syllable) {
    let out = syllable;
    for (const [pattern, to] of koreanRules)
        out = out.replace(pattern, to);
    return out;
}
const koreanSyllable = /[^aeiouyw]*[yw]?[aeiou]+(?:ng|[nmklpt](?![aeiouyw])|g(?![aeiouyw]))?(?:h(?![aeiouyw]))?/g;
/** Form of a Korean name of one or two syllables; empty for words that do not divide so. */
export function koreanGiven(text) {
    const word = text.replace('rk', 'k');
    const parts = word.match(koreanSyllable) ?? [];
    return parts.length <= 2 && parts.join('') === word ? `${parts.map(koreanForm).join('.')}.` : '';
}
