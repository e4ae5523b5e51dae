// Japanese names: kana, and readings of characters in Latin letters.
import { applyTextReplacements, parseTextReplacements, parseTextMap, parseTextTable } from '../../tables.ts';
import { createTokenComparisonResult } from '../../types.ts';
import type { NamingTradition, VariantFormRule } from '../tradition.ts';
import { VOWEL_AFTER_VOWEL_SYMBOLS } from '../western.ts';
import { isForeignNameInEastAsianScript } from './customs.ts';
import { shortenJapaneseVowels } from './han-table.ts';

const OTHER_ROMANISATION = createTokenComparisonResult('spelling', 0.9);
const HEPBURN_FORM: VariantFormRule = {
  // Pattern of words that consist of Japanese syllables. A word has at most one division into syllables; otherwise the matching time would
  // grow exponentially.
  appliesTo:
    /^(?:(?:[kgsztdnhbpmrfjwy]|[kgnhbpmrsztj]y|sh|ch|ts)?[aiueo](?:h(?![aiueoy]))?(?:n(?![aiueoy])|m(?=[pbm])|k(?=k)|s(?=s)|t(?=t)|p(?=p))?){2,}$/,
  toForm: toHepburn,
  ifBothChanged: OTHER_ROMANISATION,
  ifOneChanged: OTHER_ROMANISATION,
};

export const JAPANESE_TRADITION: NamingTradition = {
  variantForm: HEPBURN_FORM,
  scripts: {
    kana: {
      readWord(word) {
        const syllables = romaniseKana(word);
        return { text: syllables.join(''), sound: kanaSounds(syllables) };
      },
      sounds: { mode: 'eastern', rank: 3 },
      isSyllabic: true,
      hasFamilyNameFirst: (tokens, original) =>
        tokens.length === 2 && !isForeignNameInEastAsianScript(original),
    },
  },
};

/** Matches the start of a given name in kana. A single kana may be part of a family name (一ノ瀬) or of a given name in characters (恵み). */
const KANA_GIVEN_NAME = /[\u3041-\u3096\u30a1-\u30fa\u30fc]{2}/;

/** Divides a name without spaces into a family name in characters and a given name in kana (五十嵐ひろみ). */
export function divideBeforeKana(word: string): [family: string, given: string] | undefined {
  const start = word.search(KANA_GIVEN_NAME);
  return start > 0 ? [word.slice(0, start), word.slice(start)] : undefined;
}

/** Rows of katakana: a consonant (`-` for none) and its katakana with the vowels a, i, u, e, o. */
const KANA_ROWS = parseTextTable(`
  - アイウエオ  k カキクケコ  s サシスセソ  t タチツテト  n ナニヌネノ  h ハヒフヘホ  m マミムメモ  r ラリルレロ
  g ガギグゲゴ  z ザジズゼゾ  d ダヂヅデド  b バビブベボ  p パピプペポ
`);
const IRREGULAR_KANA = parseTextMap(`
  シ shi  チ chi  ツ tsu  フ fu  ジ ji  ヂ ji  ヅ zu  ヤ ya  ユ yu  ヨ yo  ワ wa  ヲ o  ヰ i  ヱ e  ン n  ヴ vu  ヶ ga  ヵ ka
`);
const SMALL_KANA = parseTextMap('ァ a  ィ i  ゥ u  ェ e  ォ o  ャ ya  ュ yu  ョ yo  ヮ wa');

const SYLLABLES = new Map<string, string>();
for (const [consonant = '', letters = ''] of KANA_ROWS)
  for (const [i, kana] of [...letters].entries())
    SYLLABLES.set(kana, (consonant === '-' ? '' : consonant) + 'aiueo'.charAt(i));
for (const [kana, latin] of IRREGULAR_KANA) SYLLABLES.set(kana, latin);

function toKatakana(text: string): string {
  return text.replace(/[\u3041-\u3096]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0x60));
}

/** Replaces the vowel of a Latin syllable by the vowel of a small kana: ティ = ti, シャ = sha, ファ = fa. */
function combine(latin: string, small: string): string {
  const stem = latin.slice(0, -1);
  if (small.length === 2 && small !== 'wa') return /(sh|ch|j)$/.test(stem) ? stem + small[1] : stem + small;
  if (latin === 'u') return 'w' + small;
  return stem + small.at(-1);
}

/** Converts a kana word to Latin syllables. `ッ` and `ー` are left out, as in most spellings of names. */
function romaniseKana(word: string): string[] {
  const syllables: string[] = [];
  for (const kana of toKatakana(word)) {
    const small = SMALL_KANA.get(kana);
    const before = syllables.at(-1);
    const syllable = small ?? SYLLABLES.get(kana);
    if (small && before !== undefined && before !== 'n')
      syllables[syllables.length - 1] = combine(before, small);
    else if (syllable !== undefined) syllables.push(syllable);
  }
  return syllables;
}

const CONSONANT_SOUNDS = parseTextReplacements(`
  ^sh :  ^ch C  ^ts )  ^j J  ^f F  ^r R  ^b B  ^z %  ^s !  ^w W  ^n$ M
`);
const CARRIER_VOWELS = parseTextMap('u U  o O  i I');
const VOWELS = /[aeiou]/;

/** Matches syllables whose vowel is silent in foreign names: Japanese cannot write most consonants without a vowel. */
const CARRIER_SYLLABLE = /^[kgsztdbpmrfv]u$|^shu$|^chu$|^tsu$|^[td]o$|^chi$|^ji$|^shi$|^[kg]i$/;

function kanaSounds(syllables: readonly string[]): string {
  let sounds = '';
  for (const [index, syllable] of syllables.entries()) {
    let sound = applyTextReplacements(syllable, CONSONANT_SOUNDS);
    const [first, last] = [sound.charAt(0), sound.slice(-1)];
    if (CARRIER_SYLLABLE.test(syllable)) sound = sound.slice(0, -1) + (CARRIER_VOWELS.get(last) ?? last);
    else if (VOWELS.test(first) && index > 0 && /[aeiouUOI]$/.test(sounds))
      sound = (VOWEL_AFTER_VOWEL_SYMBOLS.get(first) ?? first) + sound.slice(1);
    sounds += sound;
  }
  return sounds.replace(/M(?=[g<])/g, 'N');
}

/** Replacements from the official romanisation (Kunrei) to the Hepburn romanisation. */
const HEPBURN_RULES = parseTextReplacements(`
  sy(?=[auo]) sh  ty(?=[auo]) ch  [zj]y(?=[auo]) j  (?<!s)si shi  ti chi  tu tsu  zi ji  (?<![cst])hu fu  m(?=[pbm]) n
`);

/** Converts a word in the official romanisation to Hepburn spelling with short vowels: Hukuda → fukuda, Tiba → chiba. */
function toHepburn(text: string): string {
  return shortenJapaneseVowels(applyTextReplacements(text, HEPBURN_RULES));
}

const VOICED_CONSONANTS = parseTextMap('sh j  ch j  ts z  k g  s z  t d  h b  c j');

/** Returns a reading as it sounds inside a name: ta becomes da in Yamada. Some first sounds are dropped (Kazuichi, Kazuchi). */
export function toVoicedJapaneseReading(reading: string): string {
  for (const [voiceless, voiced] of VOICED_CONSONANTS)
    if (reading.startsWith(voiceless)) return voiced + reading.slice(voiceless.length);
  return reading.slice(1);
}
