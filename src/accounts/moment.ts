/** A day, and perhaps a time of it: 24:00 is a time of the next one. */
const FORM = /^(\d{4}-\d\d-\d\d)(?:$|[T ](?!24)\d\d:)/;

/**
 * Reads the times that an operator names: a day (its first instant, UTC), or an ISO timestamp with its zone.
 *
 * @returns milliseconds since 1970, or null for what has another form and for a day that does not exist: `Date.parse` makes 2 March of
 *   30 February.
 */
export function timeOf(text: string): number | null {
  const [, day = ''] = FORM.exec(text) ?? [];
  const start = Date.parse(day);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
