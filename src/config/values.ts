// Schemas of setting values. The message of each schema is a noun phrase for a valid value ("a whole number
// from 1 to 64"). Errors contain this phrase and never the given value, which may be a secret.
import * as v from 'valibot';
import {
  findPostgresAddressProblem,
  findPostgresHostListProblem,
  POSTGRES_ADDRESS_DESCRIPTION,
} from '../platform/postgres/address.ts';

export const createNonEmptyTextSchema = (valid: string) => v.pipe(v.string(valid), v.minLength(1, valid));

export const createMatchingTextSchema = (pattern: RegExp, valid: string) =>
  v.pipe(v.string(valid), v.regex(pattern, valid));

/** Creates the schema of a text for which `isValid` returns true. `valid` is the error message. */
export const createCheckedTextSchema = (isValid: (text: string) => boolean, valid: string) =>
  v.pipe(v.string(valid), v.check(isValid, valid));

/** Schema of a web address. `fetch` rejects addresses with a user or password. */
export const webAddressSchema = createCheckedTextSchema((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
}, 'an http or https address without user and password');

/** Schema of a PostgreSQL address. Its error message says what is wrong with the address. */
export const postgresAddressSchema = v.pipe(
  v.string(POSTGRES_ADDRESS_DESCRIPTION),
  v.regex(/^postgres(?:ql)?:\/\//, POSTGRES_ADDRESS_DESCRIPTION),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed && !dataset.issues ? findPostgresAddressProblem(dataset.value) : null;
    if (problem !== null) addIssue({ message: `${POSTGRES_ADDRESS_DESCRIPTION}: ${problem}` });
  }),
);

const HOST_LIST = 'a list of hosts such as b.internal:5432,c.internal';

/** Schema of a list of PostgreSQL hosts: a comma-separated text or an array. */
export const postgresHostListSchema = v.pipe(
  v.union([v.string(HOST_LIST), v.array(v.string(HOST_LIST), HOST_LIST)], HOST_LIST),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? findPostgresHostListProblem(dataset.value) : null;
    if (problem !== null) addIssue({ message: `${HOST_LIST}: ${problem}` });
  }),
);

export function createWholeNumberSchema(min: number, max: number) {
  const valid = `a whole number from ${min} to ${max}`;
  return v.pipe(v.number(valid), v.integer(valid), v.minValue(min, valid), v.maxValue(max, valid));
}

export function createMinWholeNumberSchema(min: number) {
  const valid = `a whole number from ${min}`;
  return v.pipe(v.number(valid), v.integer(valid), v.minValue(min, valid));
}

export const booleanSchema = v.boolean('true or false');

export const createChoiceSchema = <const W extends readonly string[]>(...words: W) =>
  v.picklist(words, words.join(', ').replace(/, (?=[^,]*$)/, ' or '));

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration such as `24h`, `30m`, `7d` or `0s` to milliseconds; undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Creates the schema of a duration such as `24h`. Its bounds are in milliseconds. */
export const createDurationTextSchema = (minMs: number, maxMs: number, valid: string) =>
  createCheckedTextSchema((text) => {
    const ms = parseDuration(text) ?? -1;
    return ms >= minMs && ms <= maxMs;
  }, valid);
