// Creates the token of one word: the properties of the word that do not depend on the rest of the name.
import { findNameEntry, getSexFlagOfGivenName } from '../lexicon.ts';
import { detectScript, foldLatin, type Script } from '../script.ts';
import { getTitleWordSets } from '../title-words.ts';
import { getSurnameRegionFlags } from '../traditions/east-asia/han-table.ts';
import { ARTICLE_PATTERNS, SCRIPT_RULES, WORD_VARIANT_FORM_RULES } from '../traditions/index.ts';
import { isArabicNameWord } from '../traditions/arabic-and-hebrew.ts';
import type { NameWordRole, Token } from '../types.ts';

/** Returns the set of letters (a-z) in a word as a number with one bit per letter. */
export function toLetterBitmask(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << (text.charCodeAt(i) - 97);
  return letters;
}

/** Returns the properties of a word that depend only on its letters a-z. */
function describeText(text: string): Pick<Token, 'text' | 'variantForms' | 'articleLength' | 'letterSet'> {
  const variantForms = WORD_VARIANT_FORM_RULES.map(({ appliesTo, toForm }) =>
    appliesTo.test(text) ? toForm(text) : text,
  );
  return { text, variantForms, articleLength: findArticleLength(text), letterSet: toLetterBitmask(text) };
}

function findArticleLength(text: string): number {
  for (const { attached } of ARTICLE_PATTERNS) {
    const article = attached.exec(text)?.[0];
    if (article) return article.length;
  }
  return 0;
}

const UNKNOWN_NAME = { entry: undefined, sex: 0 };

function lookUpName(text: string): Pick<Token, 'entry' | 'sex'> {
  const entry = findNameEntry(text);
  return entry ? { entry, sex: getSexFlagOfGivenName(entry) } : UNKNOWN_NAME;
}

// Cache of the tokens of frequent words, in two maps that replace each other. A few words make up most names, and reading a word is the
// slowest step of preparing a name.
let [recentTokens, olderTokens] = [new Map<string, Token>(), new Map<string, Token>()];
const MAX_CACHED_TOKENS = 30_000;

/** Empties the token cache. Must be called when the name tables change. */
export function clearTokenCache(): void {
  [recentTokens, olderTokens] = [new Map(), new Map()];
}

/** Creates the token of one written word, or returns it from the cache. */
export function createNameToken(raw: string, prefix: string, role: NameWordRole = 'middle'): Token {
  let token = recentTokens.get(raw);
  if (!token) {
    token = olderTokens.get(raw) ?? readToken(raw, detectScript(raw), role === 'family');
    // Han characters have no particle, and their reading depends on the role: they are not cached.
    if (token.characters) return { ...token, role };
    if (recentTokens.size >= MAX_CACHED_TOKENS) [recentTokens, olderTokens] = [new Map(), recentTokens];
    recentTokens.set(raw, token);
  }
  return { ...token, prefix, role };
}

function readToken(raw: string, script: Script, isFamilyName: boolean): Token {
  const rules = SCRIPT_RULES[script];
  const { text, sound, characters = '', chineseForm = '' } = rules.readWord(raw, isFamilyName);
  const surnameRegions = script === 'latin' ? getSurnameRegionFlags(text) : 0;
  const isSyllabic = rules.isSyllabic ?? false;
  const { titlesOrNames } = getTitleWordSets();
  return {
    raw,
    ...describeText(text),
    prefix: '',
    sound,
    characters,
    chineseForm,
    koreanForm: '',
    isWadeGiles: false,
    surnameRegions,
    mayBeEastAsian: isSyllabic || surnameRegions !== 0,
    hasDigit: /\d/.test(raw),
    isArabicNameWord: script === 'latin' && isArabicNameWord(text),
    mayBeArabic: false,
    script,
    role: 'middle',
    isInitial: text.length === 1 && !isSyllabic,
    // The text is a reading that was derived from East Asian characters. The name tables contain only written names.
    mayBeTitle: !characters && [text, raw.toLowerCase()].some((word) => titlesOrNames.has(word)),
    ...(characters ? UNKNOWN_NAME : lookUpName(text)),
  };
}

export function replaceTokenText(token: Token, text: string): Token {
  const surnameRegions = getSurnameRegionFlags(text);
  return {
    ...token,
    ...describeText(text),
    sound: SCRIPT_RULES.latin.readWord(text, false).sound,
    surnameRegions,
    mayBeEastAsian: token.mayBeEastAsian || surnameRegions !== 0,
    ...lookUpName(text),
  };
}

export function joinTokens(a: Token, b: Token): Token {
  const raw = a.raw + b.raw;
  const common = {
    role: b.role,
    isInitial: false,
    chineseForm: a.chineseForm && b.chineseForm ? a.chineseForm + b.chineseForm : '',
    koreanForm: a.koreanForm && b.koreanForm ? a.koreanForm + b.koreanForm : '',
    isWadeGiles: a.isWadeGiles,
  };
  if (detectScript(raw) !== 'latin') return { ...createNameToken(raw, a.prefix), ...common };
  const folded = foldLatin(raw);
  const text = a.text + b.prefix + b.text;
  const surnameRegions = getSurnameRegionFlags(text);
  return {
    ...a,
    raw,
    ...describeText(text),
    sound: a.sound + b.sound,
    characters: '',
    surnameRegions,
    mayBeEastAsian: a.mayBeEastAsian || b.mayBeEastAsian || surnameRegions !== 0,
    script: 'latin',
    mayBeTitle: getTitleWordSets().titlesOrNames.has(folded),
    ...lookUpName(folded),
    ...common,
  };
}
