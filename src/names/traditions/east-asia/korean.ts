// Korean names: Hangul, spellings in Latin letters, readings of characters.
import { applyTextReplacements, parseTextMap, parseTextReplacements } from '../../tables.ts';
import {
  type Token,
  type TokenComparison,
  createTokenComparisonResult,
  SAME_INITIAL_RESULT,
} from '../../types.ts';
import type { NameDraft, NamingTradition } from '../tradition.ts';
import {
  haveOtherSyllableCount,
  isForeignNameInEastAsianScript,
  listSplitsByFamilyNameLength,
} from './customs.ts';
import { compareSurnamesByCharacters, getCharacterReadings } from './han-readings.ts';
import { getSurnameRegionFlags, KOREAN_SURNAME_FLAG, KOREAN_READING_COLUMN } from './han-table.ts';

const SURNAMES_OF_TWO_SYLLABLES = new Set(['남궁', '황보', '제갈', '사공', '선우', '독고', '서문']);

function splitKoreanName(word: string): [family: string, given: string][] {
  const letters = word.match(/\p{L}/gu) ?? [];
  const hasSurnameOfTwo = SURNAMES_OF_TWO_SYLLABLES.has(word.slice(0, 2));
  if (letters.length > 3) return listSplitsByFamilyNameLength(letters, hasSurnameOfTwo ? [2, 1] : [1, 2]);
  return listSplitsByFamilyNameLength(letters, hasSurnameOfTwo ? [1, 2] : [1]);
}

/** Marks Latin words that may be Korean syllables. Only names with a Korean family name are marked. */
function markKoreanWords({ tokens }: NameDraft): void {
  if (tokens.length < 2 || !tokens.some((token) => token.surnameRegions & KOREAN_SURNAME_FLAG)) return;
  for (const token of tokens) {
    if (token.script !== 'latin') continue;
    token.koreanForm = koreanNameForm(token.text);
    token.mayBeEastAsian = true;
  }
}

/** Returns the unified Korean spellings (see `koreanNameForm`) of the readings of up to three characters. */
function koreanFormsOf(characters: string): string[] {
  if (characters.length > 3) return [];
  let forms = [''];
  for (const character of characters) {
    const readings = getCharacterReadings(character, KOREAN_READING_COLUMN)
      .slice(0, 3)
      .map(koreanSyllableForm);
    forms = forms.flatMap((form) => readings.map((reading) => `${form}${reading}.`));
  }
  return forms;
}

const IS_READING = createTokenComparisonResult('script', 0.9);
const SAME_SURNAME = createTokenComparisonResult('script', 0.95);
const COMMON_READING = createTokenComparisonResult('spelling', 0.76);
const SAME_SYLLABLES = createTokenComparisonResult('spelling', 0.86);

function compareKoreanWords(a: Token, b: Token): TokenComparison | undefined {
  if (a.characters || b.characters) {
    const [han, other] = a.characters ? [a, b] : [b, a];
    return other.koreanForm && koreanFormsOf(han.characters).includes(other.koreanForm)
      ? IS_READING
      : undefined;
  }
  if (a.script === 'hangul' || b.script === 'hangul') {
    const hangul = a.script === 'hangul' ? a.raw : b.raw;
    return hangul.length === 1 && compareSurnamesByCharacters(a.text, b.text) === 'same'
      ? SAME_SURNAME
      : undefined;
  }
  return compareSyllables(a, b);
}

/** Compares words by their unified Korean spelling. Also compares initials, because the syllable I is spelt Yi too. */
function compareSyllables(a: Token, b: Token): TokenComparison | undefined {
  if (!a.koreanForm || !b.koreanForm) return undefined;
  if (a.koreanForm === b.koreanForm) return findSyllableConflict(a, b) ?? SAME_SYLLABLES;
  return haveCommonReading(a, b) ? COMMON_READING : undefined;
}

/** Letters with which passports and names begin where the Revised Romanization of a Hangul name begins with the key: Kim for gim, Lee for i. */
const OTHER_FIRST_LETTERS: Record<string, string> = {
  g: 'k',
  d: 't',
  b: 'p',
  j: 'c',
  i: 'ly',
  n: 'lr',
  r: 'l',
  y: 'lr',
  u: 'w',
};

/** Compares an initial with a name in Hangul: K and 김 (gim, usually Kim). */
function compareInitialWithHangul(a: Token, b: Token): TokenComparison | undefined {
  const [initial, other] = a.isInitial ? [a, b] : [b, a];
  if (other.script !== 'hangul') return undefined;
  return OTHER_FIRST_LETTERS[other.text.charAt(0)]?.includes(initial.text) ? SAME_INITIAL_RESULT : undefined;
}

