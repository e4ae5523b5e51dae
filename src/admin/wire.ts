// Converts objects to the JSON and CSV of answers and commands: names in snake case, times as ISO 8601 in UTC.
import type { EarlierCall } from '../accounts/model.ts';
import type { LeftOutValue } from '../import/input/request.ts';
import type { CheckEndpoint } from '../model.ts';

/** Converts a name to snake case: `lastUsed` → `last_used`. */
type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : '';

/** Converts a name to camel case: `last_used` → `lastUsed`. */
type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** JSON type of an object type `T`: names in snake case, and the `Time` members (milliseconds) as ISO 8601 texts. */
export type SnakeCaseJson<T, Time extends keyof T = never> = {
  [Name in keyof T as Name extends string ? SnakeCase<Name> : never]: Name extends Time
    ? string | Exclude<T[Name], number>
    : T[Name];
};

/**
 * Converts an object to JSON with names in snake case. The members in `times` (ms since 1970) become ISO 8601 texts; null stays null. Nested
 * objects stay unchanged.
 */
export const toSnakeCaseJson = <T extends object, Time extends keyof T & string = never>(
  object: T,
  ...times: Time[]
): SnakeCaseJson<T, Time> =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'number' && (times as string[]).includes(name) ? toIsoTime(value) : value,
    ]),
  ) as SnakeCaseJson<T, Time>;

/** Converts an object of a JSON request to camel case names. Nested objects stay unchanged. */
export const fromSnakeCaseJson = <T extends object>(object: T) =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replaceAll(/_[a-z]/g, (part) => part.charAt(1).toUpperCase()),
      value,
    ]),
  ) as { [Name in keyof T as Name extends string ? CamelCase<Name> : never]: T[Name] };

/** Formats a time in milliseconds since 1970 as ISO 8601 in UTC. */
export const toIsoTime = (time: number): string => new Date(time).toISOString();

/**
 * Formats rows as CSV (RFC 4180, or with another delimiter). A text that a spreadsheet would execute as a formula gets an apostrophe in front, as
 * OWASP ("CSV Injection") recommends.
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[], delimiter = ','): string =>
  rows.map((row) => row.map((cell) => escapeCell(cell, delimiter)).join(delimiter)).join('\r\n');

function escapeCell(value: string | number, delimiter: string): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}

const PATHS = {
  validate: '/v1/validate',
  validate_ai: '/v1/validate?ai=true',
  enhanced: '/v1/validate/enhanced',
} as const satisfies Record<CheckEndpoint, string>;

/** Converts a logged call to JSON: outcome and counts, without submitted values. */
export function toEarlierCallJson(call: EarlierCall) {
  return {
    request_id: call.requestId,
    time: new Date(call.time).toISOString(),
    endpoint: PATHS[call.endpoint],
    response_version: call.responseVersion,
    intent: call.intent,
    trustworthiness_score: call.score,
    status: call.band,
    verdict: call.verdict,
    confidence_level: call.confidence,
    possible_catfish: call.catfish,
    values: { emails: call.emails, phones: call.phones, addresses: call.addresses },
    different_identity: call.different,
    unverified: call.unverified,
    scoring_model: call.scoringModel,
    latency_ms: call.latencyMs,
    test: call.test,
    genuine: call.outcome,
  };
}

/** Logged call with the names of its API key and its account; a missing name is null. */
export type WithKeyAndAccountNames<T> = T & { keyName: string | null; accountName: string | null };

/** Converts a call to JSON for operators: what its caller sees, plus the caller's API key and account. */
export const toLoggedCallJson = (call: WithKeyAndAccountNames<EarlierCall>) => ({
  ...toEarlierCallJson(call),
  key: call.keyId,
  key_name: call.keyName,
  account: call.account,
  account_name: call.accountName,
});

/** Those fields of a check's answer (version 1) that a table of check results shows. */
interface CheckJson {
  request_id: string;
  trustworthiness_score: number;
  status: string;
  message: string;
  possible_catfish: boolean;
  input_validation: { name: { match_status: string | null } } & Partial<
    Record<'email' | 'phone' | 'address', { inputs: { match_status: string }[] }>
  >;
}

/** Result of one row, by output column. A failed row has only `error` and the request id. */
export interface RowCheckResult {
  score: number | null;
  status: string | null;
  verdict: string | null;
  flags: string[];
  name_status: string | null;
  /** Match status of each e-mail, in request order. */
  email_status: string[];
  phone_status: string[];
  address_status: string[];
  request_id: string | null;
  /** E-mails and phones of the row that are left out. */
  left_out: LeftOutValue[];
  error: string | null;
}

export const RESULT_OF_EMPTY_ROW: Readonly<RowCheckResult> = {
  score: null,
  status: null,
  verdict: null,
  flags: [],
  name_status: null,
  email_status: [],
  phone_status: [],
  address_status: [],
  request_id: null,
  left_out: [],
  error: null,
};
export const createRowCheckResultWithError = (
  error: string,
  requestId: string | null = null,
): RowCheckResult => ({
  ...RESULT_OF_EMPTY_ROW,
  request_id: requestId,
  error,
});

export function toRowCheckResult(check: CheckJson): RowCheckResult {
  const { message, input_validation: validation } = check;
  const listStatuses = (field: { inputs: { match_status: string }[] } | undefined) =>
    (field?.inputs ?? []).map((input) => input.match_status);
  return {
    score: check.trustworthiness_score,
    status: check.status,
    verdict: message.slice(0, message.indexOf(':')),
    flags: check.possible_catfish ? ['possible_catfish'] : [],
    name_status: validation.name.match_status,
    email_status: listStatuses(validation.email),
    phone_status: listStatuses(validation.phone),
    address_status: listStatuses(validation.address),
    request_id: check.request_id,
    left_out: [],
    error: null,
  };
}

export const toTableCell = (value: (string | LeftOutValue)[] | string | number | null): string | number =>
  Array.isArray(value)
    ? value
        .map((one) => (typeof one === 'string' ? one : `${one.column ?? one.field}: ${one.reason}`))
        .join('; ')
    : (value ?? '');
