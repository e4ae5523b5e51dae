// Scripts of characters, and folding of Latin text to the letters a-z.
import { toUnicodeNormalForm } from '../normalise/text.ts';
import { parseTextMap } from './tables.ts';

export type Script =
  | 'latin'
  | 'cyrillic'
  | 'greek'
  | 'han'
  | 'kana'
  | 'hangul'
  | 'arabic'
  | 'hebrew'
  | 'thai'
  | 'other';

/** Returns the script of one Unicode code point. `other` means a script without own rules. */
function scriptOfCodePoint(code: number): Script {
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return 'latin';
  if (code < 0x370) return 'latin';
  if (code < 0x400) return 'greek';
  if (code < 0x530) return 'cyrillic';
  if (code >= 0x590 && code < 0x600) return 'hebrew';
  if ((code >= 0x600 && code < 0x780) || (code >= 0xfb50 && code < 0xff00)) return 'arabic';
  if (code >= 0xe00 && code < 0xe80) return 'thai';
  if (code >= 0x1f00 && code < 0x2000) return 'greek';
  if (code >= 0x3040 && code < 0x3100) return 'kana';
  if (code === 0x3005 || (code >= 0x3400 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00)) return 'han';
  if (code >= 0x20000 && code < 0x32000) return 'han';
  if (code >= 0xac00 && code < 0xd7b0) return 'hangul';
  return 'other';
}

/** Latin letters that do not consist of a letter a-z and an accent, and their replacements. */
const SPECIAL_LETTERS = parseTextMap(`
  ß ss  æ ae  œ oe  ø o  ł l  đ d  ð d  þ th  ı i  ħ h  ə a  ŋ ng  ɓ b  ɗ d  ɖ d  ƙ k  ƴ y  ŧ t  ĸ k
`);
const FOLDED = /^[a-z]*$/;

/**
 * Returns the Latin letters of a text as lower-case a-z. Accents are removed, special letters are spelt out (`ø` -> `o`, `ß` -> `ss`), all other
 * characters are dropped.
 */
export function foldLatin(text: string): string {
  const lower = text.toLowerCase();
  if (FOLDED.test(lower)) return lower;
  let folded = '';
  for (const c of toUnicodeNormalForm(lower, 'NFKD')) {
    if (c >= 'a' && c <= 'z') folded += c;
    else folded += SPECIAL_LETTERS.get(c) ?? '';
  }
  return folded;
}

/** Returns the script of the first letter of a text. Returns `latin` for a text without letters. */
export function detectScript(text: string): Script {
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0;
    if (code < 0x250) {
      if ((code | 32) >= 97 && (code | 32) <= 122) return 'latin';
      continue;
    }
    if (/\p{L}/u.test(c)) return scriptOfCodePoint(code);
  }
  return 'latin';
}
