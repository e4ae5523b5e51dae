// What a plan may say, as one schema: for the command line, for whoever administers over HTTP, and for the store.
import * as v from 'valibot';
import { invalidArgument } from '../../errors.ts';
import type { PlanTerms } from '../model.ts';
import { getCurrencyDecimals, isCurrency, isPrice } from './money.ts';

export const PLAN_OPERATIONS = ['validate', 'enhanced'] as const;
export const PLAN_FEATURES = ['trust_enhancement', 'fraud_detection', 'name_matching'] as const;

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const CALLS = whole(0, 1_000_000_000);
const AT_ONCE = whole(1, 1_000_000);

/** What a plan says. Times are UTC; money is exact. */
export const PLAN_TERMS_SCHEMA = v.strictObject({
  /** Calls a month that cost nothing more. */
  included: v.optional(CALLS, 0),
  /** Of a call beyond the included ones, as a decimal text of up to six places. */
  price: v.optional(v.pipe(v.string(), v.check(isPrice)), '0'),
  /** ISO 4217. */
  currency: v.optional(v.pipe(v.string(), v.check(isCurrency)), 'USD'),
  /** What becomes of a call beyond the included ones: it is billed, or refused. */
  overage: v.optional(v.picklist(['bill', 'block']), 'bill'),
  /** So many calls of a key in so many seconds, and so many at once; null for no limit. */
  rate: v.optional(
    v.nullable(v.strictObject({ calls: AT_ONCE, seconds: whole(1, 86_400), burst: AT_ONCE })),
    null,
  ),
  /** Calls of a key that are worked on at a time; null for the server's own bound. */
  concurrency: v.optional(v.nullable(AT_ONCE), null),
  /** Checks an hour that only ask who is on record; null for no limit. */
  probes: v.optional(v.nullable(whole(0, 1_000_000)), null),
  /** At least one: a plan without any would refuse every call. */
  operations: v.optional(v.pipe(v.array(v.picklist(PLAN_OPERATIONS)), v.minLength(1)), [...PLAN_OPERATIONS]),
  /** AI features that may be asked for. */
  features: v.optional(v.array(v.picklist(PLAN_FEATURES)), [...PLAN_FEATURES]),
});

/** What is chosen of a plan's terms; the rest follows from it. */
export type ChosenPlanTerms = Omit<PlanTerms, 'digits'>;

const MUST: Record<keyof ChosenPlanTerms, string> = {
  included: 'a whole number of calls, up to 1000000000',
  price: 'a decimal number of up to six places, such as 0.0125',
  currency: 'a currency by its three letters, such as EUR',
  overage: 'bill or block',
  rate: 'calls by time, such as 600/m, with a burst of a whole number',
  concurrency: 'a whole number from 1 to 1000000, or none',
  probes: 'a whole number an hour, up to 1000000, or none',
  operations: `words of ${PLAN_OPERATIONS.join(', ')}, at least one`,
  features: `words of ${PLAN_FEATURES.join(', ')}`,
};

/** Where terms are JSON, and no words of a command line. */
const MUST_AS_JSON: Partial<typeof MUST> = {
  price: 'a decimal number of up to six places as a text, such as "0.02"',
  rate: 'an object such as {"calls":10,"seconds":60,"burst":3}, of whole numbers of 1 or more and at most 86400 seconds, or null',
  concurrency: 'a whole number from 1 to 1000000, or null',
  probes: 'a whole number an hour, up to 1000000, or null',
};

/** Reads terms; what is not said has its default, and a word that comes twice counts once. Errors: invalid_arguments. */
export function parsePlanTerms(value: unknown): PlanTerms {
  const result = v.safeParse(PLAN_TERMS_SCHEMA, value, { abortEarly: true });
  if (result.success) {
    const { currency, operations, features } = result.output;
    const once = { operations: [...new Set(operations)], features: [...new Set(features)] };
    return { ...result.output, ...once, digits: getCurrencyDecimals(currency) };
  }
  const wrong = String(result.issues[0].path?.[0]?.key ?? '');
  if (isTerm(wrong)) {
    const must = MUST[wrong];
    throw invalidArgument(`${wrong} must be ${must}.`, wrong, `It must be ${MUST_AS_JSON[wrong] ?? must}.`);
  }
  const text = `A plan says ${Object.keys(MUST).join(', ')}.`;
  throw invalidArgument(text, '', text);
}

const isTerm = (name: string): name is keyof ChosenPlanTerms => Object.hasOwn(MUST, name);

const ID = /^[a-z][a-z0-9_-]{0,39}$/;

/** Reads the id of a plan: a short word in small letters. Errors: invalid_arguments. */
export function parsePlanId(text: string): string {
  if (ID.test(text) && text !== 'none') return text;
  const must = 'a word of up to 40 small letters, digits, - and _, such as starter.';
  throw invalidArgument(`A plan is named by ${must}`, 'id', `It must be ${must}`);
}
