// Dates of tables: which number is the day and which the month only a whole column can tell. DateOrders is the one place that decides it.

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
/** In which order numbers make a date. */
export type DateOrder = (typeof DATE_ORDERS)[number];

const NUMBERS = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?=$|[T ])/;
/** Days since the end of 1899, as spreadsheets keep dates: 1927 to 2100. */
const SERIAL = /^(\d{5})(?:\.\d+)?$/;
const [FIRST_SERIAL, LAST_SERIAL] = [10_000, 73_050];
const SERIAL_START = Date.UTC(1899, 11, 30);
const DAY = 24 * 60 * 60 * 1000;
/** Seconds or milliseconds since 1970, as programs keep times: 2001 to 2033. */
const SINCE_1970 = /^1\d{9}(?:\d{3})?$/;
/** Two digits are a year up to this one, as spreadsheets read them: 1930 to 2029. */
const LATEST = 2029;

/** What programs write where there is no date: nothing but zeros (`0/0/00`), or the day before a spreadsheet's first. */
const NO_DATE =
  /^(?:0{1,4}([./-])0{1,2}\1(?:0{1,2}|0{4})|1900-0?1-00?|0?1\/00?\/(?:19)?00|00?([./-])0?1\2(?:19)?00)(?:[T ][0:.]+Z?)?$/;

/** A birthday without its year, as Mailchimp (`02/29`) and Google (`--11-05`) write it. */
const NO_YEAR =
  /^(?:--\d\d-?\d\d|(?:0?\d|1[0-2])[./-](?:[012]?\d|3[01])\.?|(?:[012]?\d|3[01])[./-](?:0?\d|1[0-2])\.?)$/;

export const isEmptyDate = (cell: string): boolean => NO_DATE.test(cell) || NO_YEAR.test(cell);

/** The order that a column's values show: where one number can only be a day, and none speaks against it. Null where they do not show it. */
export function detectDateOrder(values: readonly string[]): DateOrder | null {
  let [first, second] = [0, 0];
  for (const value of values) {
    const [, one = '', , two = '', three = ''] = NUMBERS.exec(value.trim()) ?? [];
    if (one.length > 2 || three === '') continue;
    if (Number(one) > 12) first += 1;
    if (Number(two) > 12) second += 1;
  }
  if (first > 0 === second > 0) return null;
  return first > 0 ? 'dmy' : 'mdy';
}

/** Whether a cell's numbers are a date in either order, and another one in each. */
export function isAmbiguousDate(cell: string): boolean {
  const [, one = '', , two = '', three = ''] = NUMBERS.exec(cell.trim()) ?? [];
  if (one === '' || one.length > 2 || three.length === 1 || three.length === 3) return false;
  const isOne = three.length === 4 && Number(one) === Number(two);
  return Number(one) <= 12 && Number(two) <= 12 && !isOne;
}

/** A cell with its date as `YYYY-MM-DD`, where it is a spreadsheet's day number, a program's time, or the order says what its numbers are; else as it is. @param latest the latest year that two digits may be */
export function toIsoDate(cell: string, order: DateOrder | null, latest = LATEST): string {
  const serial = Number(SERIAL.exec(cell)?.[1] ?? 0);
  if (serial >= FIRST_SERIAL && serial <= LAST_SERIAL)
    return new Date(SERIAL_START + serial * DAY).toISOString().slice(0, 10);
  if (SINCE_1970.test(cell))
    return new Date(cell.length > 10 ? Number(cell) : Number(cell) * 1000).toISOString().slice(0, 10);
  const found = order && !isEmptyDate(cell) && NUMBERS.exec(cell);
  if (!found) return cell;
  const [all, one = '', , two = '', three = ''] = found;
  const [year, month, day] =
    order === 'ymd' ? [one, two, three] : order === 'dmy' ? [three, two, one] : [three, one, two];
  if ((year.length !== 4 && year.length !== 2) || day.length > 2 || Number(month) > 12) return cell;
  const whole = year.length === 4 ? year : `${Number(year) + 2000 > latest ? 19 : 20}${year}`;
  return `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${cell.slice(all.length)}`;
}

/** The order of day, month and year in each column of dates of one table. */
export class DateOrders {
  private readonly orders: (DateOrder | null)[];
  private readonly fixed: DateOrder | null;
  /** Date columns in which no value has shown the order yet. */
  private readonly undecided = new Set<number>();

  /**
   * @param isDate true for each column that holds dates
   * @param samples the first rows
   */
  constructor(
    isDate: readonly boolean[],
    samples: readonly (readonly string[])[],
    { dates, sampled = 0 }: { dates?: DateOrder | undefined; sampled?: number },
  ) {
    this.fixed = dates ?? null;
    const valuesOf = (column: number) => samples.map((cells) => cells[column] ?? '');
    const shown = isDate.map((is, i) => (is ? detectDateOrder(valuesOf(i)) : null));
    this.orders = shown.map((order) => dates ?? order ?? commonOrder(shown));
    if (sampled === 0) return;
    for (const [i, is] of isDate.entries())
      if (is && this.orders[i] === null && !valuesOf(i).some((value) => detectDateOrder([value])))
        this.undecided.add(i);
  }

  of(column: number): DateOrder | null {
    return this.orders[column] ?? this.fixed;
  }

  /** True if a row has a date that cannot be read before later rows show the order. */
  isUndecidedFor(cells: readonly string[]): boolean {
    for (const i of this.undecided) if (isAmbiguousDate(cells[i] ?? '')) return true;
    return false;
  }

  /** Learns the order of undecided columns from a further row. Returns true if it decides any. */
  learn(cells: readonly string[]): boolean {
    let isDecided = false;
    for (const i of this.undecided) {
      this.orders[i] = detectDateOrder([cells[i] ?? '']);
      if (this.orders[i] === null) continue;
      isDecided = true;
      this.undecided.delete(i);
      const common = commonOrder(this.orders);
      for (const other of common ? this.undecided : []) this.orders[other] = common;
      if (common) this.undecided.clear();
    }
    return isDecided;
  }

  /** Leaves undecided columns undecided: their ambiguous dates are rejected. */
  giveUp(): void {
    this.undecided.clear();
  }
}

/** Returns the order that all decided columns have, or null: a program writes all of its dates in one order. */
function commonOrder(orders: readonly (DateOrder | null)[]): DateOrder | null {
  const [first = null, ...others] = orders.filter((order) => order !== null);
  return others.every((order) => order === first) ? first : null;
}
