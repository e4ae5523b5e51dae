import { toAsciiDigits, collapseSpaces, foldToAscii } from './text.ts';

const YEAR = '(1[89]\\d{2}|20\\d{2}|2100)';
const ISO = new RegExp(`^${YEAR}(?:-?(\\d{2})(?:-?(\\d{2}))?)?$`);
const YEAR_FIRST = new RegExp(`^${YEAR}[./ -](\\d{1,2})(?:[./ -](\\d{1,2}))?$`);
const YEAR_LAST = new RegExp(`^(\\d{1,2})[./ -](\\d{1,2})[./ -]${YEAR}$`);
const MONTH_YEAR = new RegExp(`^(\\d{1,2})[./-]${YEAR}$`);
const DAY_NAME_YEAR = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th|er)?[ .-]+(?:de |of )?([a-z]{3,})[ .,-]+(?:de |del )?${YEAR}$`,
);
const NAME_DAY_YEAR = new RegExp(`^([a-z]{3,})[ .-]+(\\d{1,2})(?:st|nd|rd|th)?[ ,.-]+${YEAR}$`);
const NAME_YEAR = new RegExp(`^([a-z]{3,})[ .,-]+${YEAR}$`);
const EAST_ASIAN = /^(\d{4})[年년]\s*(?:(\d{1,2})[月월]\s*(?:(\d{1,2})[日일])?)?$/u;
/** Nearly every date of a file: in every month there are so many days. */
const USUAL = /^(?:1[89]\d\d|20\d\d|2100)-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
/** A time behind an ISO date: dropped for a date, read for a timestamp. */
const TIME = /[t ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:z|utc|gmt|[+-]\d{2}:?\d{2})?$/i;

/** First three or four letters of month names, in English, Spanish, French, German, Italian and Portuguese. */
const MONTHS = new Map(
  Object.entries({
    1: 'jan ene gen janv',
    2: 'feb fev febr',
    3: 'mar mars marc marz maer',
    4: 'apr abr avr avri',
    5: 'may mai mag mayo maio magg',
    6: 'jun juin giu giug',
    7: 'jul juil lug lugl',
    8: 'aug ago aou agos aout',
    9: 'sep set sept sett',
    10: 'oct okt ott out',
    11: 'nov nove',
    12: 'dec dic dez dici',
  }).flatMap(([month, names]) => names.split(' ').map((name) => [name, Number(month)] as const)),
);

/**
 * Reads a calendar date: `YYYY-MM-DD`, or `YYYY-MM`/`YYYY` where no more is said. Understands ISO, `19760613`, year first,
 * day and month with a named month in six languages, `1976年6月13日`, and numbers with the year last where one of
 * them can only be the day.
 *
 * @returns null for what is no date between 1800 and 2100, or where day and month could be either (`03/04/1976`): a
 *   guessed birth date would join or part people.
 */
export function normaliseDate(text: string): string | null {
  if (USUAL.test(text)) return text;
  const written = toAsciiDigits(collapseSpaces(text)).replace(TIME, '');
  const found = ISO.exec(written) ?? YEAR_FIRST.exec(written) ?? EAST_ASIAN.exec(written);
  if (found !== null) return assemble(found[1] ?? '', found[2], found[3]);
  const last = YEAR_LAST.exec(written);
  if (last !== null) return dayOrMonth(Number(last[1]), Number(last[2]), last[3] ?? '');
  const month = MONTH_YEAR.exec(written);
  if (month !== null) return assemble(month[2] ?? '', month[1]);
  return namedMonth(foldToAscii(written));
}

function namedMonth(written: string): string | null {
  const dayFirst = DAY_NAME_YEAR.exec(written);
  if (dayFirst !== null) return withMonth(dayFirst[3] ?? '', dayFirst[2] ?? '', dayFirst[1]);
  const nameFirst = NAME_DAY_YEAR.exec(written);
  if (nameFirst !== null) return withMonth(nameFirst[3] ?? '', nameFirst[1] ?? '', nameFirst[2]);
  const month = NAME_YEAR.exec(written);
  return month === null ? null : withMonth(month[2] ?? '', month[1] ?? '');
}

function withMonth(year: string, name: string, day?: string): string | null {
  const month = MONTHS.get(name.slice(0, 4)) ?? MONTHS.get(name.slice(0, 3));
  return month === undefined ? null : assemble(year, String(month), day);
}

function dayOrMonth(first: number, second: number, year: string): string | null {
  if (first === second) return assemble(year, String(first), String(second));
  if (first > 12) return assemble(year, String(second), String(first));
  if (second > 12) return assemble(year, String(first), String(second));
  return null;
}

function assemble(year: string, month?: string, day?: string): string | null {
  if (month === undefined) return year;
  const monthNumber = Number(month);
  if (monthNumber < 1 || monthNumber > 12) return null;
  const start = `${year}-${String(monthNumber).padStart(2, '0')}`;
  if (day === undefined) return start;
  const dayNumber = Number(day);
  if (dayNumber < 1 || dayNumber > daysIn(Number(year), monthNumber)) return null;
  return `${start}-${String(dayNumber).padStart(2, '0')}`;
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const STAMP =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
const EPOCH = /^-?\d{9,13}$/;
const EPOCH_SECONDS_BELOW = 1e11;

/**
 * Reads a moment: an ISO timestamp (UTC where it names no zone), a date in any form of `normaliseDate` (its first
 * instant, UTC), or seconds or milliseconds since 1970 (told apart by size).
 *
 * @returns milliseconds since 1970, or null.
 */
export function parseTimestamp(text: string): number | null {
  if (USUAL.test(text)) return Date.parse(text);
  const written = toAsciiDigits(collapseSpaces(text));
  const stamp = STAMP.exec(written);
  if (stamp !== null) return parseStamp(stamp);
  const date = normaliseDate(written);
  if (date !== null)
    return Date.parse(
      `${date.length === 10 ? date : date.length === 7 ? `${date}-01` : `${date}-01-01`}T00:00:00Z`,
    );
  if (!EPOCH.test(written)) return null;
  const number = Number(written);
  return Math.abs(number) < EPOCH_SECONDS_BELOW ? number * 1000 : number;
}

function parseStamp([, date = '', clock = '', fraction = '', zone]: RegExpExecArray): number | null {
  if (normaliseDate(date) === null) return null;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const offset =
    zone === undefined || /^(?:z|utc|gmt)$/i.test(zone) ? 'Z' : zone.length === 3 ? `${zone}:00` : zone;
  const colon = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
  const time = Date.parse(`${date}T${clock.length === 5 ? `${clock}:00` : clock}.${milliseconds}${colon}`);
  return Number.isNaN(time) ? null : time;
}
