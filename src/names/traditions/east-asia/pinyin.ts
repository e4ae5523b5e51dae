// Chinese syllables in Latin letters: pinyin, Wade-Giles, and a unified spelling that is equal for both.
import { parseTextMap, parseTextTable } from '../../tables.ts';

/** Initials of syllables: in pinyin, in Wade-Giles without apostrophes, and in the unified spelling. `-` means nothing. */
const INITIALS = parseTextTable(`
  - - -  b p p  p p p  m m m  f f f  d t t  t t t  n n n  l l l  g k k  k k k  h h h  j ch c  q ch c  x hs x  zh ch c  ch ch c
  sh sh sh  r j r  z ts z  c ts z  s s s  y y -  w w -
`).map((cells) => cells.map((cell) => (cell === '-' ? '' : cell)));
const PINYIN_FINALS = 'a o e ai ei ao ou an en ang eng ong i ia ie iao iu ian in iang ing iong'
  .concat(' u ua uo uai ui uan un uang ue')
  .split(' ');
/** Wade-Giles final of each pinyin final, where the two differ. */
const WADE_GILES_FINALS = parseTextMap('ian ien  ie ieh  ue ueh  ong ung  iong iung');
/**
 * Map from further Wade-Giles spellings of finals to pinyin (`uei` → `ui`). They are only read: `convertPinyinToWadeGiles` does not return
 * them.
 */
const VARIANT_FINALS = parseTextMap('uei ui  ih i  eh e  erh er  yueh ue');
/** Wade-Giles syllables that do not follow from initial and final, and their pinyin syllables. */
const IRREGULAR_SYLLABLES = parseTextTable(`
  tzu zi ci  ssu si  chih zhi chi  shih shi  jih ri  erh er  yu you  yen yan  yeh ye  ko ge ke  ho he  kuei gui kui
`);

const FORM_LETTERS = new Map(INITIALS.map(([pinyin = '', , letter = '']) => [pinyin, letter]));
const WADE_GILES_INITIALS = new Map(INITIALS.map(([pinyin = '', wadeGiles = '']) => [pinyin, wadeGiles]));
const WADE_GILES_SYLLABLES = new Map(
  IRREGULAR_SYLLABLES.flatMap(([wadeGiles = '', ...pinyin]) =>
    pinyin.map((syllable) => [syllable, wadeGiles]),
  ),
);

const SYLLABLE = /^([zcs]h|[bpmfdtnlgkhjqxrzcsyw])?(.+)$/;

/** Converts a pinyin syllable to the Wade-Giles spelling that names have in Taiwan. */
export function convertPinyinToWadeGiles(pinyin: string): string {
  const irregular = WADE_GILES_SYLLABLES.get(pinyin);
  if (irregular !== undefined) return irregular;
  const [, initial = '', final = ''] = SYLLABLE.exec(pinyin) ?? [];
  const rounded = final === 'uo' && !/^[gkh]$/.test(initial) ? 'o' : final;
  return (WADE_GILES_INITIALS.get(initial) ?? initial) + (WADE_GILES_FINALS.get(rounded) ?? rounded);
}

/** Unified spelling of each syllable, in pinyin or Wade-Giles. */
const FORMS = new Map<string, string>();
const PINYIN_SYLLABLES = new Set<string>();

function buildForms(): void {
  for (const initial of FORM_LETTERS.keys()) {
    for (const final of PINYIN_FINALS) {
      if (!isPinyinSyllable(initial, final)) continue;
      PINYIN_SYLLABLES.add(initial + final);
      FORMS.set(initial + final, toForm(initial, final));
    }
  }
  addWadeGilesForms();
  FORMS.set('er', toForm('', 'er'));
  for (const [wadeGiles = '', pinyin = ''] of [...IRREGULAR_SYLLABLES, ['szu', 'si']])
    if (!PINYIN_SYLLABLES.has(wadeGiles)) FORMS.set(wadeGiles, toForm(...splitSyllable(pinyin)));
}

/**
 * Adds the unified spelling of every combination of a Wade-Giles initial and final. Combinations that Chinese lacks occur in other
 * romanisations.
 */
