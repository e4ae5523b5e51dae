// Correction of a guess by the values of the column: a header may be too general, or wrong. Also chooses the column of
// record ids.
import { splitGivenAndFamilyName, prepareName } from '../../names/index.ts';
import { isValidNational } from '../../normalise/phone.ts';
import { withoutDecimalZero } from '../../normalise/text.ts';
import { splitCellIntoEmails, splitCellIntoPhones } from './cells.ts';
import {
  hasOnlyKnownHeaderWords,
  isContactPhoneHeader,
  isHeaderOfOtherPersonOrThing,
  isNumberOrAccountHeader,
} from './by-words.ts';
import {
  type ColumnField,
  type ColumnGuess,
  CONTACT_DATA_HEADER_PATTERN,
  OTHER_PERSON_OR_THING_HEADER_PATTERN,
  PHONE_HEADER_PATTERN,
  type TableColumn,
  toHeaderKey,
  UNIQUE_NUMBER_HEADERS,
} from './headers.ts';

/** Number of values in a column, and the share (0-1) of them that look like each type of value. */
export interface ColumnValueShares {
  count: number;
  email: number;
  /** Share (0-1) of values that are one or more e-mails. */
  emails: number;
  phone: number;
  /** Share (0-1) of values that are phone numbers with a country code, a leading zero or grouped digits. */
  dialled: number;
  /** Share (0-1) of values that are phone numbers with a country code. */
  abroad: number;
  /** Share (0-1) of values that contain nine digits or more. */
  long: number;
  date: number;
  /** Share (0-1) of values that are postcodes of India, in a file of India. */
  pin: number;
  /** True if all values are numbers of one length with leading zeros, such as the record numbers of SAP: `0001000017`. */
  isPadded: boolean;
  /** True if all of these numbers also begin with two zeros. Phone numbers of this length begin with one. */
  isPaddedTwice: boolean;
  /** True if the values may be serial numbers: `4000012345`, `4000012346`. Each row has another one, of the same length and with the same first half. */
  mayNumberRows: boolean;
  /** Share (0-1) of values that are valid phone numbers of the region, written without a country code. */
  readonly valid: number;
  /** Share (0-1) of values that contain two adjacent letters. */
  words: number;
  letters: number;
  digits: number;
  different: number;
}