/** True for two given names that may be spellings of the same syllables: Chonghun and Jeonghun (McCune-Reischauer), Hyunwoo and Hyeonu. */
const haveCommonReading = (a: Token, b: Token): boolean => {
  if (a.role === 'family' || b.role === 'family') return false;
  const others = listReadings(b);
  return listReadings(a).some((x) =>
    others.some((y) => x.length === y.length && x.every((syllable, i) => mayBeOneSyllable(syllable, y[i]))),
  );
};

const OTHER_SYLLABLES = createTokenComparisonResult('slip', 0.2);

/**
 * Returns a conflict for two given names, or full names in Hangul, that are names of two people. Either they have equally many syllables, and one
 * syllable differs in its first sound, its vowel or its last sound; or two Latin names differ in the number of syllables. Otherwise undefined.
 */
function findSyllableConflict(a: Token, b: Token): TokenComparison | undefined {
  if (a.role === 'family' || b.role === 'family') return undefined;
  if (haveOtherSyllableCount(a, b, 'koreanForm')) return OTHER_SYLLABLES;
  const readings = listReadings(a);
  const others = readings.length > 0 ? listReadings(b) : [];
  if (others.length === 0) return undefined;
  return readings.every((x) => others.every((y) => areOtherNames(x, y))) ? OTHER_SYLLABLES : undefined;
}

/** True for two names with equally many syllables, if all syllables that differ are usual in names. Any other syllable may be a typo. */
function areOtherNames(x: readonly Syllable[], y: readonly Syllable[]): boolean {
  if (x.length !== y.length) return false;
  const pairs = x.flatMap((syllable, i): Syllable[][] => {
    const other = y[i];
    return other && !mayBeOneSyllable(syllable, other) ? [[syllable, other]] : [];
  });
  return pairs.length > 0 && pairs.flat().every(isUsual);
}

/** Sounds of a syllable. `vowels`: the letters of Hangul that the vowel may be. */
type Syllable = [first: string, vowels: string, last: string];

const mayBeOneSyllable = (x: Syllable, y: Syllable | undefined): boolean =>
  y !== undefined && x[0] === y[0] && x[2] === y[2] && [...x[1]].some((vowel) => y[1].includes(vowel));

const isUsual = ([first, vowels, last]: Syllable): boolean => {
  const usual = USUAL_VOWELS.get(`${first}.${last}`);
  return usual !== undefined && [...vowels].some((vowel) => usual.includes(vowel));
};

/** True for a given name of one or two syllables that are usual in Korean names. */
export const hasUsualKoreanSyllables = (token: Token): boolean =>
  listReadings(token).some((syllables) => syllables.every(isUsual));

/**
 * Returns the readings of a given name of one or two syllables, or of a full name in Hangul: each is a list of syllables. A Latin word has
 * several readings if a consonant may belong to either syllable: Jina is Ji-na and Jin-a. Empty for any other word.
 */
function listReadings({ script, raw, koreanForm, text }: Token): Syllable[][] {
  if (script === 'hangul')
    return raw.length < 3 || (raw.length === 3 && isSurname(raw[0] ?? ''))
      ? [[...raw].map(soundsOfHangul)]
      : [];
  const parts = koreanForm ? ONE_OR_TWO_SYLLABLES.exec(text) : null;
  if (!parts) return [];
  const [, first = '', vowel = '', between = '', secondVowel, last = ''] = parts;
  if (secondVowel === undefined) {
    const syllable = LAST_SOUND.test(between) ? soundsOfLatin(first, vowel, between) : undefined;
    return syllable ? [[syllable]] : [];
  }
  const readings: Syllable[][] = [];
  for (let i = 0; i <= between.length; i++) {
    const [end, start] = [between.slice(0, i), between.slice(i)];
    if (!LAST_SOUND.test(end) || !FIRST_SOUND.test(start)) continue;
    const [one, two] = [soundsOfLatin(first, vowel, end), soundsOfLatin(start, secondVowel, last)];
    if (one && two) readings.push([one, two]);
  }
  return readings;
}

/** Returns the first sound, the vowels and the last sound of a Latin syllable. Undefined if the vowel is in no table. */
function soundsOfLatin(first: string, vowel: string, last: string): Syllable | undefined {
  const vowels = (last === '' && OPEN_VOWELS.get(vowel)) || LATIN_VOWELS.get(vowel);
  return vowels ? [firstSound(first), vowels, lastSound(last)] : undefined;
}

