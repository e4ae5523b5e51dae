import anyAscii from 'any-ascii';

export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const SPACES = /[\s\p{Cc}\p{Cf}]+/gu;
/**
 * Within a word nobody sees them: soft hyphens, zero-width spaces and joiners. Before a capital after a small letter another word begins;
 * the one that Persian puts between the parts of a name is left.
 */
const UNSEEN =
  /(?<=[\p{L}\p{M}])[\u200d\u00ad\u200b\u2060\ufeff]+(?=[\p{Ll}\p{Lo}\p{M}])|(?<=\p{Lu})[\u200d\u00ad\u200b\u2060\ufeff]+(?=\p{Lu})/gu;
const NOT_ASCII = /\P{ASCII}/u;
const DIGIT = /\p{Nd}/gu;
const SINGLE_DIGIT = /^\p{Nd}$/u;

/** In UTF-16 units: longer than this, a text breaks every limit, because NFC makes one character of four at most, of two units each. */
const LONGEST = 4 * 2 * 254;
/** Short enough for whatever `String.normalize` makes of it: some 30 µs. */
const SHORT = 256;
/** More marks than one letter may carry. The stream-safe format of Unicode (UAX #15) draws its line there too. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{31}/u;
const PIECES = /[^\p{M}\uff9e\uff9f]*[\p{M}\uff9e\uff9f]{0,30}/gu;

/**
 * Text in a Unicode normal form, in linear time: the one place that calls `String.normalize`, which takes seconds for 64 KB of combining
 * marks. Of more than 30 marks in a row every 30 are put in order by themselves; a text beyond every limit stays as it is.
 */
export function toNormalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (text.length > LONGEST) return text;
  if (text.length <= SHORT || !LONG_RUN.test(text)) return text.normalize(form);
  return Array.from(text.matchAll(PIECES), ([piece]) => piece.normalize(form)).join('');
}

/** Unicode NFC, outer spaces off. */
export function trimToNfc(text: string): string {
  const trimmed = text.trim();
  return PRINTABLE_ASCII.test(trimmed) ? trimmed : toNormalForm(trimmed, 'NFC');
}

/**
 * Tidies text without changing what it says: Unicode NFC, outer spaces off, runs of white space, control and
 * invisible characters (tabs, direction marks) become one space, and those within a word go.
 */
export function collapseSpaces(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return collapseAsciiSpaces(text);
  return toNormalForm(spaced(text), 'NFC');
}

const spaced = (text: string): string => text.replace(UNSEEN, '').replace(SPACES, ' ').trim();

/** The lines of a text as one, apart by commas; blank ones left out. */
export function joinLines(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(', ');
}

/** `clean` for text that is known to be printable ASCII. */
export function collapseAsciiSpaces(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes('  ') ? trimmed.replace(/ {2,}/g, ' ') : trimmed;
}

/** Letters that are worth comparing: one ligature may stand for eighteen. */
const MOST_COMPARED = 512;

/**
 * Text for comparing: `clean`, accents off, other scripts in Latin letters (any-ascii), lower case.
 * The result is printable ASCII. `Ñandú` → `nandu`, `Москва` → `moskva`, `Straße` → `strasse`.
 */
export function foldToAscii(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return collapseAsciiSpaces(text).toLowerCase();
  const form = toNormalForm(spaced(text), 'NFKC');
  return collapseSpaces(anyAscii(form.slice(0, MOST_COMPARED))).toLowerCase();
}

/** Decimal digits of every script as ASCII digits (`٤١٥` → `415`); all else stays. */
export function toAsciiDigits(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text.replace(DIGIT, (digit) => {
    let value = VALUES.get(digit);
    if (value === undefined) VALUES.set(digit, (value = String(digitValue(digit.codePointAt(0) ?? 0))));
    return value;
  });
}

/** Digits met so far; Unicode has some 700. */
const VALUES = new Map<string, string>();

/** Unicode keeps a script's digits together, ten by ten (the mathematical ones are 50 in a row): count back to the start. */
function digitValue(code: number): number {
  if (code < 0x80) return code - 0x30;
  let start = code;
  while (SINGLE_DIGIT.test(String.fromCodePoint(start - 1))) start -= 1;
  return (code - start) % 10;
}