const EMAIL = /^(?:[^\s@<>]*<)?[^\s@<>]+@[^\s@<>][^\s@<>.]*\.[^\s@<>]+>?$/;
const PHONE = /^'?(?:tel[.:]?|[a-z]{1,8}:)? ?[+(\d][\d\s()./+*-]*(?: ?(?:x|ext\.?|#) ?\d{1,6})?$/i;
/** Matches signs of a phone number, such as `+` or a leading zero. Digits alone may be any number. */
const DIALLED = /^'?(?:\+|0|\(|\d{1,5}[ ./-]\d)/;
const DATE =
  /^(?:19|20)\d\d(?:[./-]\d{1,2})?$|^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?=$|,? |T)|^\d{4}-?\d\d-?\d\d(?:T|$)|^\d{4}[年년]|^(?:明治|大正|昭和|平成|令和)|^\/Date\(|^\d{1,2}-\p{L}{3,12}-\d{2,4}$|^(?:\p{L}{3,12}\.?,? )?\d{1,2}\.? \p{L}{3,12}\.?,? \d{2,4}|^\p{L}{3,12}\.? \d{1,2},? \d{4}/u;
/** Dates as numbers: days of a spreadsheet (from 1990 on), or seconds or milliseconds since 1970. */
const COUNTED_DATE = /^(?:3[3-9]|4\d)\d{3}(?:\.\d+)?$|^1\d{9}(?:\d{3})?$/;
const WORDS = /\p{L}{2}/u;
/** Maximum number of characters of a value that are examined. An e-mail has at most 254 (RFC 5321), and examining a megabyte takes minutes. */
const LONGEST = 320;
/** Matches headers such as `Ship To`, whose values are names or addresses. */
const SENT_TO = /(?:ship|bill|sold|send|sent|deliver|delivered|invoice|mail|recipient)to$/;
/** Minimum number of values for correcting the guess of a header. Two values suffice if all of them are e-mails. */
const FEW = 3;
const MOST = 0.8;
const HARDLY = 0.1;
/** Share (0-1) of different values up to which a weakly guessed address column is not used: its few values are probably addresses of shops. */
const FEW_PLACES = 0.5;

/** True if a value looks like a phone number or a list of phone numbers. */
const isPhone = (cell: string): boolean => {
  const [value = ''] = splitCellIntoPhones(cell);
  const digits = value.replace(/\D/g, '').length;
  return PHONE.test(value) && digits >= 6 && digits <= 18 && !DATE.test(value);
};

/** True if a value is an e-mail or a list of e-mails. Values are cut at 320 characters: the last e-mail of a list that long is ignored. */
const areEmails = (cell: string): boolean => {
  const parts = splitCellIntoEmails(cell).flatMap((part) => part.split(','));
  const whole = parts.length > 1 && cell.length === LONGEST ? parts.slice(0, -1) : parts;
  return whole.length > 0 && whole.every((part) => EMAIL.test(part.trim()));
};

/** Maximum length of a padded number. Longer numbers with leading zeros are phone numbers. */
const LONGEST_PADDED = 10;

const arePadded = ([first = '', ...others]: readonly string[]): boolean =>
  first.length <= LONGEST_PADDED &&
  [first, ...others].every((value) => /^0\d{3,}$/.test(value) && value.length === first.length);

/** True if at least two rows have different numbers of the same length and with the same first half: `4000012345`, `4000012346`. */
const mayNumberRows = (values: readonly string[]): boolean => {
  const [first = ''] = values;
  const start = first.slice(0, first.length / 2);
  return (
    new Set(values).size === Math.max(values.length, 2) &&
    values.every((value) => /^[1-9][0-9]*$/.test(value)) &&
    values.every((value) => value.length === first.length && value.startsWith(start))
  );
};

/**
 * Measures which types of values a column contains. Empty values do not count.
 *
 * @param region ISO code of the country of phone numbers without a country code
 */
export function measureValueTypeShares(values: readonly string[], region = 'US'): ColumnValueShares {
  const nonEmptyValues = values
    .map((value) => value.slice(0, LONGEST).trim())
    .filter((value) => value !== '');
  const share = (test: (value: string) => boolean) =>
    nonEmptyValues.filter(test).length / Math.max(nonEmptyValues.length, 1);
  return {
    count: nonEmptyValues.length,
    email: share((value) => EMAIL.test(value)),
    emails: share(areEmails),
    phone: share(isPhone),
    dialled: share((value) => isPhone(value) && DIALLED.test(value)),
    abroad: share((value) => isPhone(value) && /^'?(?:\+|00)[1-9]/.test(value)),
    long: share((value) => value.replace(/\D/g, '').length > 8),
    pin: region === 'IN' ? share((value) => /^[1-9]\d\d ?\d{3}$/.test(value)) : 0,
    date: share((value) => DATE.test(value) || COUNTED_DATE.test(value)),
    isPadded: arePadded(nonEmptyValues),
    isPaddedTwice: arePadded(nonEmptyValues) && nonEmptyValues.every((value) => value.startsWith('00')),
    mayNumberRows: mayNumberRows(values.map((value) => value.slice(0, LONGEST).trim())),
    // Computed at the first read, because few columns need this share.
    get valid() {
      return share((value) => isValidNational(value, region));
    },
    words: share((value) => WORDS.test(value)),
    letters: share((value) => /\p{L}/u.test(value)),
    digits: share((value) => /\d/.test(value)),
    different: new Set(nonEmptyValues).size / Math.max(nonEmptyValues.length, 1),
  };
}

/** Maximum number of letters of a name that is written without spaces, such as 欧阳小明. */
const LONGEST_UNSPACED = 6;
const UNSPACED_NAME = new RegExp(
  `^[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]{2,${LONGEST_UNSPACED}}$`,
  'u',
);
const SPACED_NAME = /^[\p{L}\p{M}'’.-]+(?:,? [\p{L}\p{M}'’.-]+){1,4}$/u;
/** Minimum fractions (0-1) of the values in a name column: values with a known given or family name, and values with both known. */
const [ONE_KNOWN, BOTH_KNOWN] = [0.7, 0.35];

/**
 * Returns how many of the two parts of a name (given, family) are in the name tables: 0 to 2. Returns 0 for a text that cannot be a name of two
 * parts.
 */
function countKnownHalves(value: string): number {
  if (!SPACED_NAME.test(value) && !UNSPACED_NAME.test(value)) return 0;
  if (hasOnlyKnownHeaderWords(value)) return 0;
  const { given, family } = splitGivenAndFamilyName(prepareName(value));
  if (given.text === '' || family.text === '' || given.text === family.text) return 0;
  return Number(given.isRealName) + Number(family.isRealName);
}

/** True if the name tables contain both the given and the family name of a text. */
export const isKnownFullName = (text: string): boolean =>
  text.length <= LONGEST && countKnownHalves(text.trim()) === 2;

/** True if the values of a column are names of people, according to the name tables. */
export function arePersonNames(values: readonly string[]): boolean {
  const nonEmptyValues = values
    .map((value) => value.slice(0, LONGEST).trim())
    .filter((value) => value !== '');
  if (nonEmptyValues.length < FEW || new Set(nonEmptyValues).size * 2 <= nonEmptyValues.length) return false;
  const known = nonEmptyValues.map(countKnownHalves);
  const share = (fewest: number) => known.filter((count) => count >= fewest).length / nonEmptyValues.length;
  return share(1) >= ONE_KNOWN && share(2) >= BOTH_KNOWN;
}

/** True if the values of a column are dates, with separators or with eight digits and a year from 1900 on. */
export function areDates(values: readonly string[]): boolean {
  const nonEmptyValues = values
    .map((value) => value.slice(0, LONGEST).trim())
    .filter((value) => value !== '');
  const dates = nonEmptyValues.filter(
    (value) => DATE.test(value) && (/\D/.test(value) || /^(?:19|20)\d{6}$/.test(value)),
  );
  return nonEmptyValues.length >= FEW && dates.length > nonEmptyValues.length * MOST;
}

/**
 * Returns the e-mails, in lower case, that fill more than half of an unused column of e-mails. They are those of the owner of the file: PayPal names
 * the seller as the receiver of each payment, and as the sender of each refund.
 */
export function findEmailsOfFileOwner(
  columns: Columns,
  samples: readonly (readonly string[])[],
): Set<string> {
  const owners = columns.flatMap((one, i) => {
    if (one !== null) return [];
    const values = samples.map((row) => row[i]?.slice(0, LONGEST).trim().toLowerCase() ?? '').filter(Boolean);
    const [[email = '', rows = []] = []] = [...Map.groupBy(values, (value) => value)].toSorted(
      ([, a], [, b]) => b.length - a.length,
    );
    return EMAIL.test(email) && rows.length >= FEW && rows.length * 2 > values.length ? [email] : [];
  });
  return new Set(owners);
}

/** Types of values that the other columns of a table contain. */
interface OtherColumns {
  hasPhones: boolean;
  hasIds: boolean;
}

type Columns = (TableColumn | null)[];

const column = (field: ColumnField, group = ''): ColumnGuess => ({ field, group });

/**
 * Corrects a column guess by the values of the column: a column of e-mails is an e-mail column whatever its header, a phone column with words is
 * none, a name column without letters contains numbers, and `Ship To` may contain addresses. Other guesses stay unchanged. The e-mails or phones in a
 * column `Mother` are still those of the mother.
 *
 * @param others other columns of the table. A contact number beside phones may be a record id
 */
export function correctColumnGuess(
  header: string,
  guess: ColumnGuess | null,
  shares: ColumnValueShares,
  others: OtherColumns = { hasPhones: false, hasIds: false },
): ColumnGuess | null {
  const corrected = correctByValues(header, guess, shares, others);
  const isContact = corrected?.field === 'email' || corrected?.field === 'phone';
  return guess && isContact ? { ...corrected, group: guess.group } : corrected;
}

function correctByValues(
  header: string,
  guess: ColumnGuess | null,
  shares: ColumnValueShares,
  { hasPhones, hasIds }: OtherColumns,
): ColumnGuess | null {
  const key = toHeaderKey(header);
  const isOfOther = isHeaderOfOtherPersonOrThing(header);
  const { count, email, emails, phone, words, letters, digits, different, date, long } = shares;
  // A header that begins like that of a phone column needs only one number as evidence.
  const isPhoneHeader = PHONE_HEADER_PATTERN.test(key) && !isOfOther;
  if (guess === null && isPhoneHeader && phone > MOST) return column('phone');
  const is = (...fields: ColumnField[]) => guess !== null && fields.includes(guess.field);
  // `Contact no.` is a phone in most lists, and the number of a customer in some.
  const isId =
    shares.isPaddedTwice || (hasPhones && !hasIds && shares.mayNumberRows && shares.valid < HARDLY);
  const mayBePhone = !isId && (guess === null || is('record_id')) && phone > MOST && long > MOST;
  if (mayBePhone && isContactPhoneHeader(header)) return column('phone');
  if (is('name') && count > 0 && letters < HARDLY && phone + digits > MOST) return guessNumber(shares);
  if (count < FEW && (count < 2 || email < 1)) return guess;
  if (guess === null && key === 'pin' && shares.pin > MOST) return column('zip');
  // Only a header of e-mails makes a list one of the person's e-mails. `Attendees` are other people.
  if (is('email') && emails > MOST) return guess;
  if (email > MOST) {
    if (is('record_id', 'identity', 'source')) return guess;
    // A list of customers repeats the e-mails of a few employees.
    const isOfPerson = !OTHER_PERSON_OR_THING_HEADER_PATTERN.test(key) && different > 0.5;
    return guess !== null || isOfPerson ? column('email') : null;
  }
  if (is('email') && emails < HARDLY && words + phone > MOST) return phone > MOST ? column('phone') : null;
  if (is('phone') && phone < HARDLY && words > MOST) return null;
  if (is('given', 'family') && letters < HARDLY) return null;
  // `country_id` may be the number of a row in another table.
  if (is('state', 'country') && key.endsWith('id') && letters < HARDLY) return null;
  if (is('first_seen', 'last_seen') && date < HARDLY) return null;
  if (is('address') && guess?.isWeak && !guess.isOfProperty && different <= FEW_PLACES) return null;
  if (is('name') && SENT_TO.test(key) && digits > 0.5) return column('address', key);
  const arePhones = CONTACT_DATA_HEADER_PATTERN.test(key) || (!isOfOther && areCertainlyPhones(key, shares));
  return guess === null && phone > MOST && arePhones ? column('phone') : guess;
}

/** Returns whether a table has columns of phones and of record ids. A column such as `Contact no.` does not count as one of ids. */
export function detectPhoneAndIdColumns(
  headers: readonly string[],
  guesses: readonly (ColumnGuess | null)[],
  shares: readonly ColumnValueShares[],
): OtherColumns {
  const isId = (header: string, i: number) =>
    !isContactPhoneHeader(header) &&
    (guesses[i]?.field === 'record_id' || (guesses[i] === null && isNumberOrAccountHeader(header)));
  return {
    hasPhones: guesses.some((guess, i) => guess?.field === 'phone' && (shares[i]?.phone ?? 0) > MOST),
    hasIds: headers.some(isId),
  };
}

/** Returns the column for a name column whose values have no letters: phones, or row ids if all numbers differ; else null. */
function guessNumber({
  phone,
  dialled,
  long,
  digits,
  different,
  isPadded,
}: ColumnValueShares): ColumnGuess | null {
  if (phone > MOST && dialled > 0.5 && !isPadded) return column('phone');
  const isId = digits > MOST && different > MOST && (phone <= MOST || long < 0.5 || isPadded);
  return isId ? column('record_id') : null;
}

/** True for a column of phones with country codes, unless the header means another person or a fax machine. */
const areCertainlyPhones = (key: string, { abroad, isPadded }: ColumnValueShares): boolean =>
  abroad > MOST && !isPadded && !OTHER_PERSON_OR_THING_HEADER_PATTERN.test(key) && !key.includes('fax');

/** True if the values may be row numbers counted from 0: they contain 1, and 0 exactly once. */
export function areCountedFromZero(values: readonly string[]): boolean {
  const numbers = values.map((value) => withoutDecimalZero(value.trim()));
  return numbers.includes('1') && numbers.filter((number) => number === '0').length === 1;
}

/** True if the values of a gender column include `H` and `M` but not `F`: the Spanish initials of man (hombre) and woman (mujer). */
export function hasSpanishGenders(values: readonly string[]): boolean {
  const initials = new Set(values.map((value) => value.trim().toUpperCase()));
  return initials.has('H') && initials.has('M') && !initials.has('F');
}

const MOST_ID = 0.9;

/**
 * In a table without record ids, uses a column of numbers that each row has another one of (`MRN`, `Permit #`), else the first column, if it contains
 * numbers of rows or accounts (`Nr karty`, `Konto`).
 */
export function chooseRowNumberAsId(
  columns: Columns,
  headers: string[],
  shares: ColumnValueShares[],
): Columns {
  const [header, first] = [headers[0] ?? '', shares[0]];
  if (columns.some((column) => column?.field === 'record_id')) return columns;
  const unique = headers.findIndex((text, i) => {
    const { count = 0, different = 0, digits = 0 } = shares[i] ?? {};
    const isUnique = count > 1 && different === 1 && digits > MOST_ID;
    return columns[i] === null && isUnique && UNIQUE_NUMBER_HEADERS.has(toHeaderKey(text));
  });
  if (unique >= 0) return columns.with(unique, { field: 'record_id', group: '' });
  if (columns[0] !== null) return columns;
  const isNumbering =
    first && first.count > 1 && first.different > MOST_ID && first.digits > MOST_ID && first.long < 0.5;
  return isNumbering && isNumberOrAccountHeader(header)
    ? [{ field: 'record_id', group: '' }, ...columns.slice(1)]
    : columns;
}

/** Headers of ids that do not identify the person of the row (ids of orders), or that a program generates for each row. */
const WEAK_ID =
  /^(?:contactid|leadid|uniqueid|leid|euid|name)|order|bestell|auftrag|commande|pedido|ordine|encomenda|zamowien/;

/** Chooses the id column with the most different values. The id of an account or customer repeats in tables of orders or contacts. */
export function chooseIdColumn(columns: Columns, keys: string[], shares: ColumnValueShares[]): Columns {
  const all = [...columns.keys()].filter((i) => columns[i]?.field === 'record_id');
  const strong = all.filter((i) => !WEAK_ID.test(keys[i] ?? ''));
  const [first] = strong.length > 0 ? strong : all;
  if (first === undefined || all.length < 2) return columns;
  const different = (i: number) => (shares[i]?.count ? (shares[i]?.different ?? 0) : 0);
  const best = all.reduce((chosen, i) => (different(i) > different(chosen) ? i : chosen), first);
  const ids = best === first && strong.length > 0 ? strong : [best];
  return columns.map((column, i) => (column?.field === 'record_id' && !ids.includes(i) ? null : column));
}

/**
 * Uses a column of Swedish personal numbers as the birth date, or as the record id if its header means an id and no other column contains one. A record
 * id also gives the birth date if no column contains it.
 */
export function toSwedishPersonalNumberColumn(columns: Columns, index: number): TableColumn {
  const has = (field: ColumnField) => columns.some((column, i) => i !== index && column?.field === field);
  if (columns[index]?.field !== 'record_id' || has('record_id'))
    return { field: 'birth_date', group: '', isPersonalNumber: true };
  return { field: 'record_id', group: '', ...(!has('birth_date') && { isPersonalNumber: true }) };
}
