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
/** Matches the most frequent dates in files: ISO dates with a day that every month has. */
const USUAL_DATE = /^(?:1[89]\d\d|20\d\d|2100)-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
/**
 * Pattern of a time of day after a date, also with am or pm and as DB2 writes it. `parseTimestamp` uses the time of ISO timestamps; `normaliseDate`
 * ignores it.
 */
const TIME_OF_DAY =
  /(?:,?[t ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:z|utc|gmt|[+-]\d{2}:?\d{2}|[ap]\.?m\.?)?|-\d{2}\.\d{2}\.\d{2}(?:\.\d+)?)$/i;
/** Matches the letter for "year" after a date in Polish, Russian and Bulgarian. */
const YEAR_SIGN = /(?<=\d) ?[rгр]\.?$/;

/** Numbers of months by the first three or four letters of their names, in English, Spanish, French, German, Italian and Portuguese. */
const MONTHS = new Map(
  `jan ene gen janv, feb fev febr, mar mars marc marz maer, apr abr avr avri, may mai mag mayo maio magg, jun juin giu giug,
   jul juil lug lugl, aug ago aou agos aout, sep set sept sett, oct okt ott out, nov nove, dec dic dez dici`
    .split(',')
    .flatMap((names, i) =>
      names
        .trim()
        .split(' ')
        .map((name) => [name, i + 1] as const),
    ),
);

/**
 * Normalises a calendar date to `YYYY-MM-DD`; to `YYYY-MM` or `YYYY` without a day or month. Accepts ISO dates, `19760613`, dates that begin with the
 * year, month names in six languages, `1976年6月13日`, and numbers that end with the year if only one can be the day. Null for other texts, for years
 * before 1800 or after 2100, and for an ambiguous day and month (`03/04/1976`): a guessed birth date would link or separate the wrong records.
 */
export function normaliseDate(text: string): string | null {
  if (USUAL_DATE.test(text)) return text;
  const written = toAsciiDigits(collapseSpaces(text)).replace(TIME_OF_DAY, '').replace(YEAR_SIGN, '');
  const match = ISO.exec(written) ?? YEAR_FIRST.exec(written) ?? EAST_ASIAN.exec(written);
  if (match !== null) return formatDate(match[1] ?? '', match[2], match[3]);
  const last = YEAR_LAST.exec(written);
  if (last !== null) return formatDayAndMonth(Number(last[1]), Number(last[2]), last[3] ?? '');
  const month = MONTH_YEAR.exec(written);
  if (month !== null) return formatDate(month[2] ?? '', month[1]);
  return parseNamedMonth(foldToAscii(written));
}

function parseNamedMonth(written: string): string | null {
  const dayFirst = DAY_NAME_YEAR.exec(written);
  if (dayFirst !== null) return formatNamedMonth(dayFirst[3] ?? '', dayFirst[2] ?? '', dayFirst[1]);
  const nameFirst = NAME_DAY_YEAR.exec(written);
  if (nameFirst !== null) return formatNamedMonth(nameFirst[3] ?? '', nameFirst[1] ?? '', nameFirst[2]);
  const month = NAME_YEAR.exec(written);
  return month === null ? null : formatNamedMonth(month[2] ?? '', month[1] ?? '');
}

function formatNamedMonth(year: string, name: string, day?: string): string | null {
  const month = MONTHS.get(name.slice(0, 4)) ?? MONTHS.get(name.slice(0, 3));
  return month === undefined ? null : formatDate(year, String(month), day);
}

function formatDayAndMonth(first: number, second: number, year: string): string | null {
  if (first === second) return formatDate(year, String(first), String(second));
  if (first > 12) return formatDate(year, String(second), String(first));
  if (second > 12) return formatDate(year, String(first), String(second));
  return null;
}

function formatDate(year: string, month?: string, day?: string): string | null {
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

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
const UNIX_TIME = /^-?\d{9,13}$/;
const MAX_UNIX_SECONDS = 1e11;

/**
 * Parses a time and returns milliseconds since 1970. Accepts an ISO timestamp (UTC if it has no zone), a date that `normaliseDate` accepts
 * (midnight UTC), and a Unix time in seconds or milliseconds. Returns null for other texts.
 */
export function parseTimestamp(text: string): number | null {
  if (USUAL_DATE.test(text)) return Date.parse(text);
  const written = toAsciiDigits(collapseSpaces(text));
  const stamp = TIMESTAMP.exec(written);
  if (stamp !== null) return parseTimestampMatch(stamp);
  const date = normaliseDate(written);
  if (date !== null)
    return Date.parse(
      `${date.length === 10 ? date : date.length === 7 ? `${date}-01` : `${date}-01-01`}T00:00:00Z`,
    );
  if (!UNIX_TIME.test(written)) return null;
  const number = Number(written);
  return Math.abs(number) < MAX_UNIX_SECONDS ? number * 1000 : number;
}

function parseTimestampMatch([, date = '', clock = '', fraction = '', zone]: RegExpExecArray): number | null {
  if (normaliseDate(date) === null) return null;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const offset =
    zone === undefined || /^(?:z|utc|gmt)$/i.test(zone) ? 'Z' : zone.length === 3 ? `${zone}:00` : zone;
  const colon = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
  const time = Date.parse(`${date}T${clock.length === 5 ? `${clock}:00` : clock}.${milliseconds}${colon}`);
  return Number.isNaN(time) ? null : time;
}
