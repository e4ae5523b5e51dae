// Japanese names: kana, and readings of characters in Latin letters.
import { isForeign } from './customs.ts';
import { shortVowels } from './han-table.ts';
import type { Form, Tradition } from '../tradition.ts';
import { relation } from '../../types.ts';

/** One word in the two systems of spelling Japanese. Only words of its syllables have a form. */
const OTHER_SYSTEM = relation('spelling', 0.9);
const SPELT: Form = {
  when: /^(?:(?:[kgsztdnhbpmrfjwy]|[kgnhbpmrsztj]y|sh|ch|ts)?[aiueo]{1,2}h?(?:n(?![aiueoy])|m(?=[pbm])|([kstp])(?=\1))?){2,}$/,
  make: hepburn,
  both: OTHER_SYSTEM,
  one: OTHER_SYSTEM,
};

export const JAPANESE: Tradition = {
  form: SPELT,
  writings: {
    kana: {
      read(word) {
        const syllables = kanaSyllables(word);
        return { text: syllables.join(''), sound: kanaSound(syllables) };
      },
      sounds: { mode: 'eastern', rank: 3 },
      syllabic: true,
      familyLeads: (tokens, text) => tokens.length === 2 && !isForeign(text),
    },
  },
};

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
function kanaSyllables(text: string): string[] {
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
function kanaSound(list: readonly string[]): string {
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

// Japanese in Latin letters.

const SYSTEMS: readonly (readonly [official: RegExp, hepburn: string])[] = [
  [/sy(?=[auo])/g, 'sh'],
  [/ty(?=[auo])/g, 'ch'],
  [/[zj]y(?=[auo])/g, 'j'],
  [/(?<!s)si/g, 'shi'],
  [/ti/g, 'chi'],
  [/tu/g, 'tsu'],
  [/zi/g, 'ji'],
  [/(?<![cst])hu/g, 'fu'],
  [/m(?=[pbm])/g, 'n'],
];

/** The official spelling (Hukuda, Tiba, Zyunko) as Hepburn has it, long vowels short. */
function hepburn(text: string): string {
  return shortVowels(SYSTEMS.reduce((word, [official, to]) => word.replace(official, to), text));
}

const VOICED: readonly (readonly [voiceless: RegExp, voiced: string])[] = [
  [/^(?:sh|ch)/, 'j'],
  [/^ts/, 'z'],
  [/^k/, 'g'],
  [/^s/, 'z'],
  [/^t/, 'd'],
  [/^h/, 'b'],
  [/^c/, 'j'],
];

/** A reading as it sounds inside a name: Tanaka, but Yamada. Other first sounds are lost there (Kazuichi, Kazuchi). */
export function innerReading(reading: string): string {
  const [pattern, to] = VOICED.find(([voiceless]) => voiceless.test(reading)) ?? [/^./, ''];
  return reading.replace(pattern, to);
}
