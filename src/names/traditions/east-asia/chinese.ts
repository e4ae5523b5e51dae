// Chinese names: characters, pinyin and Wade-Giles, usual renderings of foreign names.
import { createRequire } from 'node:module';

import { findNameEntry } from '../../lexicon.ts';
import { detectScript, foldLatin } from '../../script.ts';
import { parseTextMap } from '../../tables.ts';
import {
  DIFFERENT_WORDS_RESULT,
  type Token,
  type TokenComparison,
  createTokenComparisonResult,
  type WordTransliteration,
} from '../../types.ts';
import type { NameDraft, NamingTradition } from '../tradition.ts';
import {
  haveOtherSyllableCount,
  isForeignNameInEastAsianScript,
  listSplitsByFamilyNameLength,
} from './customs.ts';
import { compareSurnamesByCharacters } from './han-readings.ts';
import {
  CHINESE_SURNAME_FLAGS,
  getHanTable,
  MANDARIN_READING_COLUMN,
  replaceChineseCharacterVariants,
} from './han-table.ts';
import { divideBeforeKana } from './japanese.ts';
import { convertPinyinToWadeGiles, isPinyin, unifyChineseSpelling } from './pinyin.ts';

/** Maximum number of characters of a word that are read. Real names do not have more. */
const MAX_CHARACTERS = 16;

function readHanWord(word: string, isFamilyName: boolean): WordTransliteration {
  const han = [...word].filter((c) => detectScript(c) === 'han').slice(0, MAX_CHARACTERS);
  const characters = replaceChineseCharacterVariants(han.join(''));
  const syllables = mandarinSyllables(characters, isFamilyName);
  const text = foldLatin(syllables.join(''));
  return {
    text,
    sound: mandarinSounds(characters, syllables),
    characters,
    chineseForm: unifyChineseSpelling(text) ?? '',
  };
}

function splitChineseName(word: string): [family: string, given: string][] {
  const letters = word.match(/\p{L}/gu) ?? [];
  return listSplitsByFamilyNameLength(letters, familyNameLengths(letters.join('')));
}

/**
 * Returns the possible numbers of characters of the family name at the start of a word, according to lists of Chinese and Korean family
 * names.
 */
function familyNameLengths(word: string): number[] {
  const { surnames } = getHanTable();
  if (word.length > 2 && surnames.has(word.slice(0, 2))) return [2];
  return surnames.has(word.charAt(0)) ? [1, 2, 3] : [2, 1, 3];
}

/** Marks Latin words that may be Chinese syllables. Only names with a Chinese family name are marked. */
function markChineseWords({ tokens, original }: NameDraft): void {
  if (isForeignNameInEastAsianScript(original)) for (const token of tokens) token.chineseForm = '';
  if (!tokens.some((token) => token.surnameRegions & CHINESE_SURNAME_FLAGS)) return;
  const forms = tokens.map((token) => (token.script === 'latin' && unifyChineseSpelling(token.text)) || '');
  if (forms.includes('')) return;
  const isWadeGiles = !tokens.every((token) => isPinyin(token.text));
  for (const [i, token] of tokens.entries()) {
    token.chineseForm = forms[i] ?? '';
    token.isWadeGiles = isWadeGiles;
    token.mayBeEastAsian = true;
  }
}

const EQUAL = createTokenComparisonResult('equal', 1);
const OTHER_CHARACTERS = createTokenComparisonResult('spelling', 0.35);
const IS_READING = createTokenComparisonResult('script', 0.96);
/** Comparison result of characters and their Wade-Giles spelling, which is less exact than pinyin. */
const IS_WADE_GILES_READING = createTokenComparisonResult('script', 0.95);
const IS_RENDERING = createTokenComparisonResult('script', 0.94);
const SAME_PINYIN = createTokenComparisonResult('spelling', 0.5);
const OTHER_ROMANISATION = createTokenComparisonResult('spelling', 0.88);
const OTHER_SYLLABLES = createTokenComparisonResult('slip', 0.15);

/** Matches letters that only pinyin has for a sound. Two different words with such letters are two names (Jing, Qing). */
const PINYIN_ONLY = /[bdqrx]|j(?=i)|(?<!t)z|(?<!n)g/;