const isSurname = (letter: string) =>
  (getSurnameRegionFlags(romaniseHangul(letter)) & KOREAN_SURNAME_FLAG) !== 0;

function soundsOfHangul(letter: string): Syllable {
  const [initial, medial, final] = splitSyllable(letter) ?? [0, 0, 0];
  const vowel = String.fromCodePoint(FIRST_VOWEL + medial);
  return [INITIAL_FORMS[initial] ?? '', /[ㅐㅔ]/.test(vowel) ? 'ㅐㅔ' : vowel, FINAL_FORMS[final] ?? ''];
}

/** Returns one form for the spellings of a first consonant, without l and n, which only some spellings contain. */
const firstSound = (letters: string) => koreanSyllableForm(letters).replace(/^[ln]/, '');
/** Returns one form for the spellings of a last consonant. */
const lastSound = (letters: string) => koreanSyllableForm(`a${letters}`).slice(1);

export const KOREAN_TRADITION: NamingTradition = {
  scripts: {
    hangul: {
      readWord: (word) => ({ text: romaniseHangul(word), sound: hangulSounds(word) }),
      sounds: { mode: 'eastern', rank: 3 },
      isSyllabic: true,
      hasFamilyNameFirst: ([lead], original) =>
        lead !== undefined &&
        (lead.raw.length === 1 || SURNAMES_OF_TWO_SYLLABLES.has(lead.raw)) &&
        !isForeignNameInEastAsianScript(original),
      splitUndivided: splitKoreanName,
    },
  },
  assignRoles: markKoreanWords,
  initialRule: (a, b) => compareSyllables(a, b) ?? compareInitialWithHangul(a, b),
  matchRule: compareKoreanWords,
  conflictRule: findSyllableConflict,
};

// Letters of the Revised Romanization, and sounds that fit McCune-Reischauer and passport spellings too. `-` means nothing.
const INITIAL_LETTERS = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ');
const MEDIAL_LETTERS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const FINAL_LETTERS = '- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');
const INITIAL_SOUNDS = '< k n > t R m = p ! ! - ? J 0 k t P H'.split(' ');
const MEDIAL_SOUNDS = 'a e ya ye @ e y@ ye o Wa We We yo u W@ We Wi yu U U3 i'.split(' ');
const FINAL_SOUNDS = '- < < < n n n > R < m R R R = R m = = ! ! - > ! < ! = !'.split(' ');
/** Number of the final consonant ng among the Hangul finals. It is the only final with this sound. */
const FINAL_NG = 21;

const FIRST_SYLLABLE = 0xac00;
const SYLLABLE_COUNT = 11_172;

/** Returns the numbers of the initial, medial and final letter of a Hangul syllable. Undefined for any other character. */
function splitSyllable(syllable: string): [initial: number, medial: number, final: number] | undefined {
  const code = syllable.charCodeAt(0) - FIRST_SYLLABLE;
  if (code < 0 || code >= SYLLABLE_COUNT) return undefined;
  return [Math.floor(code / 588), Math.floor((code % 588) / 28), code % 28];
}

const cellAt = (list: readonly string[], index: number) => (list[index] ?? '-').replace(/^-$/, '');

/** Returns the Revised Romanization of a Hangul word. */
function romaniseHangul(word: string): string {
  let latin = '';
  for (const character of word) {
    const syllable = splitSyllable(character);
    if (!syllable) continue;
    const [initial, medial, final] = syllable;
    latin += cellAt(INITIAL_LETTERS, initial) + cellAt(MEDIAL_LETTERS, medial) + cellAt(FINAL_LETTERS, final);
  }
  return latin;
}

function hangulSounds(word: string): string {
  let sounds = '';
  for (const character of word) {
    const syllable = splitSyllable(character);
    if (!syllable) continue;
    const [initial, medial, final] = syllable;
    const start = cellAt(INITIAL_SOUNDS, initial);
    const end = final === FINAL_NG ? 'N' : cellAt(FINAL_SOUNDS, final);
    sounds += (start === 'R' && sounds.endsWith('R') ? '' : start) + cellAt(MEDIAL_SOUNDS, medial) + end;
  }
  return sounds;
}

const SPELLING_RULES = parseTextReplacements(`
  ^(sh|ss) s  ^(ch|jj|j) c  ^(kk|g) k  ^(tt|d) t  ^(pp|b) p  ^r l
  eo|ou|oo|eu u  ^woo?(?!n) u  u?ee|ui|yi i  ae|ai|ay e  wu u  h$ -  [gk]$ k  b$ p  nk$ ng
`);

