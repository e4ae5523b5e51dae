// Kana: Hepburn letters for showing and keys, and sounds with the vowels that only carry a foreign consonant.
const rowsOf = {
    a: 'アイウエオ',
    k: 'カキクケコ',
    s: 'サシスセソ',
    t: 'タチツテト',
    n: 'ナニヌネノ',
    h: 'ハヒフヘホ',
    m: 'マミムメモ',
    r: 'ラリルレロ',
    g: 'ガギグゲゴ',
    z: 'ザジズゼゾ',
    d: 'ダヂヅデド',
    b: 'バビブベボ',
    p: 'パピプペポ',
};
const irregular = {
    シ: 'shi',
    チ: 'chi',
    ツ: 'tsu',
    フ: 'fu',
    ジ: 'ji',
    ヂ: 'ji',
    ヅ: 'zu',
    ヤ: 'ya',
    ユ: 'yu',
    ヨ: 'yo',
    ワ: 'wa',
    ヲ: 'o',
    ヰ: 'i',
    ヱ: 'e',
    ン: 'n',
    ヴ: 'vu',
    ヶ: 'ga',
    ヵ: 'ka',
};
const small = {
    ァ: 'a',
    ィ: 'i',
    ゥ: 'u',
    ェ: 'e',
    ォ: 'o',
    ャ: 'ya',
    ュ: 'yu',
    ョ: 'yo',
    ヮ: 'wa',
};
const syllables = new Map();
for (const [row, letters] of Object.entries(rowsOf))
    [...letters].forEach((kana, i) => syllables.set(kana, (row === 'a' ? '' : row) + 'aiueo'[i]));
for (const [kana, latin] of Object.entries(irregular))
    syllables.set(kana, latin);
function katakana(text) {
    return text.replace(/[\u3041-\u3096]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0x60));
}
/** A small kana takes the vowel of the kana before it: ティ = ti, シャ = sha, ファ = fa. */
function combine(latin, mark) {
    const stem = latin.slice(0, -1);
    if (mark.length === 2 && mark !== 'wa')
        return /(sh|ch|j)$/.test(stem) ? stem + mark[1] : stem + mark;
    if (latin === 'u')
        return 'w' + mark;
    return stem + mark.at(-1);
}
/** Latin syllables of a kana word. `ッ` doubles nothing and `ー` is left out, as most spellings of names do. */
export function kanaSyllables(text) {
    const out = [];
    for (const c of katakana(text)) {
        const mark = small[c];
        if (mark && out.length > 0 && out.at(-1) !== 'n')
            out.push(combine(out.pop(), mark));
        else if (mark)
            out.push(mark);
        else if (syllables.has(c))
            out.push(syllables.get(c));
    }
    return out;
}
const sounds = [
    [/^sh/, ':'],
    [/^ch/, 'C'],
    [/^ts/, ')'],
    [/^j/, 'J'],
    [/^f/, 'F'],
    [/^r/, 'R'],
    [/^b/, 'B'],
    [/^z/, '%'],
    [/^s/, '!'],
    [/^w/, 'W'],
    [/^h/, 'h'],
    [/^n$/, 'M'],
];
const carrying = { u: 'U', o: 'O', i: 'I' };
const vowels = /[aeiou]/;
const weak = { a: '1', e: '2', i: '3', o: '4', u: '5' };
/** Sounds of kana syllables. */
export function kanaSound(list) {
    let out = '';
    for (const [index, syllable] of list.entries()) {
        let sound = syllable;
        for (const [pattern, to] of sounds)
            sound = sound.replace(pattern, to);
        if (/^[kgsztdbpmrfv]u$|^shu$|^chu$|^tsu$|^[td]o$|^chi$|^ji$|^shi$|^[kg]i$/.test(syllable)) {
            sound = sound.slice(0, -1) + (carrying[sound.at(-1)] ?? sound.at(-1));
        }
        else if (vowels.test(sound[0]) && index > 0 && /[aeiouUOI]$/.test(out)) {
            sound = (weak[sound[0]] ?? sound[0]) + sound.slice(1);
        }
        out += sound;
    }
    return out.replace(/M(?=[g<])/g, 'N');
}