function compareChineseWords(a: Token, b: Token): TokenComparison | undefined {
  if (a.characters && b.characters) {
    if (a.characters === b.characters) return EQUAL;
    return a.text === b.text ? OTHER_CHARACTERS : DIFFERENT_WORDS_RESULT;
  }
  const [han, other] = a.characters ? [a, b] : [b, a];
  if (han.characters) {
    if (other.text === han.text) return IS_READING;
    if (other.isWadeGiles && han.chineseForm !== '' && other.chineseForm === han.chineseForm)
      return IS_WADE_GILES_READING;
    if (han.role === 'family' && convertPinyinToWadeGiles(han.text) === other.text)
      return IS_WADE_GILES_READING;
    return isRenderingOf(han, other) ? IS_RENDERING : undefined;
  }
  if (a.script !== 'latin' || b.script !== 'latin' || !a.chineseForm) return undefined;
  if (a.chineseForm !== b.chineseForm) return undefined;
  if (PINYIN_ONLY.test(a.text) && PINYIN_ONLY.test(b.text)) return OTHER_SYLLABLES;
  if (a.isWadeGiles !== b.isWadeGiles) return OTHER_ROMANISATION;
  // Many people write the family name by Wade-Giles and the given name in pinyin: Chang Xiaoming.
  const isSurname = a.role === 'family' && compareSurnamesByCharacters(a.text, b.text) === 'same';
  return isSurname && b.role === 'family' ? undefined : SAME_PINYIN;
}

/**
 * True if the characters are the usual Chinese spelling of a Latin name. False if they are the spelling of another name, undefined if they
 * are unknown.
 */
function isRenderingOf({ characters }: Token, { text, entry }: Token): boolean | undefined {
  const names = getHanTable().foreignNames.get(characters);
  if (!names || names.includes(text)) return names && true;
  const groups = entry?.spellingGroups ?? [];
  return names.some((name) => findNameEntry(name)?.spellingGroups.some((group) => groups.includes(group)));
}

/**
 * Returns a conflict for two Latin words that are two names: in pinyin with different spellings, or a given name and one of its syllables. Otherwise
 * undefined.
 */
function findPinyinConflict(a: Token, b: Token): TokenComparison | undefined {
  if (a.script !== 'latin' || b.script !== 'latin' || !a.chineseForm || !b.chineseForm) return undefined;
  const arePinyin = !a.isWadeGiles && !b.isWadeGiles;
  return arePinyin || isSyllableOf(a, b) || isSyllableOf(b, a) ? OTHER_SYLLABLES : undefined;
}

/** True if a word is the first or last syllable of a given name that has no other forms: Wei and Weiting, but not Lin and the typing error Liin. */
const isSyllableOf = (one: Token, name: Token): boolean =>
  one.role !== 'family' &&
  name.role !== 'family' &&
  haveOtherSyllableCount(one, name, 'chineseForm') &&
  (name.chineseForm.startsWith(one.chineseForm) || name.chineseForm.endsWith(`.${one.chineseForm}`));

/**
 * Returns a factor (0-1) on the sound similarity of Chinese characters and a Latin word. It is low if the characters are the usual spelling
 * of another name (罗伯特 is Robert, not Roberts). It is also low for one or two characters and a pinyin word that is not their reading.
 */
function computeSoundSimilarityFactor(a: Token, b: Token): number {
  const [han, other] = a.characters ? [a, b] : [b, a];
  if (han.characters && other.entry && isRenderingOf(han, other) === false) return 0.5;
  const isShort = han.characters.length > 0 && han.characters.length <= 2;
  return isShort && han.chineseForm !== '' && other.script === 'latin' && isPinyin(other.text) ? 0.4 : 1;
}

export const CHINESE_TRADITION: NamingTradition = {
  scripts: {
    han: {
      readWord: readHanWord,
      sounds: { mode: 'eastern', rank: 3 },
      isSyllabic: true,
      exactText: (token) => token.characters || token.prefix + token.text,
      hasFamilyNameFirst: (_tokens, original) => !isForeignNameInEastAsianScript(original),
      divideByScript: divideBeforeKana,
      splitUndivided: splitChineseName,
    },
  },
  assignRoles: markChineseWords,
  matchRule: compareChineseWords,
  conflictRule: findPinyinConflict,
  soundSimilarityFactor: computeSoundSimilarityFactor,
};

type PinyinFunction = (text: string, options: object) => string[];
let pinyinFunction: PinyinFunction | undefined;

/** Returns the Mandarin syllables of a word in Chinese characters. Loads the package pinyin-pro when a character is not in the table. */
function mandarinSyllables(word: string, isFamilyName: boolean): string[] {
  const surname = isFamilyName ? getHanTable().surnames.get(word) : undefined;
  if (surname) return [surname[MANDARIN_READING_COLUMN]?.[0] ?? ''];
  const syllables: string[] = [];
  for (const character of word) {
    const reading = findReading(character, isFamilyName);
    if (reading === undefined) return readWithPinyinPro(word, isFamilyName);
    syllables.push(reading);
  }
  return syllables;
}

function findReading(character: string, isFamilyName: boolean): string | undefined {
  const { surnames, characters } = getHanTable();
  const surname = isFamilyName ? surnames.get(character)?.[MANDARIN_READING_COLUMN]?.[0] : undefined;
  return characters.get(character)?.[MANDARIN_READING_COLUMN]?.[0] ?? surname;
}

