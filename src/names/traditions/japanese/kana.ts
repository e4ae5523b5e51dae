// Kana: Hepburn letters for showing and keys, and sounds with the vowels that only carry a foreign consonant.

const ROWS: Record<string, string> = {
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
const IRREGULAR: Record<string, string> = {
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
const SMALL: Record<string, string> = {
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

const SYLLABLES = new Map<string, string>();
for (const [row, letters] of Object.entries(ROWS))
  for (const [i, kana] of [...letters].entries())
    SYLLABLES.set(kana, (row === 'a' ? '' : row) + 'aiueo'.charAt(i));
for (const [kana, latin] of Object.entries(IRREGULAR)) SYLLABLES.set(kana, latin);

function katakana(text: string): string {
  return text.replace(/[\u3041-\u3096]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0x60));
}

/** A small kana takes the vowel of the kana before it: ティ = ti, シャ = sha, ファ = fa. */
function combine(latin: string, mark: string): string {
  const stem = latin.slice(0, -1);
  if (mark.length === 2 && mark !== 'wa') return /(sh|ch|j)$/.test(stem) ? stem + mark[1] : stem + mark;
  if (latin === 'u') return 'w' + mark;
  return stem + mark.at(-1);
}

/** Latin syllables of a kana word. `ッ` doubles nothing and `ー` is left out, as most spellings of names do. */
export function kanaSyllables(text: string): string[] {
  const out: string[] = [];
  for (const c of katakana(text)) {
    const mark = SMALL[c];
    const before = out.at(-1);
    const syllable = mark ?? SYLLABLES.get(c);
    if (mark && before !== undefined && before !== 'n') out[out.length - 1] = combine(before, mark);
    else if (syllable !== undefined) out.push(syllable);
  }
  return out;
}

const SOUNDS: [RegExp, string][] = [
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
const CARRYING: Record<string, string> = { u: 'U', o: 'O', i: 'I' };
const VOWELS = /[aeiou]/;
const WEAK: Record<string, string> = { a: '1', e: '2', i: '3', o: '4', u: '5' };

/** Syllables whose vowel only carries the consonant of a foreign name. */
const CARRIERS = /^[kgsztdbpmrfv]u$|^shu$|^chu$|^tsu$|^[td]o$|^chi$|^ji$|^shi$|^[kg]i$/;

/** Sounds of kana syllables. */
export function kanaSound(list: readonly string[]): string {
  let out = '';
  for (const [index, syllable] of list.entries()) {
    let sound = syllable;
    for (const [pattern, to] of SOUNDS) sound = sound.replace(pattern, to);
    const [first, last] = [sound.charAt(0), sound.slice(-1)];
    if (CARRIERS.test(syllable)) sound = sound.slice(0, -1) + (CARRYING[last] ?? last);
    else if (VOWELS.test(first) && index > 0 && /[aeiouUOI]$/.test(out))
      sound = (WEAK[first] ?? first) + sound.slice(1);
    out += sound;
  }
  return out.replace(/M(?=[g<])/g, 'N');
}
