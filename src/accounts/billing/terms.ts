// Terms of plans as one schema, for the command line, the admin API and the store.
import * as v from 'valibot';
import { invalidArgumentError } from '../../errors.ts';
import { getCurrencyDecimals, isCurrencyCode, isPriceText } from './money.ts';

export const PLAN_OPERATIONS = ['validate', 'enhanced'] as const;
export const PLAN_FEATURES = ['trust_enhancement', 'fraud_detection', 'name_matching'] as const;

const integer = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
const CALLS_A_MONTH = integer(0, 1_000_000_000);
const CALLS_AT_ONCE = integer(1, 1_000_000);

export const PLAN_TERMS_SCHEMA = v.strictObject({
  included: v.optional(CALLS_A_MONTH, 0),
  /** Price of one call beyond the quota: a decimal text with at most six decimal places. */
  price: v.optional(v.pipe(v.string(), v.check(isPriceText)), '0'),
  /** Currency of the price: an ISO 4217 code. */
  currency: v.optional(v.pipe(v.string(), v.check(isCurrencyCode)), 'USD'),
  /** Treatment of calls beyond the quota: `bill` charges them, `block` refuses them. */
  overage: v.optional(v.picklist(['bill', 'block']), 'bill'),
  /** Rate limit of each API key: `calls` in `seconds` seconds, `burst` of them at once at most; null for no limit. */
  rate: v.optional(
    v.nullable(v.strictObject({ calls: CALLS_AT_ONCE, seconds: integer(1, 86_400), burst: CALLS_AT_ONCE })),
    null,
  ),
  /** Maximum number of simultaneous calls of each API key; null for the limit of the server. */
  concurrency: v.optional(v.nullable(CALLS_AT_ONCE), null),
  /** Maximum number of checks per hour and API key that look like harvesting (enumerating who is on record); null for no limit. */
  probes: v.optional(v.nullable(integer(0, 1_000_000)), null),
  /** Maximum number of watches (stored claims that are checked again) of an account; null for no limit. */
  watches: v.optional(v.nullable(integer(0, 100_000_000)), null),
  /** Operations that the plan allows; at least one. */
  operations: v.optional(v.pipe(v.array(v.picklist(PLAN_OPERATIONS)), v.minLength(1)), [...PLAN_OPERATIONS]),
  features: v.optional(v.array(v.picklist(PLAN_FEATURES)), [...PLAN_FEATURES]),
});

/** Terms of a plan that an operator sets. */
export type PlanTermsInput = v.InferOutput<typeof PLAN_TERMS_SCHEMA>;

export interface PlanTerms extends PlanTermsInput {
  /** Number of decimal places of amounts in the plan's currency when this version of the plan was created. */
  digits: number;
}

/** Valid values of each term, as the command line describes them in errors. */
const VALID_VALUES: Record<keyof PlanTermsInput, string> = {
  included: 'a whole number of calls, up to 1000000000',
  price: 'a decimal number of up to six places, such as 0.0125',
  currency: 'a currency by its three letters, such as EUR',
  overage: 'bill or block',
  rate: 'calls by time, such as 600/m, with a burst of a whole number',
  concurrency: 'a whole number from 1 to 1000000, or none',
  probes: 'a whole number an hour, up to 1000000, or none',
  watches: 'a whole number up to 100000000, or none',
  operations: `one or more of ${PLAN_OPERATIONS.join(', ')}`,
  features: `any of ${PLAN_FEATURES.join(', ')}`,
};

/** Valid values of terms that JSON requests write differently than the command line. */
const VALID_JSON_VALUES: Partial<typeof VALID_VALUES> = {
  price: 'a decimal number of up to six places as a text, such as "0.02"',
  rate: 'an object such as {"calls":10,"seconds":60,"burst":3}, of whole numbers of 1 or more and at most 86400 seconds, or null',
  concurrency: 'a whole number from 1 to 1000000, or null',
  probes: 'a whole number an hour, up to 1000000, or null',
  watches: 'a whole number up to 100000000, or null',
};

/** Parses the terms of a plan from a JSON object. Missing terms get their defaults. Errors: invalid_arguments. */
export function parsePlanTerms(value: unknown): PlanTerms {
  const result = v.safeParse(PLAN_TERMS_SCHEMA, value, { abortEarly: true });
  if (result.success) {
    const { currency, operations, features } = result.output;
    const unique = { operations: [...new Set(operations)], features: [...new Set(features)] };
    return { ...result.output, ...unique, digits: getCurrencyDecimals(currency) };
  }
  const name = String(result.issues[0].path?.[0]?.key ?? '');
  if (isTermName(name)) {
    const valid = VALID_VALUES[name];
    throw invalidArgumentError(
      `${name} must be ${valid}.`,
      name,
      `It must be ${VALID_JSON_VALUES[name] ?? valid}.`,
    );
  }
  const text = `The terms of a plan are ${Object.keys(VALID_VALUES).join(', ')}.`;
  throw invalidArgumentError(text, '', text);
}

const isTermName = (name: string): name is keyof PlanTermsInput => Object.hasOwn(VALID_VALUES, name);

const PLAN_ID = /^[a-z][a-z0-9_-]{0,39}$/;

export function parsePlanId(text: string): string {
  if (PLAN_ID.test(text) && text !== 'none') return text;
  const valid = 'up to 40 lowercase letters, digits, - and _, beginning with a letter, such as starter.';
  throw invalidArgumentError(`The id of a plan must be ${valid}`, 'id', `It must be ${valid}`);
}
