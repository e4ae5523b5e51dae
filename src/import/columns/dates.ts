// Orders of day, month and year. A single date does not show which number is the day and which the month; a
// whole column does. `TableDateOrders` decides the order for all columns.
import { toAsciiDigits } from '../../normalise/text.ts';

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const NUMBERS = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?=$|,? |T)/;
/** Returns the numbers of a date, which may be written in the digits of another script: `१५/०८/१९८५`. */
const matchNumbers = (cell: string): RegExpExecArray | null => NUMBERS.exec(toAsciiDigits(cell.trim()));
/** Dates with a month name and a two-digit year: `5-May-77`, which spreadsheets write, and `May 5, '77`. */
const NAMED_MONTH = /^(\d{1,2}[ .-]+\p{L}{3,12}[ .,-]+|\p{L}{3,12}\.? \d{1,2}[ ,]+)['’]?(\d\d)$/u;
/** Dates as spreadsheets store them: days since 1899-12-30, for the years 1927 to 2100. */
const SERIAL = /^(\d{5})(?:\.\d+)?$/;
const [FIRST_SERIAL, LAST_SERIAL] = [10_000, 73_050];
const SERIAL_START = Date.UTC(1899, 11, 30);
const DAY = 24 * 60 * 60 * 1000;
/** Dates as programs store them: seconds or milliseconds since 1970, for the years 2001 to 2033. */
const SINCE_1970 = /^1\d{9}(?:\d{3})?$/;
/** Milliseconds since 1970 for the years 1970 to 2001, and before 1970. Other numbers of this length are rarely whole minutes. */
const EARLY_MILLISECONDS = /^(?:[1-9]\d{10,11}|-[1-9]\d{8,12})$/;
/**
 * Matches midnight as HL7 messages write it (`199011060000`). Such digits are not read as milliseconds since 1970, although they may be a whole
 * minute.
 */
const HL7_MIDNIGHT = /^(?:18|19|20)\d\d(?:0[1-9]|1[0-2])\d\d0000$/;
const MINUTE = 60_000;
/** Matches dates of six digits without separators: `940917`. */
const SIX_DIGITS = /^(\d\d)(\d\d)(\d\d)$/;
/** Swedish personal numbers begin with the birth date, with 60 added to the day in coordination numbers. People above 100 have a `+`. */
const PERSONAL_NUMBER = /^(1[89]|20)?(\d\d)(0[1-9]|1[0-2])([0-36-9]\d)([-+]?)\d{4}$/;
/** Dates in the JSON of .NET programs and SAP: milliseconds since 1970. */
const DOT_NET = /^\/Date\((-?\d{1,14})(?:[+-]\d{4})?\)\/$/;
/** Matches Japanese dates with the name or the letter of an era: `昭和45年3月4日`, `S45.3.4`. */
const ERA_DATE =
  /^(明治|大正|昭和|平成|令和|[MTSHR])\.? ?(\d{1,2}|元)(?:年|[./-])(\d{1,2})(?:月|[./-])(\d{1,2})日?$/;
/** Year before the first year of each Japanese era. */
const YEAR_BEFORE_ERA: Record<string, number> = Object.fromEntries(
  Object.entries({ 明治M: 1867, 大正T: 1911, 昭和S: 1925, 平成H: 1988, 令和R: 2018 }).flatMap(
    ([era, year]) => [
      [era.slice(0, 2), year],
      [era.slice(2), year],
    ],
  ),
);
/** Latest year that a two-digit year can mean. Spreadsheets read two digits as 1930 to 2029. */
const LATEST_YEAR = 2029;

/** Cells that programs write for a missing date: zeros (`0/0/00`), or the day before the first day of a spreadsheet. */
const NO_DATE =
  /^(?:0{1,4}([./-])0{1,2}\1(?:0{1,2}|0{4})|1900-0?1-00?|0?1\/00?\/(?:19)?00|00?([./-])0?1\2(?:19)?00)(?:[T ][0:.]+Z?)?$/;

/** Birth dates that programs and people enter for an unknown date: limits of databases and spreadsheets, years before any living person. */
const PLACEHOLDER_BIRTH_DATES = new Set(
  '0001-01-01 1753-01-01 1800-01-01 1899-12-30 1899-12-31 1900-01-01 1901-01-01 2099-12-31 2999-12-31 9999-12-31'.split(
    ' ',
  ),
);

/** True for a birth date (`YYYY-MM-DD`) that means an unknown date. */
export const isPlaceholderBirthDate = (date: string): boolean => PLACEHOLDER_BIRTH_DATES.has(date);

/** Reason for a birth date that means an unknown date. */
export const PLACEHOLDER_DATE_REASON = 'is a placeholder';

/** First day of the time of computers. It is a placeholder only in a column in which it is common, because people were born on it. */
export const EPOCH = '1970-01-01';
const [FEWEST_EPOCHS, COMMON_EPOCH] = [3, 0.05];

/** True if so many of the dates (`YYYY-MM-DD`) are 1 January 1970 that it means an unknown date. */
export function isEpochPlaceholder(dates: readonly string[]): boolean {
  const epochs = dates.filter((date) => date === EPOCH).length;
  return epochs >= FEWEST_EPOCHS && epochs >= dates.length * COMMON_EPOCH;
}

/** Birthdays without a year, as Mailchimp (`02/29`) and Google (`--11-05`) write them. */
const NO_YEAR =
  /^(?:--\d\d-?\d\d|(?:0?\d|1[0-2])[./-](?:[012]?\d|3[01])\.?|(?:[012]?\d|3[01])[./-](?:0?\d|1[0-2])\.?)$/;
/** Maximum length of a birthday without a year. */
const NO_YEAR_LENGTH = 7;

export const isEmptyDate = (cell: string): boolean =>
  NO_DATE.test(cell) || (cell.length <= NO_YEAR_LENGTH && NO_YEAR.test(cell));

/** Returns the order of day and month that a date shows: `31/12/1980` → `dmy`. Null if both orders are possible, or neither. */
function onlyOrderOf(cell: string): DateOrder | null {
  const [, one = '', , two = '', three = ''] = matchNumbers(cell) ?? [];
  if (one.length > 2 || three === '' || Number(one) > 12 === Number(two) > 12) return null;
  return Number(one) > 12 ? 'dmy' : 'mdy';
}

export const isDottedDate = (cell: string): boolean => cell.includes('.') && matchNumbers(cell)?.[2] === '.';

/**
 * Detects the order of day and month in dates with slashes or dashes: a number above 12 can only be a day. Null if no value shows the order, or
 * if values contradict each other. Dates with dots are ignored, because they are day, month and year everywhere.
 */
export function detectDateOrder(values: readonly string[]): DateOrder | null {
  return orderShownBy(values.filter((value) => !isDottedDate(value)));
}

function orderShownBy(values: readonly string[]): DateOrder | null {
  const orders = new Set(values.flatMap((value) => onlyOrderOf(value) ?? []));
  const [order = null] = orders;
  return orders.size === 1 ? order : null;
}

/** True if a date with slashes or dashes is invalid in the given order, but valid with day and month exchanged: `05/13/1980` in `dmy`. */
export function contradictsDateOrder(cell: string, order: DateOrder): boolean {
  const only = isDottedDate(cell) || order === 'ymd' ? null : onlyOrderOf(cell);
  return only !== null && only !== order;
}

/** ISO codes of countries that write the month first. */
const MONTH_FIRST = new Set('US PR GU VI AS MP UM FM MH PW PH'.split(' '));
/** ISO codes of countries that use several orders of day, month and year in dates with slashes. */
const MIXED = new Set('CA CN JP KR KP TW HU LT MN IR AF NP KE GH PA BZ'.split(' '));

/** Returns the order in which a country writes dates with slashes. Null for an unknown country, or if the country uses several orders. */
const orderOfCountry = (country: string): DateOrder | null =>
  country === '' || MIXED.has(country) ? null : MONTH_FIRST.has(country) ? 'mdy' : 'dmy';

/**
 * Returns the order of day and month in a single date, which is not part of a table.
 *
 * @param order order of dates with slashes, if it is known
 */
export const resolveDateOrder = (cell: string, order: DateOrder | null): DateOrder | null =>
  isDottedDate(cell) && order !== 'ymd' ? 'dmy' : order;

/** True if the numbers of a cell are two different valid dates, depending on the order of day and month. */
export function isAmbiguousDate(cell: string): boolean {
  const [, one = '', , two = '', three = ''] = matchNumbers(cell) ?? [];
  if (one === '' || one.length > 2 || three.length === 1 || three.length === 3) return false;
  const isOne = three.length === 4 && Number(one) === Number(two);
  return Number(one) <= 12 && Number(two) <= 12 && !isOne;
}

/**
 * Converts the date in a cell to `YYYY-MM-DD`: a spreadsheet's day number, a timestamp, or a date in a known order. In a date with a month name, only
 * a two-digit year is changed, to four digits. Any other cell is returned unchanged.
 *
 * @param latest latest year that two digits can mean
 */
export function toIsoDateOrUnchanged(cell: string, order: DateOrder | null, latest = LATEST_YEAR): string {
  return fromDotNetDate(cell) ?? fromEraDate(cell) ?? fromNumbers(cell, order, latest);
}

function fromDotNetDate(cell: string): string | null {
  const since1970 = DOT_NET.exec(cell)?.[1];
  return since1970 === undefined ? null : new Date(Number(since1970)).toISOString().slice(0, 10);
}

function fromEraDate(cell: string): string | null {
  const [, era = '', year, month = '', day = ''] = ERA_DATE.exec(cell) ?? [];
  const before = YEAR_BEFORE_ERA[era];
  if (year === undefined || before === undefined) return null;
  const whole = before + (year === '元' ? 1 : Number(year));
  return `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function fromNumbers(cell: string, order: DateOrder | null, latest: number): string {
  const serial = Number(SERIAL.exec(cell)?.[1] ?? 0);
  if (serial >= FIRST_SERIAL && serial <= LAST_SERIAL)
    return new Date(SERIAL_START + serial * DAY).toISOString().slice(0, 10);
  if (EARLY_MILLISECONDS.test(cell) && !HL7_MIDNIGHT.test(cell) && Number(cell) % MINUTE === 0)
    return new Date(Number(cell)).toISOString().slice(0, 10);
  if (SINCE_1970.test(cell))
    return new Date(cell.length > 10 ? Number(cell) : Number(cell) * 1000).toISOString().slice(0, 10);
  const wholeYear = (year: string) =>
    year.length === 4 ? year : `${Number(year) + 2000 > latest ? 19 : 20}${year}`;
  const [, dayAndMonth, shortYear] = NAMED_MONTH.exec(cell) ?? [];
  if (dayAndMonth !== undefined && shortYear !== undefined) return `${dayAndMonth}${wholeYear(shortYear)}`;
  if (order === null) return cell;
  const [compact, ...pairs] = SIX_DIGITS.exec(cell) ?? [];
  if (compact !== undefined) {
    const { year, month, day } = assignDateParts(pairs, order);
    return `${wholeYear(year)}-${month}-${day}`;
  }
  const dateNumbers = isEmptyDate(cell) ? null : matchNumbers(cell);
  if (!dateNumbers) return cell;
  const [all, one = '', , two = '', three = ''] = dateNumbers;
  const { year, month, day } = assignDateParts([one, two, three], order);
  if ((year.length !== 4 && year.length !== 2) || day.length > 2 || Number(month) > 12) return cell;
  return `${wholeYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${dateNumbers.input.slice(all.length)}`;
}

/** Assigns the three numbers of a date to year, month and day. */
function assignDateParts([one = '', two = '', three = '']: readonly string[], order: DateOrder) {
  if (order === 'ymd') return { year: one, month: two, day: three };
  return order === 'dmy' ? { year: three, month: two, day: one } : { year: three, month: one, day: two };
}

/**
 * Returns the only order of day, month and year in which all dates of six digits among the values are valid. Null if there are several orders or
 * none, and if the values are probably months and years: `051985`.
 */
function detectOrderOfSixDigits(values: readonly string[]): DateOrder | null {
  const dates = values.flatMap((value) => {
    const [, ...pairs] = SIX_DIGITS.exec(value.trim()) ?? [];
    return pairs.length > 0 ? [pairs] : [];
  });
  if (dates.every(([, middle = '']) => middle === '19' || middle === '20')) return null;
  const [order = null, ...others] = DATE_ORDERS.filter((one) =>
    dates.every((pairs) => {
      const { month, day } = assignDateParts(pairs, one);
      return Number(month) > 0 && Number(month) <= 12 && Number(day) > 0 && Number(day) <= 31;
    }),
  );
  return others.length === 0 ? order : null;
}

/** Matches a Swedish personal number. The last digit is a check digit (Luhn). Returns an empty list for other texts. */
function matchPersonalNumber(text: string): readonly (string | undefined)[] {
  const digits = text.replace(/\D/g, '').slice(-10);
  const doubled = Array.from(digits, (digit, i) => Number(digit) * (2 - (i % 2)));
  const sum = doubled.reduce((total, product) => total + Math.floor(product / 10) + (product % 10), 0);
  return (sum % 10 === 0 && PERSONAL_NUMBER.exec(text)) || [];
}

/**
 * True if most values are certainly Swedish personal numbers: they have a century, or begin with a number above 31. Danish personal numbers have the
 * same header, and begin with the day.
 */
export function areSwedishPersonalNumbers(values: readonly string[]): boolean {
  const filled = values.map((value) => value.trim()).filter((value) => value !== '');
  const certain = filled.filter((value) => {
    const [all, century, year] = matchPersonalNumber(value);
    return all !== undefined && (century !== undefined || Number(year) > 31);
  });
  return certain.length * 2 > filled.length;
}

/**
 * Returns the birth date in a Swedish personal number; null for other texts.
 *
 * @param latest latest year that two digits can mean
 */
export function getBirthDateOfSwedishPersonalNumber(cell: string, latest = LATEST_YEAR): string | null {
  const [, century, year = '', month = '', day = '', sign] = matchPersonalNumber(cell);
  if (year === '') return null;
  const newest = sign === '+' ? latest - 100 : latest;
  const isEarlier = Number(year) > newest % 100;
  const whole = century === undefined ? Math.floor(newest / 100 - Number(isEarlier)) + year : century + year;
  return `${whole}-${month}-${String(Number(day) % 60).padStart(2, '0')}`;
}

/** Orders of day, month and year in the date columns of one table. */
export class TableDateOrders {
  /** For each column, the order of day and month in dates with slashes or dashes; null if the values do not show it. */
  private readonly orders: (DateOrder | null)[];
  /** For each column, the order of day and month in dates with dots; null if the values show that the month is first. */
  private readonly dotted: (DateOrder | null)[];
  /** For each column, the order of day, month and year in dates of six digits. */
  private readonly sixDigits: (DateOrder | null)[];
  private readonly fixed: DateOrder | null;
  /** Indexes of date columns whose values have not shown the order yet. */
  private readonly undecided = new Set<number>();
  /** Indexes of date columns with a date that contradicts the order of its row's country. For these columns, the country is ignored. */
  private readonly unreliable: ReadonlySet<number>;

  /**
   * Detects the date orders of a table.
   *
   * @param isDate true for each column that contains dates
   * @param samples first rows of the table
   */
  constructor(
    isDate: readonly boolean[],
    samples: readonly (readonly string[])[],
    { dates, sampled = 0 }: { dates?: DateOrder | undefined; sampled?: number },
    countryOf: (cells: readonly string[]) => string = () => '',
  ) {
    this.fixed = dates ?? null;
    const valuesOf = (column: number) => samples.map((cells) => cells[column] ?? '');
    const isAgainstCountry = (cells: readonly string[], column: number) => {
      const cell = cells[column] ?? '';
      const only = isDottedDate(cell) ? null : onlyOrderOf(cell);
      const order = only === null ? null : orderOfCountry(countryOf(cells));
      return order !== null && order !== only;
    };
    const indexes = isDate.flatMap((is, i) => (is ? [i] : []));
    this.unreliable = new Set(indexes.filter((i) => samples.some((cells) => isAgainstCountry(cells, i))));
    this.orders = isDate.map((is, i) => dates ?? (is ? detectDateOrder(valuesOf(i)) : null));
    this.sixDigits = isDate.map((is, i) => (is ? (detectOrderOfSixDigits(valuesOf(i)) ?? this.fixed) : null));
    this.dotted = isDate.map((is, i) => {
      if (!is || dates === 'ymd') return this.fixed;
      const isMonthFirst = orderShownBy(valuesOf(i).filter(isDottedDate)) === 'mdy';
      return !isMonthFirst ? 'dmy' : dates === 'mdy' ? dates : null;
    });
    if (sampled === 0) return;
    for (const [i, is] of isDate.entries())
      if (is && this.orders[i] === null && !valuesOf(i).some((value) => detectDateOrder([value])))
        this.undecided.add(i);
  }

  /**
   * Returns the order of day and month in a column, or in one date of it: the order that the column's dates show; otherwise that of the row's
   * country; otherwise that of all other columns. Null if none of them shows it, or if dates of the column contradict their row's country.
   */
  of(column: number, cell?: string, countryOf: () => string = () => ''): DateOrder | null {
    const order = this.orders[column] ?? this.fixed;
    if (cell === undefined) return order;
    if (isDottedDate(cell)) return this.dotted[column] ?? null;
    if (SIX_DIGITS.test(cell)) return this.sixDigits[column] ?? null;
    if (order !== null || !isAmbiguousDate(cell)) return order;
    if (this.unreliable.has(column)) return null;
    return orderOfCountry(countryOf()) ?? commonOrder(this.orders);
  }

  /** True if a row has a date that cannot be interpreted until later rows show the order of its column. */
  isUndecidedFor(cells: readonly string[]): boolean {
    for (const i of this.undecided) {
      const cell = cells[i] ?? '';
      if (!isDottedDate(cell) && isAmbiguousDate(cell)) return true;
    }
    return false;
  }

  /** Examines the dates of a further row. Returns true if they show the order of at least one undecided column. */
  learn(cells: readonly string[]): boolean {
    let isDecided = false;
    for (const i of this.undecided) {
      this.orders[i] = detectDateOrder([cells[i] ?? '']);
      if (this.orders[i] === null) continue;
      isDecided = true;
      this.undecided.delete(i);
    }
    return isDecided;
  }

  /** Stops the search for the order of day and month in undecided columns. Their ambiguous dates are rejected from now on. */
  giveUp(): void {
    this.undecided.clear();
  }
}

/**
 * Returns the order of day and month that all columns with a known order share, else null. It is used for the other columns, because a program
 * writes all dates in one order.
 */
function commonOrder(orders: readonly (DateOrder | null)[]): DateOrder | null {
  const [first = null, ...others] = orders.filter((order) => order !== null);
  return others.every((order) => order === first) ? first : null;
}
