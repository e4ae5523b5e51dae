const DAY_MS = 86_400_000;
/** Maximum number of cached dates: the days of a century. */
const MAX_DATES = 36_525;
const dates = new Map<number, string>();

/** Formats a time (ms since 1970) like `Date.toISOString`: `2026-11-24T09:05:00.000Z`. Faster, because dates are cached. */
export function formatIsoTime(time: number): string {
  const day = Math.floor(time / DAY_MS);
  const ms = time - day * DAY_MS;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const clock = `${twoDigits(hours)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  return `${formatDate(day)}T${clock}.${String(ms % 1000).padStart(3, '0')}Z`;
}

/** Formats a time (ms since 1970) for a file name: `2026-11-24T09-05-00Z`. */
export const formatTimeForFileName = (time: number): string =>
  `${formatIsoTime(time).slice(0, 19).replaceAll(':', '-')}Z`;

const twoDigits = (number: number) => (number < 10 ? `0${number}` : String(number));

function formatDate(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    if (dates.size === MAX_DATES) dates.clear();
    const [text = ''] = new Date(day * DAY_MS).toISOString().split('T');
    dates.set(day, (date = text));
  }
  return date;
}
