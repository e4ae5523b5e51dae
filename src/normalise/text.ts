import anyAscii from 'any-ascii';

export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const SPACES = /[\s\p{Cc}\p{Cf}]+/gu;
const NOT_ASCII = /\P{ASCII}/u;
const DIGIT = /\p{Nd}/gu;
const SINGLE_DIGIT = /^\p{Nd}$/u;

/**
 * Tidies text without changing what it says: Unicode NFC, outer spaces off, runs of white space, control and
 * invisible characters (tabs, zero-width joiners, direction marks) become one space.
 */
export function clean(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return squeeze(text);
  return text.normalize('NFC').replace(SPACES, ' ').trim();
}

/** `clean` for text that is known to be printable ASCII. */
export function squeeze(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes('  ') ? trimmed.replace(/ {2,}/g, ' ') : trimmed;
}

/**
 * Text for comparing: `clean`, accents off, other scripts in Latin letters (any-ascii), lower case.
 * The result is printable ASCII. `Ñandú` → `nandu`, `Москва` → `moskva`, `Straße` → `strasse`.
 */
export function fold(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return squeeze(text).toLowerCase();
  return clean(anyAscii(clean(text).normalize('NFKC'))).toLowerCase();
}

/** Decimal digits of every script as ASCII digits (`٤١٥` → `415`); all else stays. */
export function asciiDigits(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text.replace(DIGIT, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** Unicode keeps a script's digits together, ten by ten (the mathematical ones are 50 in a row): count back to the start. */
function digitValue(code: number): number {
  if (code < 0x80) return code - 0x30;
  let start = code;
  while (SINGLE_DIGIT.test(String.fromCodePoint(start - 1))) start -= 1;
  return (code - start) % 10;
}
