// The one way from an object of ours to the JSON of an answer or of a command: names in snake case, times as ISO 8601 in UTC.

/** `lastUsed` → `last_used`. */
type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : '';

/** Object `T` as JSON has it; `Time` are the names of its fields that hold a time in milliseconds. */
export type Wire<T, Time extends keyof T = never> = {
  [Name in keyof T as Name extends string ? SnakeCase<Name> : never]: Name extends Time
    ? string | Exclude<T[Name], number>
    : T[Name];
};

/**
 * Returns an object as JSON has it: names in snake case, and the named fields, which hold milliseconds since 1970, as ISO 8601 texts. Null stays
 * null. Objects inside it stay as they are.
 */
export const toWire = <T extends object, Time extends keyof T & string = never>(
  object: T,
  ...times: Time[]
): Wire<T, Time> =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'number' && (times as string[]).includes(name) ? isoTime(value) : value,
    ]),
  ) as Wire<T, Time>;

/** Returns a time in milliseconds since 1970 as ISO 8601 text in UTC. */
export const isoTime = (time: number): string => new Date(time).toISOString();

/**
 * Rows as CSV (RFC 4180): a cell that holds a comma, a quote or a line break is quoted. A text that a spreadsheet would run as a formula
 * begins with an apostrophe, as OWASP ("CSV Injection") has it.
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => row.map(cellOf).join(',')).join('\r\n');

function cellOf(cell: string | number): string {
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