function readWithPinyinPro(word: string, isFamilyName: boolean): string[] {
  pinyinFunction ??= (createRequire(import.meta.url)('pinyin-pro') as { pinyin: PinyinFunction }).pinyin;
  const options = { toneType: 'none', type: 'array', ...(isFamilyName ? { mode: 'surname' } : {}) };
  return pinyinFunction(word, options).map((syllable) => syllable.replace('ü', 'u'));
}

const INITIAL_SOUNDS = parseTextMap(`
  b =  p P  m m  f F  d >  t t  n n  l R  g <  k &  h (  j +  q C  x /  zh ?  ch C  sh :  r ,  z )  c )  s !  w W  y y
`);
const FINAL_SOUNDS = parseTextMap('ng -  n M');
/** Mandarin syllables whose vowel is silent in foreign names: Chinese cannot write a consonant without a vowel. */
const CARRIER_SYLLABLES = new Set(
  'e te de ke ge le ze ce se he re bu pu fu mu du tu ku gu si zi ci shi zhi chi ri li'.split(' '),
);

const SYLLABLE = /^([zcs]h|[bpmfdtnlgkhjqxrzcswy])?([aeiou]+)(ng|n)?$/;

/**
 * Sounds of characters in foreign names, where they differ from the Mandarin reading. Origin: written by hand from general knowledge of
 * foreign names in China and Taiwan; no list was copied.
 */
const RENDERED_SOUNDS = parseTextMap(`
  怀 W[3  懷 W[3  华 W[  華 W[  惠 W|  沃 W{  卫 W|  衛 W|
  恩 OM  约 j{  約 j{  乔 J{  喬 J{  琼 J{M  瓊 J{M  强 J{M  強 J{M  杰 J[  傑 J[  雅 Y[  佳 J[  嘉 J[
  尔 ,  爾 ,  耳 ,  儿 ,  兒 ,  二 ,  尼 nU  米 mU  蒂 ;U  迪 >U  齐 CU  奇 CU  赫 HU  艾 ]3  埃 ]3  奥 {5  奧 {5
  歐 {5  欧 {5  休 (}  修 /}  丘 C}  邱 C}  朱 J}  古 <}  伍 W}  于 y}  裘 J}  珠 J}  舒 :}  蕭 :{  肖 :{  萧 :{  让 Z[M  讓 Z[M  尚 Z[M
  姆 mU  顿 t{M  頓 t{M  逊 !{M  遜 !{M  森 !{M  生 !{M  孙 !{M  孫 !{M  松 !{M  曼 m[M  文 V{M  温 W{M  溫 W{M  翁 [M  昂 [M
  冈 <[M  岡 <[M  贡 <{M  康 &{M  坎 &[M  孔 &{M  洪 H{M  宏 H{M  东 >{M  通 t{M  隆 R{M  龙 R{M  龍 R{M  朗 R[M  兰 R[M  蘭 R[M  伦 R{M  倫 R{M
  柴 :[  撒 :[  伊 |  弗 F  夫 F  福 F{  佛 F{  丝 !U  絲 !U  思 !U  司 !U  士 !U  世 !U
`);

/** Map from each Mandarin vowel to a sound symbol that represents several similar vowels of other languages. */
const LOOSE_VOWELS = parseTextMap('a [  e ]  o {  u }  i |');

/** Converts Mandarin syllables to sound symbols, so that Chinese characters can be compared with foreign names. */
function mandarinSounds(characters: string, syllables: readonly string[]): string {
  const letters = [...characters];
  const isByCharacter = letters.length === syllables.length;
  let sounds = '';
  for (const [i, syllable] of syllables.entries()) {
    const rendered = isByCharacter ? RENDERED_SOUNDS.get(letters[i] ?? '') : undefined;
    const next = rendered ?? (syllable === 'er' ? ',' : syllableSounds(syllable));
    // In 海伦娜 (Helena), the n of 伦 only doubles the n of the next syllable.
    if (sounds.endsWith('M') && next.startsWith('n')) sounds = sounds.slice(0, -1);
    sounds += next;
  }
  return sounds;
}

function syllableSounds(syllable: string): string {
  const [, initial = '', vowels = '', final = ''] = SYLLABLE.exec(syllable) ?? ['', '', syllable, ''];
  const vowelSounds = CARRIER_SYLLABLES.has(syllable)
    ? 'U'
    : vowels
        .replace(/^i(?=[aou])/, '3')
        .replace(/^u(?=[aeio])/, '5')
        .replace(/(?<=[ae])i$/, '3')
        .replace(/(?<=[ao])[uo]$/, '5')
        .replace(/[aeiou]/g, (vowel) => LOOSE_VOWELS.get(vowel) ?? vowel);
  return (INITIAL_SOUNDS.get(initial) ?? '') + vowelSounds + (FINAL_SOUNDS.get(final) ?? '');
}
