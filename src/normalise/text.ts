import anyAscii from 'any-ascii';

export const PRINTABLE_ASCII_PATTERN = /^[\x20-\x7e]*$/;
const SPACES = /[\s\p{Cc}\p{Cf}]+/gu;
/**
 * Matches invisible characters within a word, which are removed: soft hyphens, zero-width spaces and joiners. Does not match where a new word begins
 * and a space replaces them: before a capital after a small letter, and for the zero-width non-joiner in a Persian name.
 */
const INVISIBLE_IN_WORD =
  /(?<=[\p{L}\p{M}])[\u200d\u00ad\u200b\u2060\ufeff]+(?=[\p{Ll}\p{Lo}\p{M}])|(?<=\p{Lu})[\u200d\u00ad\u200b\u2060\ufeff]+(?=\p{Lu})/gu;
const NOT_ASCII = /\P{ASCII}/u;
const DIGIT = /\p{Nd}/gu;
const SINGLE_DIGIT = /^\p{Nd}$/u;

/**
 * Length in UTF-16 units above which a text is too long for any field. A field has at most 254 characters, and NFC joins at most four characters of
 * two units into one.
 */
const MAX_LENGTH = 4 * 2 * 254;
/** Maximum length of a text for which `String.normalize` takes at most about 30 µs, whatever its content. */
const SHORT_LENGTH = 256;
/** Matches 31 combining marks in a row, more than a real letter has. The stream-safe format of Unicode (UAX #15) has the same limit. */
const TOO_MANY_MARKS = /[\p{M}\uff9e\uff9f]{31}/u;
const PIECES = /[^\p{M}\uff9e\uff9f]*[\p{M}\uff9e\uff9f]{0,30}/gu;

/**
 * Converts a text to a Unicode normal form in linear time. All other code calls this function, because `String.normalize` alone takes seconds for 64
 * KB of combining marks. Normalises a run of more than 30 marks in pieces of 30. Leaves a text that is too long for any field unchanged.
 */
export function toUnicodeNormalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (text.length > MAX_LENGTH) return text;
  if (text.length <= SHORT_LENGTH || !TOO_MANY_MARKS.test(text)) return text.normalize(form);
  return Array.from(text.matchAll(PIECES), ([piece]) => piece.normalize(form)).join('');
}

/** Removes the decimal zero of a whole number, which pandas writes in columns with empty cells: `17.0`. */
export function withoutDecimalZero(text: string): string {
  const whole = text.endsWith('.0') ? text.slice(0, -'.0'.length) : '';
  return /^\d+$/.test(whole) ? whole : text;
}

export function trimAndNormaliseToNfc(text: string): string {
  const trimmed = text.trim();
  return PRINTABLE_ASCII_PATTERN.test(trimmed) ? trimmed : toUnicodeNormalForm(trimmed, 'NFC');
}

/**
 * Converts a text to Unicode NFC with single spaces. Runs of white space, control and invisible characters become one space. Removes spaces at both
 * ends, and invisible characters within a word.
 */
export function collapseSpaces(text: string): string {
  if (PRINTABLE_ASCII_PATTERN.test(text)) return collapseAsciiSpaces(text);
  return toUnicodeNormalForm(replaceSpaces(text), 'NFC');
}

const replaceSpaces = (text: string): string =>
  text.replace(INVISIBLE_IN_WORD, '').replace(SPACES, ' ').trim();

/** Joins the non-empty lines of a text with commas. */
export function joinLinesWithCommas(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(', ');
}

/** Does the same as `collapseSpaces` for a text of printable ASCII characters. */
export function collapseAsciiSpaces(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes('  ') ? trimmed.replace(/ {2,}/g, ' ') : trimmed;
}

/**
 * Maximum number of characters of a text that are converted; the rest is cut off. It bounds the result, because one ligature may become eighteen
 * letters.
 */
const MAX_FOLDED_LENGTH = 512;

/**
 * Converts a text to printable ASCII for comparison: single spaces, lower case, no accents, other scripts as Latin letters (any-ascii). `Ñandú` →
 * `nandu`, `Москва` → `moskva`, `Straße` → `strasse`.
 */
export function foldToAscii(text: string): string {
  if (PRINTABLE_ASCII_PATTERN.test(text)) return collapseAsciiSpaces(text).toLowerCase();
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

/** Cache of the values of digit characters, of which Unicode has about 700. */
const DIGIT_VALUES = new Map<string, string>();

/**
 * Returns the value (0-9) of a digit character. Unicode has the ten digits of each script in a row, so the value is the distance to the row's first
 * digit. The 50 mathematical digits are five such rows.
 */
function digitValue(code: number): number {
  if (code < 0x80) return code - 0x30;
  let start = code;
  while (SINGLE_DIGIT.test(String.fromCodePoint(start - 1))) start -= 1;
  return (code - start) % 10;
}
