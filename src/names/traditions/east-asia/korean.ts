// Korean names: Hangul, spellings in Latin letters, readings of characters.
import { applyTextReplacements, parseTextReplacements } from '../../tables.ts';
import { type Token, type TokenComparison, createTokenComparisonResult } from '../../types.ts';
import type { NameDraft, NamingTradition } from '../tradition.ts';
import { isForeignNameInEastAsianScript, listSplitsByFamilyNameLength } from './customs.ts';
import { compareSurnamesByCharacters, getCharacterReadings } from './han-readings.ts';
import { KOREAN_SURNAME_FLAG, KOREAN_COLUMN } from './han-table.ts';

const SURNAME_OF_TWO_SYLLABLES = /^(남궁|황보|제갈|사공|선우|독고|서문)/;

function splitKoreanName(word: string): [family: string, given: string][] {
  const letters = word.match(/\p{L}/gu) ?? [];
  return listSplitsByFamilyNameLength(
    letters,
    letters.length > 3 || SURNAME_OF_TWO_SYLLABLES.test(word) ? [1, 2] : [1],
  );
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
    const readings = getCharacterReadings(character, KOREAN_COLUMN).slice(0, 3).map(koreanSyllableForm);
    forms = forms.flatMap((form) => readings.map((reading) => `${form}${reading}.`));
  }
  return forms;
}

const IS_READING = createTokenComparisonResult('script', 0.9);
const SAME_SURNAME = createTokenComparisonResult('script', 0.95);
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
  return a.koreanForm && a.koreanForm === b.koreanForm ? SAME_SYLLABLES : undefined;
}

const OTHER_SYLLABLES = createTokenComparisonResult('slip', 0.2);
/** Returns the first consonants of a syllable without l, n and y, which only some spellings contain. */
const firstSoundOf = (syllable: string) => syllable.replace(/^[lny]+/, '').replace(/[aeiou].*/, '');

/**
 * Returns a conflict for two given names that are two names: both have two syllables of which one differs in its first sound, or the number
 * of syllables differs. Otherwise undefined.
 */
function findSyllableConflict(a: Token, b: Token): TokenComparison | undefined {
  if (a.script !== 'latin' || b.script !== 'latin' || a.role === 'family' || b.role === 'family')
    return undefined;
  const [x, y] = [a.koreanForm.split('.'), b.koreanForm.split('.')];
  if (x.length + y.length === 5 && !a.entry && !b.entry) return OTHER_SYLLABLES;
  if (x.length !== 3 || y.length !== 3) return undefined;
  return x.some((syllable, i) => firstSoundOf(syllable) !== firstSoundOf(y[i] ?? ''))
    ? OTHER_SYLLABLES
    : undefined;
}

export const KOREAN_TRADITION: NamingTradition = {
  scripts: {
    hangul: {
      readWord: (word) => ({ text: romaniseHangul(word), sound: hangulSounds(word) }),
      sounds: { mode: 'eastern', rank: 3 },
      isSyllabic: true,
      hasFamilyNameFirst: ([lead], original) =>
        lead?.raw.length === 1 && !isForeignNameInEastAsianScript(original),
      splitUndivided: splitKoreanName,
    },
  },
  assignRoles: markKoreanWords,
  initialRule: compareSyllables,
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

/** Unifies the spellings of a Korean syllable: Young, Yeong and Yung are equal; so are Chung, Jung and Jeong. */
const koreanSyllableForm = (syllable: string) => applyTextReplacements(syllable, SPELLING_RULES);

const SYLLABLE =
  /(?:kk|tt|pp|ss|jj|ch|sh|[kgndtrlmbpsjhc])?[yw]?[aeiou]+(?:ng|[nmklpbt](?![aeiouyw])|g(?![aeiouyw]))?(?:h(?![aeiouyw]))?/g;

/** Unifies the spellings of a Korean name of one or two syllables in Latin letters. Empty if the word cannot be divided into syllables. */
function koreanNameForm(text: string): string {
  const word = text.replace('rk', 'k');
  const syllables = word.match(SYLLABLE) ?? [];
  return syllables.length <= 2 && syllables.join('') === word
    ? `${syllables.map(koreanSyllableForm).join('.')}.`
    : '';
}