function addWadeGilesForms(): void {
  const initials = new Map([...WADE_GILES_INITIALS].map(([pinyin, wadeGiles]) => [wadeGiles, pinyin]));
  initials.set('tz', 'z');
  const finals = new Map(PINYIN_FINALS.map((final) => [final, final]));
  for (const [pinyin, wadeGiles] of WADE_GILES_FINALS) finals.set(wadeGiles, pinyin);
  for (const [wadeGiles, pinyin] of VARIANT_FINALS) finals.set(wadeGiles, pinyin);
  for (const [initial, pinyinInitial] of initials)
    for (const [final, pinyinFinal] of finals)
      if (!FORMS.has(initial + final)) FORMS.set(initial + final, toForm(pinyinInitial, pinyinFinal));
}

function splitSyllable(syllable: string): [initial: string, final: string] {
  const at = syllable.search(/[aeiou]/);
  return [syllable.slice(0, at), syllable.slice(at)];
}

/** True if the syllable exists in pinyin; some syllables exist only in other romanisations. */
function isPinyinSyllable(initial: string, final: string): boolean {
  if (initial === '') return /^(a|o|e|ai|ei|ao|ou|an|en|ang|eng)$/.test(final);
  if (/^[jqx]$/.test(initial)) return /^(i.*|u|ue|uan|un)$/.test(final);
  if (initial === 'y') return /^(a|e|ao|ou|an|ang|i|in|ing|u|ue|uan|un|ong|o)$/.test(final);
  if (initial === 'w') return /^(a|o|ai|ei|an|en|ang|eng|u)$/.test(final);
  if (/^([zcs]h?|r|[gkh])$/.test(initial))
    return !/^i.|^in|^ue$|^o$/.test(final) && !(final === 'i' && /^[gkh]$/.test(initial));
  if (/^[bpmf]$/.test(initial)) return !/^(u.+|ou?ng|iang|iong|ia)$/.test(final);
  if (/^[dt]$/.test(initial) && /^i(a|n|ang|ong)$/.test(final)) return false;
  return !/^(o|ua|uai|uang)$/.test(final);
}

/** Returns the unified spelling of a pinyin syllable. A dot ends every syllable. */
function toForm(initial: string, final: string): string {
  const vowels = initial === 'y' || initial === 'w' ? glideVowels(initial, final) : final;
  // After j, q, x and y the letter u represents ü, and the short finals do not apply.
  const isUmlaut = /^[jqxy]$/.test(initial) && final.startsWith('u');
  const shortened = isUmlaut ? vowels : (SHORT_FINALS.get(vowels) ?? vowels);
  return `${FORM_LETTERS.get(initial) ?? initial}${shortened}.`;
}

const SHORT_FINALS = parseTextMap('uo o  e o  uen un  uei ui  iou iu');

/** Returns the final of a pinyin syllable that starts with y or w, including the vowel that y or w stands for. */
function glideVowels(glide: 'y' | 'w', final: string): string {
  if (glide === 'w') return final === 'u' ? 'u' : `u${final}`;
  return /^[iu]/.test(final) ? final : `i${final}`;
}

const MAX_SYLLABLES = 3;

/** Unifies the pinyin and Wade-Giles spellings of up to three syllables. Undefined for other words. */
export function unifyChineseSpelling(text: string): string | undefined {
  if (FORMS.size === 0) buildForms();
  if (text.length < 2 || text.length > 14) return undefined;
  const best: (string | undefined)[] = [''];
  const count = [0];
  for (let end = 1; end <= text.length; end++) {
    for (let size = Math.min(6, end); size > 0; size--) {
      const before = best[end - size];
      const syllable = before === undefined ? undefined : FORMS.get(text.slice(end - size, end));
      if (syllable === undefined || count[end - size]! >= MAX_SYLLABLES) continue;
      if (best[end] === undefined || count[end - size]! + 1 < count[end]!) {
        best[end] = before + syllable;
        count[end] = count[end - size]! + 1;
      }
    }
  }
  return best[text.length];
}

/** True if the whole text consists of pinyin syllables. */
export function isPinyin(text: string): boolean {
  if (FORMS.size === 0) buildForms();
  const isReached = [true];
  for (let end = 1; end <= text.length; end++) {
    for (let size = Math.min(6, end); size > 0 && !isReached[end]; size--) {
      const piece = text.slice(end - size, end);
      const startsWithVowel = end > size && /^[aeo]/.test(piece);
      if (isReached[end - size] && !startsWithVowel && PINYIN_SYLLABLES.has(piece)) isReached[end] = true;
    }
  }
  return isReached[text.length] === true;
}
