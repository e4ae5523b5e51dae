// Several phones in one cell, as people write them beside each other.
import { withoutExtension } from '../../../normalise/phone.ts';

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
export const phonesIn = (cell: string): string[] =>
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
  const number = withoutExtension(part.replace(LABELS, '')).trim();
  const digits = number.replace(/\D/g, '').replace(/^00/, '').length;
  const isAbroad = /^\(?(?:\+|00)/.test(number);
  return PHONE.test(number) && digits >= (isAbroad ? FEWEST_ABROAD : FEWEST_DIGITS);
}
