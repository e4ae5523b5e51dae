// The answers around a check: an earlier call, the month, and how the server is.
import * as v from 'valibot';
import { INTENTS } from '../../model.ts';
import { bandSchema, confidenceSchema, scoreSchema } from './check.ts';
import {
  boolean,
  list,
  namedObject,
  object,
  nullable,
  requestIdSchema,
  string,
  timestamp,
  integer,
  oneOf,
} from './parts.ts';

export const earlierCallSchema = namedObject(
  'EarlierCall',
  {
    request_id: requestIdSchema,
    time: timestamp('When the call arrived.'),
    endpoint: oneOf(['/v1/validate', '/v1/validate?ai=true', '/v1/validate/enhanced'], 'What was called.'),
    response_version: oneOf(['v1', 'v2'], 'The version of the answer’s shape.'),
    intent: nullable(
      v.picklist(INTENTS),
      'The intent as it was understood; null for calls before it was kept.',
    ),
    trustworthiness_score: scoreSchema,
    status: bandSchema,
    confidence_level: confidenceSchema,
    possible_catfish: boolean('The flag of the answer.'),
    values: object(
      {
        emails: integer('E-mails.'),
        phones: integer('Phones.'),
        addresses: integer('Addresses.'),
      },
      'How many values were sent of each kind.',
    ),
    different_identity: integer('How many of them were other identities’.'),
    unverified: integer('How many of them had no matching record.'),
    scoring_model: nullable(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      'Version of the scoring model; null for calls before it was kept.',
    ),
    latency_ms: integer('How long the call took, in milliseconds.'),
    test: boolean('It was made with a test key.'),
    genuine: nullable(
      v.boolean(),
      'How it turned out, as you told with `POST /v1/requests/:id/outcome`; null where you did not.',
    ),
  },
  'One of your own earlier calls: its outcome and counts, never what was submitted.',
);

export const outcomeInputSchema = namedObject(
  'OutcomeTold',
  { genuine: boolean('Whether the person was who they said.') },
  'How a call turned out, and nothing else.',
);
export const outcomeSchema = namedObject(
  'Outcome',
  { request_id: requestIdSchema, genuine: boolean('As it is kept now.') },
  'What is kept of how a call turned out.',
);

const month = v.pipe(
  v.string(),
  v.regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/),
  v.description('A calendar month in UTC, `2026-11`.'),
);
export const monthQuery = v.optional(month);
const money = (about: string) => nullable(v.pipe(v.string(), v.regex(/^[0-9]+(\.[0-9]+)?$/)), about);
const wholeOrNull = (about: string) => nullable(v.pipe(v.number(), v.integer(), v.minValue(0)), about);

/** What is billed for one version of a plan. */
export const invoiceLineEntries = {
  plan: string('The plan.'),
  version: integer('The version of the plan that applied.', 1),
  calls: integer('Calls under it.'),
  included: integer(
    'Those of `calls` that the plan included, as each was counted: not what it allows in all.',
  ),
  overage: integer('Those beyond.'),
  price: string('Of one call beyond, a decimal number.'),
  currency: string('ISO 4217.'),
  amount: string('What those beyond cost, a decimal number.'),
};
const line = object(invoiceLineEntries, 'One version of a plan in this month.');

const limits = object(
  {
    plan: string('The plan as it is now.'),
    version: integer('Its version.', 1),
    price: string('Of a call beyond the included ones, a decimal number.'),
    overage: oneOf(['bill', 'block'], 'What becomes of calls beyond the included ones.'),
    quota: nullable(
      v.object({
        state: oneOf(
          ['below', 'near', 'reached'],
          'How far the included calls are used; `near` in the last fifth.',
        ),
        remaining: integer('Included calls that are left.'),
        resets: timestamp('When the next month begins.'),
      }),
      'Where the account stands; null for another month than the present one.',
    ),
    rate: nullable(
      v.object({
        calls: integer('So many calls of a key', 1),
        seconds: integer('in so many seconds,', 1),
        burst: integer('and so many at once.', 1),
      }),
      'How often a key may call; null for no limit.',
    ),
    concurrency: wholeOrNull('Calls of a key that are worked on at a time; null for the server’s own bound.'),
    probes: wholeOrNull('Checks an hour that only ask who is on record; null for no limit.'),
    operations: list(v.picklist(['validate', 'enhanced']), 'Operations that may be called.'),
    features: list(
      v.picklist(['trust_enhancement', 'fraud_detection', 'name_matching']),
      'AI features that may be asked for.',
    ),
  },
  'What the plan allows.',
);

export const usageSchema = namedObject(
  'Usage',
  {
    month,
    calls: integer('Calls that counted in it so far: of the account, or of a key that stands alone.'),
    included: wholeOrNull(
      'Calls a month that the plan includes as it is now, whether they were made or not; null without a plan.',
    ),
    overage: integer('Calls beyond the included ones, as each was counted.'),
    amount: money(
      'What the overage costs, a decimal number; null without a plan, and where it is in two currencies.',
    ),
    currency: v.optional(nullable(v.string(), 'Of the amount, ISO 4217; only with a plan.')),
    lines: v.optional(list(line, 'What is billed, by version of the plan; only with a plan.')),
    limits: nullable(limits, 'What the plan allows; null without a plan.'),
  },
  'What counted in a month.',
);
