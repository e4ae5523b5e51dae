// Texts of cells: lists of phone numbers, rounded numbers, and values as they may be shown.
import { removePhoneExtension } from '../../normalise/phone.ts';

/** Separators between phone numbers that no phone number contains. Google writes ` ::: `. */
const SEPARATORS = /[;|\n]+| ::: /;
/** Separators between phone numbers that may also be inside a number, from the least to the most likely inside one. */
const AMBIGUOUS_SEPARATORS = [/\s(?:und|and|et|y|e|oder|or|ou|o|i|en)\s|,|\s&\s/i, /\s\/\s/, /\//];
/** Labels next to phone numbers: `(privat)`, `mobil:`. */
const LABELS = /\([\p{L}][\p{L}. -]*\)|^\s*\p{L}[\p{L}. -]*:?/gu;
const PHONE = /^[+(\d][\d\s()./+-]*$/;
const LONGEST_PHONE_CELL = 320;
const FEWEST_DIGITS = 7;
const FEWEST_DIGITS_WITH_COUNTRY_CODE = 9;

/** Splits a cell into its phone numbers. A cell is split only if each part is a complete number: `030/23125014` stays one number. */
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

const countDigits = (text: string): number => text.replace(/\P{Nd}/gu, '').length;

/** Label with a number of its own before a phone number: `Tel. 2: 030 23125014`. In `Tel. 02.1234567`, the digits are of the phone number. */
const NUMBERED_LABEL = /^\p{L}[\p{L}. ]{0,20}[1-9] ?(?:[:)]|\.(?!\d))/u;
/** Pauses and digits that a phone dials after the number: `,,12#`, `p12`, `w12`. */
const DIALLED_LATER = /,,|(?<=\d)[pw](?=\d)/i;
/** Words for an extension that is not part of the number, besides those of `removePhoneExtension`. */
const EXTENSION_WORD =
  /(?<!\p{L})(?:dw|durchwahl|nebenstelle|nst|app|apparat|klappe|opt|option|poste|int|interno|wew|ramal|anexo|toestel|tst|anknytning|dahili|вн|转|轉|分机|分機|内線|내선)(?!\p{L})/iu;
/** Last digits of a second number that begins like the first: `/89` in `030 5550188/89`. */
const OTHER_END = /[/,] ?(\d{1,4})$/;

/**
 * Returns a phone number without the extension, the pauses, the remark in brackets and the end of a second number after it. Null if words are
 * between its digits (`0341 5550142 nach 18 Uhr`): the last ones may not belong to the number.
 */
export function removePhoneRemarks(text: string): string | null {
  if (text.length > LONGEST_PHONE_CELL) return text;
  let number = text.replace(NUMBERED_LABEL, '').trim();
  const cutAt = (index: number) => {
    const head = index < 0 ? number : number.slice(0, index).trim();
    if (countDigits(head) >= FEWEST_DIGITS) number = head;
  };
  const bracket = number.endsWith(')') ? number.lastIndexOf('(') : -1;
  const inside = number.slice(bracket);
  if (countDigits(inside) < (/\p{L}/u.test(inside) ? FEWEST_DIGITS : 3)) cutAt(bracket);
  cutAt(number.search(DIALLED_LATER));
  cutAt(number.search(EXTENSION_WORD));
  number = removePhoneExtension(number).trim();
  const end = OTHER_END.exec(number);
  if (end && isEndOfOther(end[1] ?? '', number.slice(0, end.index))) cutAt(end.index);
  const between = number
    .split(/\p{Nd}/u)
    .slice(1, -1)
    .join('');
  return /\p{L}/u.test(between) ? null : number;
}

/** True if the last digits after a slash or comma are of a second number, and no group of the first: `030/55501/88`. */
function isEndOfOther(end: string, number: string): boolean {
  const group = number.slice(Math.max(number.lastIndexOf('/'), number.lastIndexOf(',')) + 1);
  const isLong = countDigits(number) >= (end.length > 2 ? FEWEST_DIGITS_WITH_COUNTRY_CODE : FEWEST_DIGITS);
  return isLong && countDigits(group) > end.length + 3;
}

/** Rejection reason for a number of which a spreadsheet kept only the first digits. */
export const SPREADSHEET_ROUNDED_NUMBER_REASON = 'has lost digits';

/** True for a number that a spreadsheet rounded, such as `4.91712E+11`. Rounded phone numbers and ids cannot be used. */
export const isSpreadsheetRoundedNumber = (text: string): boolean =>
  /^'?[+-]?\d(?:[.,]\d+)?[eE]\+\d{2,3}$/.test(text);

/** Removes the decimal zero of a whole number, which pandas writes in columns with empty cells: `17.0`. */
export function withoutDecimalZero(text: string): string {
  const whole = text.endsWith('.0') ? text.slice(0, -'.0'.length) : '';
  return /^\d+$/.test(whole) ? whole : text;
}

/** Removes line breaks, invisible characters and control characters from a text, and trims it. A terminal would execute control characters. */
export const toPlainText = (text: string): string => text.replace(/\p{C}+/gu, ' ').trim();

const DIALLED = /^[+(\d][\d\s()./+*-]*$/;
const FEWEST_DIALLED = 7;

/** True if a text contains an e-mail address or is a phone number. */
export const isContactLike = (text: string): boolean =>
  text.includes('@') || (DIALLED.test(text) && text.replace(/\D/g, '').length >= FEWEST_DIALLED);

/** Returns a record id or source name for output. A name that looks like an e-mail or a phone is masked. */
export const maskIfContactLike = (text: string): string =>
  isContactLike(text) ? maskValue(text) : toPlainText(text);

const LONGEST_SHOWN = 28;

/**
 * Masks a value for output: letters become `x` or `X`, digits become `9`. Punctuation of e-mails, phones and dates stays: `Jane.Doe@example.com`
 * → `Xxxx.Xxx@xxxxxxx.xxx`.
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

/** Names of the HTML entities for the characters U+00A0 to U+00FF, in this order. */
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

/** Decodes HTML entities, which exports of websites contain: `O&#039;Brien`, `K&ouml;ln`. Unknown entities stay as they are. */
export function decodeHtmlEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES.get(name) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity;
  });
}
