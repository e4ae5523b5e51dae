import anyAscii from 'any-ascii';

export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const SPACES = /[\s\p{Cc}\p{Cf}]+/gu;
/**
 * Invisible characters within a word: soft hyphens, zero-width spaces and joiners. They stay before a capital after a small letter, where a
 * new word begins, and the joiner between parts of a Persian name stays.
 */
const INVISIBLE_IN_WORD =
  /(?<=[\p{L}\p{M}])[\u200d\u00ad\u200b\u2060\ufeff]+(?=[\p{Ll}\p{Lo}\p{M}])|(?<=\p{Lu})[\u200d\u00ad\u200b\u2060\ufeff]+(?=\p{Lu})/gu;
const NOT_ASCII = /\P{ASCII}/u;
const DIGIT = /\p{Nd}/gu;
const SINGLE_DIGIT = /^\p{Nd}$/u;

/**
 * Length in UTF-16 units of a text that is longer than every limit: NFC joins at most four characters of two units each to one character.
 */
const MAX_LENGTH = 4 * 2 * 254;
/** Length up to which `String.normalize` takes at most some 30 µs for any text. */
const SHORT_LENGTH = 256;
/** More combining marks than one letter may have; the stream-safe format of Unicode (UAX #15) has the same limit. */
const TOO_MANY_MARKS = /[\p{M}\uff9e\uff9f]{31}/u;
const PIECES = /[^\p{M}\uff9e\uff9f]*[\p{M}\uff9e\uff9f]{0,30}/gu;

/**
 * Returns a text in a Unicode normal form, in linear time. `String.normalize` alone takes seconds for 64 KB of combining marks, so this is
 * the only place that calls it. Runs of more than 30 marks are normalised in pieces of 30; a text beyond every limit stays unchanged.
 */
export function toUnicodeNormalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (text.length > MAX_LENGTH) return text;
  if (text.length <= SHORT_LENGTH || !TOO_MANY_MARKS.test(text)) return text.normalize(form);
  return Array.from(text.matchAll(PIECES), ([piece]) => piece.normalize(form)).join('');
}

/** Returns a text in Unicode NFC without outer spaces. */
export function trimToNfc(text: string): string {
  const trimmed = text.trim();
  return PRINTABLE_ASCII.test(trimmed) ? trimmed : toUnicodeNormalForm(trimmed, 'NFC');
}

/**
 * Returns a text in Unicode NFC with single spaces: runs of white space, control and invisible characters become one space; outer spaces,
 * and invisible characters within a word, are removed.
 */
export function collapseSpaces(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return collapseAsciiSpaces(text);
  return toUnicodeNormalForm(replaceSpaces(text), 'NFC');
}

const replaceSpaces = (text: string): string =>
  text.replace(INVISIBLE_IN_WORD, '').replace(SPACES, ' ').trim();

/** Joins the lines of a text with commas. Empty lines are left out. */
export function joinLines(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(', ');
}

/** Variant of `collapseSpaces` for text that is printable ASCII. */
export function collapseAsciiSpaces(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes('  ') ? trimmed.replace(/ {2,}/g, ' ') : trimmed;
}

/** Maximum number of characters of a text that are compared. One ligature may become eighteen letters. */
const MAX_FOLDED_LENGTH = 512;

/**
 * Folds a text for comparing: single spaces, no accents, other scripts in Latin letters (any-ascii), lower case. The result is printable
 * ASCII: `Ñandú` → `nandu`, `Москва` → `moskva`, `Straße` → `strasse`.
 */
export function foldToAscii(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return collapseAsciiSpaces(text).toLowerCase();
  const form = toUnicodeNormalForm(replaceSpaces(text), 'NFKC');
  return collapseSpaces(anyAscii(form.slice(0, MAX_FOLDED_LENGTH))).toLowerCase();
}

/** Replaces the decimal digits of every script by ASCII digits (`٤١٥` → `415`). */
export function toAsciiDigits(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text.replace(DIGIT, (digit) => {
    let value = DIGIT_VALUES.get(digit);
    if (value === undefined) DIGIT_VALUES.set(digit, (value = String(digitValue(digit.codePointAt(0) ?? 0))));
    return value;
  });
}

/** Cache of the values of digit characters; Unicode has some 700 digits. */
const DIGIT_VALUES = new Map<string, string>();

/**
 * Returns the value of a digit. Unicode keeps the ten digits of a script together (50 mathematical digits are in a row), so the value is
 * the distance to the first digit.
 */
function digitValue(code: number): number {
  if (code < 0x80) return code - 0x30;
  let start = code;
  while (SINGLE_DIGIT.test(String.fromCodePoint(start - 1))) start -= 1;
  return (code - start) % 10;
}
