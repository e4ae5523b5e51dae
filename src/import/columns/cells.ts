// Several phones in one cell, as people write them beside each other.
import { removeExtension } from '../../normalise/phone.ts';

/** What parts them whatever stands between; Google writes ` ::: `. */
const SURELY = /[;|\n]+| ::: /;
/** What may part them, and may be a part of one: the loosest first. */
const PERHAPS = [/\s(?:und|and|et|y|e|oder|or|ou|o|i|en)\s|,|\s&\s/i, /\s\/\s/, /\//];
/** `(privat)`, `mobil:`. */
const LABELS = /\([\p{L}][\p{L}. -]*\)|^\s*\p{L}[\p{L}. -]*:?/gu;
const PHONE = /^[+(\d][\d\s()./+-]*$/;
/** No cell of phones is longer. */
const LONGEST = 320;
const FEWEST_DIGITS = 7;
/** With the country's. */
const FEWEST_ABROAD = 9;

/** The phones of a cell. `030/23125014` is one: apart are only such as are whole numbers each. */
export const splitPhones = (cell: string): string[] =>
  cell
    .split(SURELY)
    .flatMap((value) => apart(value, PERHAPS))
    .map((value) => value.trim())
    .filter((value) => value !== '');

function apart(value: string, [sign, ...others]: readonly RegExp[]): string[] {
  if (sign === undefined || value.length > LONGEST) return [value];
  const parts = value.split(sign);
  return (parts.length > 1 && parts.every(isWhole) ? parts : [value]).flatMap((part) => apart(part, others));
}

function isWhole(part: string): boolean {
  const number = removeExtension(part.replace(LABELS, '')).trim();
  const digits = number.replace(/\D/g, '').replace(/^00/, '').length;
  const isAbroad = /^\(?(?:\+|00)/.test(number);
  return PHONE.test(number) && digits >= (isAbroad ? FEWEST_ABROAD : FEWEST_DIGITS);
}

// Numbers as spreadsheets write those that are too long for a cell.

/** Why a number cannot be used of which only the first digits are left. */
export const ROUNDED_NUMBER = 'has lost digits';

/** Whether a text is such a number: `4.91712E+11`. It is no phone and no id any more. */
export const isRoundedNumber = (text: string): boolean => /^'?[+-]?\d(?:[.,]\d+)?[eE]\+\d{2,3}$/.test(text);

/** A text of a file without what a terminal takes for an order: control characters and invisible ones. One line, trimmed. */
export const toPlainText = (text: string): string => text.replace(/\p{C}+/gu, ' ').trim();

// Ids and names of sources on a screen: a file may have somebody's e-mail or number in their place.
const DIALLED = /^[+(\d][\d\s()./+*-]*$/;
const FEWEST_DIALLED = 7;

/** Whether a text is, or holds, somebody's e-mail or phone. */
export const isContactLike = (text: string): boolean =>
  text.includes('@') || (DIALLED.test(text) && text.replace(/\D/g, '').length >= FEWEST_DIALLED);

/** A name as it may stand on a screen: what looks like a contact is masked. */
export const toDisplayName = (text: string): string =>
  isContactLike(text) ? maskValue(text) : toPlainText(text);

const LONGEST_SHOWN = 28;

/** The shape of a value: letters are `x` or `X`, digits `9`, and only the signs of contacts and dates stay. `Jane.Doe@example.com` → `Xxxx.Xxx@xxxxxxx.xxx`. */
export function maskValue(value: string): string {
  const shape = value
    .slice(0, LONGEST_SHOWN)
    .replace(/\p{Lu}/gu, 'X')
    .replace(/[\p{L}\p{M}]/gu, (letter) => (letter === 'X' ? letter : 'x'))
    .replace(/\p{N}/gu, '9')
    .replace(/[^xX9@.,:;+()/#&' -]/gu, '·');
  return value.length > LONGEST_SHOWN ? `${shape}…` : shape;
}
