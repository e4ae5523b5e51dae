export declare const PRINTABLE_ASCII: RegExp;
/**
 * Tidies text without changing what it says: Unicode NFC, outer spaces off, runs of white space, control and
 * invisible characters (tabs, zero-width joiners, direction marks) become one space.
 */
export declare function clean(text: string): string;
/** `clean` for text that is known to be printable ASCII. */
export declare function squeeze(text: string): string;
/**
 * Text for comparing: `clean`, accents off, other scripts in Latin letters (any-ascii), lower case.
 * The result is printable ASCII. `Ñandú` → `nandu`, `Москва` → `moskva`, `Straße` → `strasse`.
 */
export declare function fold(text: string): string;
/** Decimal digits of every script as ASCII digits (`٤١٥` → `415`); all else stays. */
export declare function asciiDigits(text: string): string;
