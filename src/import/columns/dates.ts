// Orders of day, month and year. A single date does not show which number is the day and which the month; a
// whole column does. `TableDateOrders` decides the order for all columns.

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const NUMBERS = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?=$|[T ])/;
/** Dates with the name of a month and a year of two digits: `5-May-77`, which spreadsheets write, and `May 5, '77`. */
const NAMED_MONTH = /^(\d{1,2}[ .-]+\p{L}{3,12}[ .,-]+|\p{L}{3,12}\.? \d{1,2}[ ,]+)['’]?(\d\d)$/u;
/** Dates as spreadsheets store them: days since the end of 1899, from 1927 to 2100. */
const SERIAL = /^(\d{5})(?:\.\d+)?$/;
const [FIRST_SERIAL, LAST_SERIAL] = [10_000, 73_050];
const SERIAL_START = Date.UTC(1899, 11, 30);
const DAY = 24 * 60 * 60 * 1000;
/** Dates as programs store them: seconds or milliseconds since 1970, from 2001 to 2033. */
const SINCE_1970 = /^1\d{9}(?:\d{3})?$/;
/** Dates in the JSON of .NET programs and SAP: milliseconds since 1970. */
const DOT_NET = /^\/Date\((-?\d{1,14})(?:[+-]\d{4})?\)\/$/;
/** Japanese dates, with the name or the letter of an era: `昭和45年3月4日`, `S45.3.4`. */
const ERA_DATE =
  /^(明治|大正|昭和|平成|令和|[MTSHR])\.? ?(\d{1,2}|元)(?:年|[./-])(\d{1,2})(?:月|[./-])(\d{1,2})日?$/;
/** Years before the first year of each Japanese era. */
const YEAR_BEFORE_ERA: Record<string, number> = Object.fromEntries(
  Object.entries({ 明治M: 1867, 大正T: 1911, 昭和S: 1925, 平成H: 1988, 令和R: 2018 }).flatMap(
    ([era, year]) => [
      [era.slice(0, 2), year],
      [era.slice(2), year],
    ],
  ),
);
/** Latest year that two digits mean in spreadsheets, which read them as 1930 to 2029. */
const LATEST_YEAR = 2029;

/** Dates that programs write if there is no date: zeros (`0/0/00`), or the day before the first day of a spreadsheet. */
const NO_DATE =
  /^(?:0{1,4}([./-])0{1,2}\1(?:0{1,2}|0{4})|1900-0?1-00?|0?1\/00?\/(?:19)?00|00?([./-])0?1\2(?:19)?00)(?:[T ][0:.]+Z?)?$/;

/** Birthdays without a year, as Mailchimp (`02/29`) and Google (`--11-05`) write them. */
const NO_YEAR =
  /^(?:--\d\d-?\d\d|(?:0?\d|1[0-2])[./-](?:[012]?\d|3[01])\.?|(?:[012]?\d|3[01])[./-](?:0?\d|1[0-2])\.?)$/;

export const isEmptyDate = (cell: string): boolean => NO_DATE.test(cell) || NO_YEAR.test(cell);

/** Returns the order in which the numbers of a date can be a day and a month; null if both orders are possible, or none. */
function onlyOrderOf(cell: string): DateOrder | null {
  const [, one = '', , two = '', three = ''] = NUMBERS.exec(cell.trim()) ?? [];
  if (one.length > 2 || three === '' || Number(one) > 12 === Number(two) > 12) return null;
  return Number(one) > 12 ? 'dmy' : 'mdy';
}

export const isDottedDate = (cell: string): boolean => NUMBERS.exec(cell.trim())?.[2] === '.';

/**
 * Detects the order of dates with slashes or dashes, by values with a number that can only be a day. Returns null if no value shows the order,
 * or if values contradict each other. Dates with dots are not used: they are day, month and year everywhere.
 */
export function detectDateOrder(values: readonly string[]): DateOrder | null {
  return orderShownBy(values.filter((value) => !isDottedDate(value)));
}

function orderShownBy(values: readonly string[]): DateOrder | null {
  const orders = new Set(values.flatMap((value) => onlyOrderOf(value) ?? []));
  const [order = null] = orders;
  return orders.size === 1 ? order : null;
}

/** True if a date with slashes or dashes is invalid in the given order and valid with day and month exchanged: `05/13/1980` in `dmy`. */
export function contradictsDateOrder(cell: string, order: DateOrder): boolean {
  const only = isDottedDate(cell) || order === 'ymd' ? null : onlyOrderOf(cell);
  return only !== null && only !== order;
}

/** Countries that write the month first. */
const MONTH_FIRST = new Set('US PR GU VI AS MP UM FM MH PW PH'.split(' '));
/** Countries that write dates with slashes in several ways. */
const MIXED = new Set('CA CN JP KR KP TW HU LT MN IR AF NP KE GH PA BZ'.split(' '));

/** Returns the order in which a country writes dates with slashes; null if it is unknown, or if the country has several. */
const orderOfCountry = (country: string): DateOrder | null =>
  country === '' || MIXED.has(country) ? null : MONTH_FIRST.has(country) ? 'mdy' : 'dmy';

/** Returns the order of a single date in a record that is not part of a table. @param order order of dates with slashes, if it is known */
export const getOrderOfDate = (cell: string, order: DateOrder | null): DateOrder | null =>
  isDottedDate(cell) && order !== 'ymd' ? 'dmy' : order;

/** True if the numbers of a cell are a valid date in both orders of day and month, and the two dates differ. */
export function isAmbiguousDate(cell: string): boolean {
  const [, one = '', , two = '', three = ''] = NUMBERS.exec(cell.trim()) ?? [];
  if (one === '' || one.length > 2 || three.length === 1 || three.length === 3) return false;
  const isOne = three.length === 4 && Number(one) === Number(two);
  return Number(one) <= 12 && Number(two) <= 12 && !isOne;
}

/**
 * Converts the date in a cell to `YYYY-MM-DD` if it is the day number of a spreadsheet, the time of a program, or a date in a known order. A
 * date with a month name gets a year of four digits. Returns any other cell unchanged.
 *
 * @param latest latest year that two digits can mean
 */
export function toIsoDate(cell: string, order: DateOrder | null, latest = LATEST_YEAR): string {
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
  if (SINCE_1970.test(cell))
    return new Date(cell.length > 10 ? Number(cell) : Number(cell) * 1000).toISOString().slice(0, 10);
  const wholeYear = (year: string) =>
    year.length === 4 ? year : `${Number(year) + 2000 > latest ? 19 : 20}${year}`;
  const [, dayAndMonth, shortYear] = NAMED_MONTH.exec(cell) ?? [];
  if (dayAndMonth !== undefined && shortYear !== undefined) return `${dayAndMonth}${wholeYear(shortYear)}`;
  const dateNumbers = order && !isEmptyDate(cell) && NUMBERS.exec(cell);
  if (!dateNumbers) return cell;
  const [all, one = '', , two = '', three = ''] = dateNumbers;
  const [year, month, day] =
    order === 'ymd' ? [one, two, three] : order === 'dmy' ? [three, two, one] : [three, one, two];
  if ((year.length !== 4 && year.length !== 2) || day.length > 2 || Number(month) > 12) return cell;
  return `${wholeYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${cell.slice(all.length)}`;
}

/** The order of day, month and year in each column of dates of one table. */
export class TableDateOrders {
  /** Order of the dates with slashes or dashes in each column; null if the values do not show the order. */
  private readonly orders: (DateOrder | null)[];
  /** Order of the dates with dots in each column; null in a column whose values show that the month is first. */
  private readonly dotted: (DateOrder | null)[];
  private readonly fixed: DateOrder | null;
  /** Date columns in which no value has shown the order yet. */
  private readonly undecided = new Set<number>();

  /**
   * Creates the date orders of a table.
   *
   * @param isDate true for each column that contains dates @param samples first rows of the table
   */
  constructor(
    isDate: readonly boolean[],
    samples: readonly (readonly string[])[],
    { dates, sampled = 0 }: { dates?: DateOrder | undefined; sampled?: number },
  ) {
    this.fixed = dates ?? null;
    const valuesOf = (column: number) => samples.map((cells) => cells[column] ?? '');
    this.orders = isDate.map((is, i) => dates ?? (is ? detectDateOrder(valuesOf(i)) : null));
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
   * Returns the order of a column or of one date in it: the order that the column shows, otherwise the order of the row's country, otherwise the
   * order that all other columns show.
   */
  of(column: number, cell?: string, countryOf: () => string = () => ''): DateOrder | null {
    const order = this.orders[column] ?? this.fixed;
    if (cell === undefined) return order;
    if (isDottedDate(cell)) return this.dotted[column] ?? null;
    if (order !== null || !isAmbiguousDate(cell)) return order;
    return orderOfCountry(countryOf()) ?? commonOrder(this.orders);
  }

  /** True if a row has a date that cannot be read before later rows show the order. */
  isUndecidedFor(cells: readonly string[]): boolean {
    for (const i of this.undecided) {
      const cell = cells[i] ?? '';
      if (!isDottedDate(cell) && isAmbiguousDate(cell)) return true;
    }
    return false;
  }

  /** Reads a further row to find the order of undecided columns. Returns true if it decides one. */
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

  /** Stops searching for the order of undecided columns: their ambiguous dates are rejected. */
  giveUp(): void {
    this.undecided.clear();
  }
}

/** Returns the order that all decided columns have, or null. A program writes all of its dates in one order. */
function commonOrder(orders: readonly (DateOrder | null)[]): DateOrder | null {
  const [first = null, ...others] = orders.filter((order) => order !== null);
  return others.every((order) => order === first) ? first : null;
}
