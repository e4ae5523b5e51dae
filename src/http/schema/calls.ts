// The answers around a check: an earlier call, the month, and how the server is.
import * as v from 'valibot';
import { INTENTS } from '../../model.ts';
import { band, confidence, score } from './check.ts';
import { flag, list, named, object, orNull, requestId, text, time, whole, word } from './parts.ts';

export const earlierCall = named(
  'EarlierCall',
  {
    request_id: requestId,
    time: time('When the call arrived.'),
    endpoint: word(['/v1/validate', '/v1/validate?ai=true', '/v1/validate/enhanced'], 'What was called.'),
    response_version: word(['v1', 'v2'], 'The version of the answer’s shape.'),
    intent: orNull(
      v.picklist(INTENTS),
      'The intent as it was understood; null for calls before it was kept.',
    ),
    trustworthiness_score: score,
    status: band,
    confidence_level: confidence,
    possible_catfish: flag('The flag of the answer.'),
    values: object(
      {
        emails: whole('E-mails.'),
        phones: whole('Phones.'),
        addresses: whole('Addresses.'),
      },
      'How many values were sent of each kind.',
    ),
    different_identity: whole('How many of them were other identities’.'),
    unverified: whole('How many of them had no matching record.'),
    scoring_model: orNull(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      'Version of the scoring model; null for calls before it was kept.',
    ),
    latency_ms: whole('How long the call took, in milliseconds.'),
    test: flag('It was made with a test key.'),
    genuine: orNull(
      v.boolean(),
      'How it turned out, as you told with `POST /v1/requests/:id/outcome`; null where you did not.',
    ),
  },
  'One of your own earlier calls: its outcome and counts, never what was submitted.',
);

export const outcomeTold = named(
  'OutcomeTold',
  { genuine: flag('Whether the person was who they said.') },
  'How a call turned out, and nothing else.',
);
export const outcome = named(
  'Outcome',
  { request_id: requestId, genuine: flag('As it is kept now.') },
  'What is kept of how a call turned out.',
);

const month = v.pipe(
  v.string(),
  v.regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/),
  v.description('A calendar month in UTC, `2026-11`.'),
);
export const monthAsked = v.optional(month);
const money = (about: string) => orNull(v.pipe(v.string(), v.regex(/^[0-9]+(\.[0-9]+)?$/)), about);
const wholeOrNull = (about: string) => orNull(v.pipe(v.number(), v.integer(), v.minValue(0)), about);

/** What is billed for one version of a plan. */
export const BILLED = {
  plan: text('The plan.'),
  version: whole('The version of the plan that applied.', 1),
  calls: whole('Calls under it.'),
  included: whole('Those of `calls` that the plan included, as each was counted: not what it allows in all.'),
  overage: whole('Those beyond.'),
  price: text('Of one call beyond, a decimal number.'),
  currency: text('ISO 4217.'),
  amount: text('What those beyond cost, a decimal number.'),
};
const line = object(BILLED, 'One version of a plan in this month.');

const limits = object(
  {
    plan: text('The plan as it is now.'),
    version: whole('Its version.', 1),
    price: text('Of a call beyond the included ones, a decimal number.'),
    overage: word(['bill', 'block'], 'What becomes of calls beyond the included ones.'),
    quota: orNull(
      v.object({
        state: word(
          ['below', 'near', 'reached'],
          'How far the included calls are used; `near` in the last fifth.',
        ),
        remaining: whole('Included calls that are left.'),
        resets: time('When the next month begins.'),
      }),
      'Where the account stands; null for another month than the present one.',
    ),
    rate: orNull(
      v.object({
        calls: whole('So many calls of a key', 1),
        seconds: whole('in so many seconds,', 1),
        burst: whole('and so many at once.', 1),
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

export const usage = named(
  'Usage',
  {
    month,
    calls: whole('Calls that counted in it so far: of the account, or of a key that stands alone.'),
    included: wholeOrNull(
      'Calls a month that the plan includes as it is now, whether they were made or not; null without a plan.',
    ),
    overage: whole('Calls beyond the included ones, as each was counted.'),
    amount: money(
      'What the overage costs, a decimal number; null without a plan, and where it is in two currencies.',
    ),
    currency: v.optional(orNull(v.string(), 'Of the amount, ISO 4217; only with a plan.')),
    lines: v.optional(list(line, 'What is billed, by version of the plan; only with a plan.')),
    limits: orNull(limits, 'What the plan allows; null without a plan.'),
  },
  'What counted in a month.',
);
