// When another server says to come again.

const SECONDS = /^\d+$/;
/** In any of the three forms that HTTP has for a date (RFC 9110, 5.6.7), which are all of Greenwich. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+$/;

/**
 * How long the header Retry-After says to wait: milliseconds, 0 for a date that is past; null where it says nothing that can be read.
 *
 * @param date the header Date beside it: a date counts from the clock of who says it
 */
export function waitIn(header: string | undefined, date: string | undefined): number | null {
  if (header === undefined) return null;
  if (SECONDS.test(header)) return Number(header) * 1000;
  const ms = timeIn(header) - timeIn(date);
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function timeIn(header = ''): number {
  if (!DATE.test(header)) return Number.NaN;
  return Date.parse(header.endsWith('GMT') ? header : `${header} GMT`);
}
