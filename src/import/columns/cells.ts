// Texts of cells: lists of e-mails and phone numbers, rounded numbers, and values as they may be shown.
import { findNonPersonNameType, isKnownNameWord, isTitleWord } from '../../names/index.ts';
import {
  MAX_PHONE_TEXT,
  MIN_PHONE_DIGITS,
  MIN_PHONE_DIGITS_WITH_COUNTRY_CODE,
  removePhoneExtension,
} from '../../normalise/phone.ts';
import { INPUT_LIMITS } from '../formats/limits.ts';
import { hasOnlyKnownHeaderWords } from './by-words.ts';
import { isEmptyMarker } from './persons.ts';
import { headerWordHasMeaning, toComparableHeader } from './words.ts';

/** Separators between phone numbers that no phone number contains. Google writes ` ::: `. */
const SEPARATORS = /[;|\n]+| ::: /;
/** Separators between phone numbers that may also be inside a number, from the least to the most likely inside one. */
const AMBIGUOUS_SEPARATORS = [/\s(?:und|and|et|y|e|oder|or|ou|o|i|en)\s|,|\s&\s/i, /\s\/\s/, /\//];
/** Labels next to phone numbers: `(privat)`, `mobil:`. */
const LABELS = /\([\p{L}][\p{L}. -]*\)|^\s*\p{L}[\p{L}. -]*:?/gu;
const PHONE = /^[+(\d][\d\s()./+-]*$/;

/** Splits a cell into its phone numbers. A cell is split only if each part is a complete number: `030/23125014` stays one number. */
export const splitCellIntoPhones = (cell: string): string[] =>
  cell
    .split(SEPARATORS)
    .flatMap((value) => splitAt(value, AMBIGUOUS_SEPARATORS))
    .map((value) => value.trim())
    .filter((value) => value !== '');

const AREA_CODE = /^\(?0?[1-9]\d{1,4}\)?$/;

/** Adds an area code to a phone number that has at most eight digits (in Brazil nine) and no first zero. Returns any other number unchanged. */
export function addAreaCode(phone: string, areaCode: string): string {
  const digits = phone.replace(/\D/g, '');
  const isLocal = /^[1-9]\d{3,7}$/.test(digits) || (/^9\d{8}$/.test(digits) && /^\d{2}$/.test(areaCode));
  return isLocal && AREA_CODE.test(areaCode) && !phone.startsWith('+') ? `${areaCode} ${phone}` : phone;
}

function splitAt(value: string, [separator, ...others]: readonly RegExp[]): string[] {
  if (separator === undefined || value.length > MAX_PHONE_TEXT) return [value];
  const parts = value.split(separator);
  return (parts.length > 1 && parts.every(isWhole) ? parts : [value]).flatMap((part) =>
    splitAt(part, others),
  );
}

function isWhole(part: string): boolean {
  const number = removePhoneExtension(part.replace(LABELS, '')).trim();
  const digits = number.replace(/\D/g, '').replace(/^00/, '').length;
  const isAbroad = /^\(?(?:\+|00)/.test(number);
  return PHONE.test(number) && digits >= (isAbroad ? MIN_PHONE_DIGITS_WITH_COUNTRY_CODE : MIN_PHONE_DIGITS);
}

/** Matches separators between e-mails that no e-mail contains. Google writes ` ::: `. */
const EMAIL_SEPARATORS = /[;|\n]+|:::/;
/** Addresses of other services next to e-mails. Active Directory writes `SMTP:ann@example.com;X500:/o=…`. */
const NO_EMAIL = /^(?:x[45]00|sip|eum|notes|ccmail):/i;

/** Splits a cell at the separators of e-mails. Commas and spaces, which may be inside a part, stay. */
export const splitCellIntoEmails = (cell: string): string[] =>
  cell
    .split(EMAIL_SEPARATORS)
    .map((value) => value.trim())
    .filter((value) => value !== '' && !NO_EMAIL.test(value));

/**
 * Splits the values in one cell at semicolons, bars and line breaks (Google: ` ::: `). E-mails are also split at commas and spaces, phones as in
 * `splitCellIntoPhones`.
 */
export function splitCell(cell: string, field: string): string[] {
  if (field === 'phone') return splitCellIntoPhones(cell);
  // The words of a remark in a column of e-mails are one unusable value.
  if (field === 'email' && !cell.includes('@')) return [cell];
  if (field === 'email') return splitCellIntoEmails(cell).flatMap(splitEmails);
  return splitAtPattern(cell, /[;|\n]+| ::: /);
}

/** Removes the e-mails or phones of relatives from a cell: `ann@example.com, bo@example.com (son)`. Cells of names stay unchanged. */
export function withoutContactsOfRelatives(cell: string, field: string): string {
  if (field === 'name' || !/[\s:(]/.test(cell)) return cell;
  const parts = field === 'phone' ? splitCellIntoPhones(cell) : splitAtPattern(cell, /[;|\n,]+/);
  const own = parts.filter((part) => !isContactOfRelative(part));
  return own.length === parts.length ? cell : own.join(';');
}

const splitAtPattern = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((value) => value.trim())
    .filter((value) => value !== '');

/**
 * Splits e-mails at commas and spaces. A text such as `jane. doe@example.com`, `jane,doe@example.com` or `jane .doe@example.com` stays whole: its last
 * part is probably another person's address. Other words before an e-mail are the name of its owner: `Ann Lee a@example.com`.
 */
function splitEmails(text: string): string[] {
  const values = splitAtPattern(text, /[,\s]+/);
  // `Ann Lee <ann@example.com>`: the words of the name are no e-mails.
  if (/<[^<>\s@]+@[^<>\s]+>/.test(text)) return values.filter((value) => value.includes('@'));
  // Text between each value and the next one.
  const separators = text.replace(/^[,\s]+/, '').match(/[,\s]+/g) ?? [];
  const isTorn = values.some((value, i) => {
    const next = values[i + 1] ?? '';
    if (value.includes('@') || !next.includes('@') || mayPrecedeEmail(value)) return false;
    const before = values[i - 1] ?? '';
    const isOnlyWord = before.includes('@') || mayPrecedeEmail(before);
    return (isOnlyWord && value.endsWith('.')) || /^[.@]/.test(next) || separators[i] === ',';
  });
  return isTorn ? [text.trim()] : values;
}

const BEFORE_EMAIL =
  /^(?:\P{L}*|.*[:=]|\(.*\)|.*\)|\d{1,2}[.)]|(?:alt|bus|gesch|pers|prim|priv|sec)\.|und|bzw\.?|and|et|y|e|oder|or|ou|o|i|en|og|och|ja|и|или)$/isu;

/** True for a text before an e-mail that is no part of the e-mail: a label, the number of a list item, `und`. */
const mayPrecedeEmail = (text: string): boolean =>
  BEFORE_EMAIL.test(text) || isEmptyMarker(text) || hasOnlyKnownHeaderWords(text);

/**
 * True if the words beside an e-mail or phone name a relative, whose contact it is: `(mum)`, `Mutter: …`, `Ann's dad`. A word that may be a name or a
 * title (`Son`, `Frau`) counts only in lower case or among words of headers: `Frau Brandt` is no relative.
 */
function isContactOfRelative(text: string): boolean {
  const label = text
    .split(/[\s():<>[\],]+/)
    .filter((word) => word !== '' && !/[@\p{Nd}]/u.test(word))
    .join(' ');
  const words = toComparableHeader(label).match(/\p{L}+/gu) ?? [];
  const written = label.match(/[\p{L}\p{M}]+/gu) ?? [];
  const isRelative = (word: string) => headerWordHasMeaning(word, 'relative');
  if (!words.some(isRelative)) return false;
  const isCertain = (word: string, i: number) =>
    isRelative(word) &&
    !isTitleWord(word) &&
    (!isKnownNameWord(word) || written[i] === written[i]?.toLowerCase());
  return (
    words.some(isCertain) || hasOnlyKnownHeaderWords(label) || findNonPersonNameType(label) === 'relation'
  );
}

/** Reason for leaving out a cell that has more text than the values of one person. Taking such a cell apart could take seconds. */
export const TOO_LONG_CELL_REASON = `is in a cell of more than ${INPUT_LIMITS.cellLength} characters`;

export const isCellTooLong = (cell: string | undefined): boolean =>
  cell !== undefined && cell.length > INPUT_LIMITS.cellLength;

/** Rejection reason for a number of which a spreadsheet kept only the first digits. */
export const SPREADSHEET_ROUNDED_NUMBER_REASON = 'has lost digits';

/** Reason for leaving out a phone number without its area code. */
export const NO_AREA_CODE_REASON = 'lacks its area code';

const WITH_EXPONENT = /^'?([+-]?)(\d)(?:[.,](\d+))?[eE]\+(\d{2,3})$/;
/** Number of digits that a spreadsheet stores. */
const STORED_DIGITS = 15;

/** Returns the digits of a positive number with an exponent that shows all of them: `4.917061669091E+12`. Null for other texts. */
function digitsOfWholeNumber(text: string): string | null {
  const [, sign, first = '', others = '', exponent] = WITH_EXPONENT.exec(text) ?? [];
  return sign !== '-' && others.length === Number(exponent) && others.length < STORED_DIGITS
    ? first + others
    : null;
}

/** True for a number that a spreadsheet rounded, such as `4.91712E+11`. Rounded phone numbers and ids cannot be used. */
export const isSpreadsheetRoundedNumber = (text: string): boolean =>
  WITH_EXPONENT.test(text) && digitsOfWholeNumber(text) === null;

/** Writes a number with an exponent that shows all digits as a whole number. Other texts stay unchanged. */
export const expandExponent = (text: string): string =>
  text.includes('+') ? (digitsOfWholeNumber(text) ?? text) : text;

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
