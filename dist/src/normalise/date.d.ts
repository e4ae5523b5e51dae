/**
 * Reads a calendar date: `YYYY-MM-DD`, or `YYYY-MM`/`YYYY` where no more is said. Understands ISO, `19760613`, year first,
 * day and month with a named month in six languages, `1976年6月13日`, and numbers with the year last where one of
 * them can only be the day.
 *
 * @returns null for what is no date between 1800 and 2100, or where day and month could be either (`03/04/1976`): a
 *   guessed birth date would join or part people.
 */
export declare function normaliseDate(text: string): string | null;
/**
 * Reads a moment: an ISO timestamp (UTC where it names no zone), a date in any form of `normaliseDate` (its first
 * instant, UTC), or seconds or milliseconds since 1970 (told apart by size).
 *
 * @returns milliseconds since 1970, or null.
 */
export declare function parseTime(text: string): number | null;
