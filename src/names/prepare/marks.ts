// Text -> the words between its commas; what stands in quotation marks and brackets is taken out.
import { toNormalForm } from '../../normalise/text.ts';
import { foldLatin } from '../script.ts';
import { BIRTH_NAME, DOTTED_DEGREE, ELDER, INLINE_BIRTH_NAME, YOUNGER } from '../title-words.ts';
import { POINTING } from '../traditions/index.ts';
import type { Word } from '../types.ts';

/** A text taken apart by its marks. */
export interface MarkedText {
  /** Words between two commas. */
  segments: Word[][];
  /** Nicknames in quotation marks, names in brackets. */
  extras: string[];
  /** Birth or former names in brackets after née, geb., born. */
  former: string[];
}

const MAX_LENGTH = 250;
/** Nearly every name: no mark to be read, nothing to be folded but capitals. */
const PLAIN = /^[a-z ]*$/i;
/** How most words for the elder and the younger end: what tells them for sure costs more. */
const ELDERS = /(?:sen\.|jun\.|[jä]\.|[tg]ere|elder|younger) *(?:,|$)/i;
const ASCII = /^[ -~]*$/;
const QUOTED = /["“”„«»]([^"“”„«»]{1,60})["“”«»]|(?<=^|\s)['‘]([^'’]{1,40})['’](?=\s|$|,)/gu;
const BRACKETED = /[([（]([^()（）[\]]{0,80})[)\]）]/gu;
const BREAKS = /[\s\u00b7\u2022\u2027\u30fb\uff65=/_|+&;:!?*#@~^<>{}\\$%]+/u;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d-]/gu;
const APOSTROPHES = /['’‘ʼʻ`´ʿʾʹ′＇]/gu;
/** Marks a word that follows a hyphen, until the words of a segment are known. */
export const TIE = '\u0002';

/** Takes a text apart. Only its first 250 characters are read. */
export function readMarks(text: string): MarkedText {
  const found: MarkedText = { segments: [], extras: [], former: [] };
  const plain = PLAIN.test(text);
  let rest = plain ? text.slice(0, MAX_LENGTH) : legible(text);
  if (!plain) rest = takeOut(rest, found);
  rest = rest.replace(INLINE_BIRTH_NAME, (_, name: string) => keep(found.former, name));
  if (ELDERS.test(rest)) rest = rest.replace(ELDER, 'senior').replace(YOUNGER, 'junior');
  if (rest.includes('.') || rest.includes(',')) rest = rest.replace(DOTTED_DEGREE, ' ');
  found.segments = plain ? [plainWords(rest)] : rest.split(/[,，、،]/).map(words);
  return found;
}

/** In one Unicode form, without the signs that only help in reading. */
function legible(text: string): string {
  if (ASCII.test(text)) return text.slice(0, MAX_LENGTH);
  // Eight units become one at most, so what is cut off before could not be among the first. An accent that stands alone is an
  // apostrophe to whoever typed it, and would become a blank.
  const form = toNormalForm(text.slice(0, 8 * MAX_LENGTH).replaceAll('\u00b4', "'"), 'NFKC');
  let rest = form.slice(0, MAX_LENGTH).replaceAll(TIE, ' ');
  for (const pointing of POINTING) rest = rest.replace(pointing, '');
  return rest;
}

function takeOut(text: string, found: MarkedText): string {
  let rest = text;
  if (/["“”„«»'‘]/.test(rest)) rest = rest.replace(QUOTED, (_, a, b) => keep(found.extras, a ?? b));
  if (/[([（]/.test(rest)) rest = rest.replace(BRACKETED, (_, inner: string) => bracket(found, inner));
  return rest;
}

/** Keeps what is taken out; a blank stands in its place. */
function keep(list: string[], inner: string): string {
  list.push(inner);
  return ' ';
}

function bracket(found: MarkedText, inner: string): string {
  const body = inner.trim();
  if (BIRTH_NAME.test(body)) return keep(found.former, body.replace(BIRTH_NAME, ''));
  return body ? keep(found.extras, body) : ' ';
}

/** A word between blanks, before it is known what stands around it. */
const newWord = (text: string, folded: string): Word => ({ text, folded, prefix: '', tied: false });

function plainWords(text: string): Word[] {
  const list: Word[] = [];
  for (const word of text.split(' ')) if (word) list.push(newWord(word, word.toLowerCase()));
  return list;
}

function words(segment: string): Word[] {
  return segment
    .replace(APOSTROPHES, '')
    .replaceAll('.', ' ')
    .replace(DASHES, ` ${TIE}`)
    .split(BREAKS)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((text) => newWord(text, foldLatin(text)));
}
