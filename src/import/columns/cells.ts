// Texts of cells: lists of phone numbers, rounded numbers, and values as they may be shown.
import { removePhoneExtension } from '../../normalise/phone.ts';

/** Separators that are never part of a phone number; Google writes ` ::: `. */
const SEPARATORS = /[;|\n]+| ::: /;
/** Separators that may be part of a phone number, the weakest first. */
const AMBIGUOUS_SEPARATORS = [/\s(?:und|and|et|y|e|oder|or|ou|o|i|en)\s|,|\s&\s/i, /\s\/\s/, /\//];
/** Labels next to phone numbers: `(privat)`, `mobil:`. */
const LABELS = /\([\p{L}][\p{L}. -]*\)|^\s*\p{L}[\p{L}. -]*:?/gu;
const PHONE = /^[+(\d][\d\s()./+-]*$/;
const LONGEST_PHONE_CELL = 320;
const FEWEST_DIGITS = 7;
const FEWEST_DIGITS_WITH_COUNTRY_CODE = 9;

/** Splits the phone numbers of a cell. `030/23125014` stays one number: a cell is split only if each part is a whole number. */
export const splitPhones = (cell: string): string[] =>
  cell
    .split(SEPARATORS)
    .flatMap((value) => splitAt(value, AMBIGUOUS_SEPARATORS))
    .map((value) => value.trim())
    .filter((value) => value !== '');

function splitAt(value: string, [separator, ...others]: readonly RegExp[]): string[] {
  if (separator === undefined || value.length > LONGEST_PHONE_CELL) return [value];
  const parts = value.split(separator);
  return (parts.length > 1 && parts.every(isWhole) ? parts : [value]).flatMap((part) =>
    splitAt(part, others),
  );
}

function isWhole(part: string): boolean {
  const number = removePhoneExtension(part.replace(LABELS, '')).trim();
  const digits = number.replace(/\D/g, '').replace(/^00/, '').length;
  const isAbroad = /^\(?(?:\+|00)/.test(number);
  return PHONE.test(number) && digits >= (isAbroad ? FEWEST_DIGITS_WITH_COUNTRY_CODE : FEWEST_DIGITS);
}

/** Reason for a number of which a spreadsheet kept the first digits only. */
export const ROUNDED_NUMBER_REASON = 'has lost digits';

/** True for a number that a spreadsheet rounded: `4.91712E+11`. It cannot be used as a phone number or id. */
export const isRoundedNumber = (text: string): boolean => /^'?[+-]?\d(?:[.,]\d+)?[eE]\+\d{2,3}$/.test(text);

/** Returns a text on one line, trimmed, without invisible characters, and without control characters, which a terminal would execute. */
export const toPlainText = (text: string): string => text.replace(/\p{C}+/gu, ' ').trim();

const DIALLED = /^[+(\d][\d\s()./+*-]*$/;
const FEWEST_DIALLED = 7;

/** True if a text contains an e-mail, or is a phone number. */
export const isContactLike = (text: string): boolean =>
  text.includes('@') || (DIALLED.test(text) && text.replace(/\D/g, '').length >= FEWEST_DIALLED);

/** Returns a record id or source name in the form for output: masked if it looks like a contact. */
export const toDisplayName = (text: string): string =>
  isContactLike(text) ? maskValue(text) : toPlainText(text);

const LONGEST_SHOWN = 28;

/**
 * Masks a value: letters become `x` or `X`, digits `9`; only the signs of contacts and dates remain. `Jane.Doe@example.com` →
 * `Xxxx.Xxx@xxxxxxx.xxx`.
 */
export function maskValue(value: string): string {
  const shape = value
    .slice(0, LONGEST_SHOWN)
    .replace(/\p{Lu}/gu, 'X')
    .replace(/[\p{L}\p{M}]/gu, (letter) => (letter === 'X' ? letter : 'x'))
    .replace(/\p{N}/gu, '9')
    .replace(/[^xX9@.,:;+()/#&' -]/gu, '·');
  return value.length > LONGEST_SHOWN ? `${shape}…` : shape;
}

/** Names of the HTML entities of U+00A0 to U+00FF, in order. */
const LATIN_ENTITIES =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...LATIN_ENTITIES.map((name, i) => [name, String.fromCodePoint(0xa0 + i)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", rsquo: '’', lsquo: '‘', ndash: '–' }),
]);
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([A-Za-z]{2,6}\d{0,2}));/g;
const LAST_CODE_POINT = 0x10ffff;

/** Returns a text of a website's export with its HTML entities decoded: `O&#039;Brien`, `K&ouml;ln`. Unknown entities stay. */
export function decodeHtmlEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES.get(name) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity;
  });
}
