// Splits a text at commas and spaces, and extracts the parts in quotation marks and brackets.
import { toUnicodeNormalForm } from '../../normalise/text.ts';
import { findNameEntry, GIVEN_NAME_FLAG, hasNameFlag } from '../lexicon.ts';
import { foldLatin } from '../script.ts';
import {
  BIRTH_NAME_PREFIX_PATTERN,
  DOTTED_DEGREE_AFTER_COMMA_PATTERN,
  DOTTED_DEGREE_PATTERN,
  HONORIFIC_SUFFIX_PATTERN,
  getTitleWordSets,
  SENIOR_SUFFIX_PATTERN,
  INLINE_BIRTH_NAME_PATTERN,
  JUNIOR_SUFFIX_PATTERN,
} from '../title-words.ts';
import { READING_AID_MARK_PATTERNS } from '../traditions/index.ts';
import type { Word } from '../types.ts';

export interface SplitNameText {
  /** Parts of the name between commas, each as its words. */
  segments: Word[][];
  /** Nicknames in quotation marks, and names in brackets. */
  nicknames: string[];
  /** Birth or former names after née, geb., born. */
  formerNames: string[];
}

const MAX_LENGTH = 250;
/** Matches a word and, after it, a word of two letters or more. */
const TWO_WORDS = /\p{L}[\s,.]+\p{L}{2}/u;
/** Matches names without punctuation and accents, in which only capitals must be changed. Most names match. */
const PLAIN_NAME = /^[a-z ]*$/i;
/** Matches texts that may end in a suffix for the elder or younger person. Other texts need not be tested by the exact, slower patterns. */
const MAY_END_WITH_ELDER = /(?:sen\.|jun\.|[jä]\.|[tg]ere|elder|younger) *(?:,|$)/i;
const ASCII = /^[ -~]*$/;
const QUOTED = /["“”„«»]([^"“”„«»]{1,60})["“”«»]|(?<=^|\s)['‘]([^'’]{1,40})['’](?=\s|$|,)/gu;
const BRACKETED = /[([（]([^()（）[\]]{0,80})[)\]）]/gu;
/**
 * Matches a note before the name of another person, such as the receiver of letters or a parent, husband or guardian: `c/o Ben Hart`, `S/O Ram Lal`,
 * `(Minor) U/G Ram Lal`. A slash or `of` is needed: So and Do are names.
 */
const OTHER_PERSON =
  /(?<!^the),?[\s(]\(?(?:minor\)?\s\(?)?(?:[cdhsw]\.?\s?\/\s?o|u\.?\s?\/\s?g|(?:son|daughter|wife|husband|widow)\sof)[\s.:]/i;
const BREAKS = /[\s\u00b7\u2022\u2027\u30fb\uff65=/_|+&;:!?*#@~^<>{}\\$%]+/u;
const DASHES = /[\u05be\u2010-\u2015\u2212\ufe58\ufe63\uff0d-]/gu;
/** Matches an apostrophe in place of the Hebrew geresh, which changes the letter before it. */
const TYPED_GERESH = /(?<=[גזצץתטדח])['’‘′]/gu;
const MAY_BE_HEBREW = /[\u05d0-\u05ea]/;
const GERESH = '\u05f3';
const APOSTROPHES = /['’‘ʼʻ`´ʿʾʹ′＇]/gu;
/** Character before a word that follows a hyphen. It stays until particles are joined with their words. */
export const HYPHENATED_WORD_MARKER = '\u0002';
/** Character before a word that follows a dot without a space. */
const WORD_AFTER_DOT_MARKER = '\u0003';

/** Splits a name at commas and separates bracketed, quoted and birth names. Only the first 250 characters are read. */
export function separateNicknamesAndFormerNames(text: string): SplitNameText {
  const marked: SplitNameText = { segments: [], nicknames: [], formerNames: [] };
  const isPlain = PLAIN_NAME.test(text);
  const person = removeOtherPerson(isPlain ? text.slice(0, MAX_LENGTH) : removeIgnoredMarks(text));
  let rest = isPlain ? person : takeOutQuotes(person, marked);
  rest = rest.replace(INLINE_BIRTH_NAME_PATTERN, (_, name: string) => takeOut(marked.formerNames, name));
  if (MAY_END_WITH_ELDER.test(rest))
    rest = rest.replace(SENIOR_SUFFIX_PATTERN, 'senior').replace(JUNIOR_SUFFIX_PATTERN, 'junior');
  if (rest.includes('.') || rest.includes(',')) rest = rest.replace(DOTTED_DEGREE_PATTERN, ' ');
  if (rest.includes(','))
    rest = rest.replace(DOTTED_DEGREE_AFTER_COMMA_PATTERN, (degree, at: number, name: string) =>
      TWO_WORDS.test(name.slice(0, at)) ? ',' : degree,
    );
  if (!isPlain && !ASCII.test(rest)) rest = rest.trimEnd().replace(HONORIFIC_SUFFIX_PATTERN, '');
  marked.segments = isPlain ? [splitPlainWords(rest)] : rest.split(/[,，、،]/).map(splitWords);
  return marked;
}

/** Returns the name before a note about another person: `Ada Poole` for `Ada Poole c/o Ben Hart`. A text that begins with the note stays unchanged. */
export function removeOtherPerson(text: string): string {
  const before = text.slice(0, OTHER_PERSON.exec(text)?.index);
  return /\p{L}/u.test(before) ? before : text;
}

/** Returns the text in Unicode NFKC, without marks that only help the reader (vowel points). */
function removeIgnoredMarks(text: string): string {
  if (ASCII.test(text)) return text.slice(0, MAX_LENGTH);
  // NFKC makes one character of at most eight units, so nothing beyond this length can be among the first 250. A separate acute accent is
  // an apostrophe that was typed with the wrong key; NFKC would make it a blank.
  const form = toUnicodeNormalForm(text.slice(0, 8 * MAX_LENGTH).replaceAll('\u00b4', "'"), 'NFKC');
  let rest = form.slice(0, MAX_LENGTH).replaceAll(HYPHENATED_WORD_MARKER, ' ');
  for (const marks of READING_AID_MARK_PATTERNS) rest = rest.replace(marks, '');
  return rest;
}

function takeOutQuotes(text: string, { nicknames, formerNames }: SplitNameText): string {
  let rest = text;
  if (/["“”„«»'‘]/.test(rest)) rest = rest.replace(QUOTED, (_, a, b) => takeOut(nicknames, a ?? b));
  if (!/[([（]/.test(rest)) return rest;
  return rest.replace(BRACKETED, (marked: string, inner: string, at: number) => {
    const body = inner.trim();
    if (isSuffix(body)) return `, ${body} `;
    if (mayBeFormerName(body, rest.slice(0, at)) && rest.slice(at + marked.length).trim() === '')
      takeOut(formerNames, body);
    if (BIRTH_NAME_PREFIX_PATTERN.test(body))
      return takeOut(formerNames, body.replace(BIRTH_NAME_PREFIX_PATTERN, ''));
    return body ? takeOut(nicknames, body) : ' ';
  });
}

/** True for a suffix in brackets, which counts as one after a comma: Juan Ramos Gil (hijo). */
function isSuffix(body: string): boolean {
  const { suffixes, suffixesOrNames } = getTitleWordSets();
  const word = foldLatin(body.replace(/\.$/, ''));
  return word.length > 1 && (suffixes.has(word) || suffixesOrNames.has(word));
}

/** True for a word in brackets after a given and a family name, if the word is no known given name: Joanna Pereira (Whitcombe). */
function mayBeFormerName(body: string, before: string): boolean {
  if (/[^\p{L}'’-]/u.test(body) || before.trim().split(' ').length < 2) return false;
  return !hasNameFlag(findNameEntry(foldLatin(body)), GIVEN_NAME_FLAG);
}

/** Adds a part of the name, such as a nickname, to a list. Returns a space, which takes the place of this part in the name. */
function takeOut(list: string[], text: string): string {
  list.push(text);
  return ' ';
}

const newWord = (text: string, folded: string): Word => ({
  text,
  folded,
  prefix: '',
  isHyphenated: false,
  hasDot: false,
  isAfterDot: false,
});

function splitPlainWords(text: string): Word[] {
  const words: Word[] = [];
  for (const word of text.split(' ')) if (word) words.push(newWord(word, word.toLowerCase()));
  return words;
}

function splitWords(segment: string): Word[] {
  const readable = MAY_BE_HEBREW.test(segment) ? segment.replace(TYPED_GERESH, GERESH) : segment;
  return readable
    .replace(APOSTROPHES, '')
    .replaceAll('.', `. ${WORD_AFTER_DOT_MARKER}`)
    .replace(DASHES, ` ${HYPHENATED_WORD_MARKER}`)
    .split(BREAKS)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => {
      const hasDot = word.endsWith('.');
      const isAfterDot = word.startsWith(WORD_AFTER_DOT_MARKER);
      const text = word.slice(Number(isAfterDot), hasDot ? -1 : undefined);
      return { ...newWord(text, foldLatin(text)), hasDot, isAfterDot };
    });
}