const FIRST_VOWEL = 'ㅏ'.charCodeAt(0);

/** Reads a table of Latin spellings with the vowels of Hangul that they may represent. */
const parseVowels = (table: string) =>
  new Map(
    [...parseTextMap(table)].flatMap(([spellings, vowels]) =>
      spellings.split(',').map((spelling): [string, string] => [spelling, vowels]),
    ),
  );
/** Vowels by their Latin spellings. Origin: romanisations and customary spellings of Korean names. */
const LATIN_VOWELS = parseVowels(`
  a ㅏ  ae,ai,ay,e,ei,ey ㅐㅔ  ea ㅐㅔㅖㅣ  eo ㅓ  eu ㅡ  oo ㅜ  ou ㅜㅓ  u ㅜㅓㅡ  o ㅗㅓ  oe,oi ㅚㅙㅞ  i,ee,ie,yi,yee ㅣㅢ  ui,eui ㅢ
  wi ㅟㅢ  we,wae,wai ㅞㅙㅚ  wa ㅘ  wo,weo ㅝ  woo,wu ㅜ  ya ㅑ  ye,yae ㅖㅒㅕ  yea ㅖㅕ  yeo ㅕ  you ㅕㅠ  yu ㅠㅕ  yo ㅛㅕ  yoo ㅠ
`);
/** Vowels of spellings that have fewer readings at the end of a syllable: Su is 수, but Sun may also be 선. */
const OPEN_VOWELS = parseVowels('u ㅜㅡ  o ㅗ  yu ㅠ  yo ㅛ  ye,yae ㅖㅒ');

/** Unifies the spellings of a Korean syllable: Young, Yeong and Yung are equal; so are Chung, Jung and Jeong. */
const koreanSyllableForm = (syllable: string) => applyTextReplacements(syllable, SPELLING_RULES);

/** Forms of the first and last consonants of Hangul, in the order of `splitSyllable`. */
const INITIAL_FORMS = INITIAL_LETTERS.map((_, index) => firstSound(cellAt(INITIAL_LETTERS, index)));
const FINAL_FORMS = FINAL_LETTERS.map((_, index) => lastSound(cellAt(FINAL_LETTERS, index)));

/** Syllables that many Korean given names have. Origin: common knowledge of Korean names. */
const USUAL_SYLLABLES =
  '가강건겸경관광구국권규균근기길나남다단달대덕도동두라란래련림린만명모무문미민배백범별병보복봉빈상새서석선설섭성세소솔송수숙순슬승시식신아안애양연열영예오옥완용우욱운웅원월유윤율은의이익인일임자장재전정제조종주준중지진찬창채천철청초춘충치태택표필하학한해향헌혁현형혜호홍화환효후훈휘흥희';
/** Vowels of the usual syllables, by the first and the last sound. */
const USUAL_VOWELS = new Map<string, string>();
for (const [first, vowels, last] of [...USUAL_SYLLABLES].map(soundsOfHangul)) {
  const key = `${first}.${last}`;
  USUAL_VOWELS.set(key, (USUAL_VOWELS.get(key) ?? '') + vowels);
}

const SYLLABLE =
  /(?:kk|tt|pp|ss|jj|ch|sh|[kgndtrlmbpsjhc])?[yw]?[aeiou]+(?:ng|[nmklpbt](?![aeiouyw])|g(?![aeiouyw]))?(?:h(?![aeiouyw]))?/g;

const ONE_OR_TWO_SYLLABLES =
  /^([^aeiouwy]{0,3})([wy]?[aeiou]{1,3})([^aeiouwy]{0,4})(?:([wy]?[aeiou]{1,3})([^aeiouwy]{0,3}))?$/;
const FIRST_SOUND = /^(?:kk|tt|pp|ss|jj|ch|sh|[kgndtrlmbpsjhc])?$/;
const LAST_SOUND = /^(?:ng|nk|[nmklpbtgh])?$/;

/** Unifies the spellings of a Korean name of one or two syllables in Latin letters. Empty if the word cannot be divided into syllables. */
function koreanNameForm(text: string): string {
  const word = text.replace('rk', 'k');
  const syllables = word.match(SYLLABLE) ?? [];
  return syllables.length <= 2 && syllables.join('') === word
    ? `${syllables.map(koreanSyllableForm).join('.')}.`
    : '';
}
