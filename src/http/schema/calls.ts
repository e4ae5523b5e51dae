// Schemas of answers about calls: an earlier call, its outcome, the usage of a month, and the records that a feed took.
import * as v from 'valibot';
import { INTENTS } from '../../model.ts';
import { scoreBandSchema, confidenceLevelSchema, scoreSchema, verdictWordSchema } from './check.ts';
import * as s from './builders.ts';

/** Schema of a logged call with the outcome that its caller reported later. */
export const callWithOutcomeSchema = s.openApiObject(
  'EarlierCall',
  'One of your earlier calls: its result and counts, never what was submitted.',
  {
    request_id: s.requestIdSchema,
    time: s.timestamp('When the call arrived.'),
    endpoint: s.oneOf(
      ['/v1/validate', '/v1/validate?ai=true', '/v1/validate/enhanced'],
      'Operation of the call.',
    ),
    response_version: s.oneOf(['v1', 'v2'], 'Version of the answer.'),
    intent: s.nullable(
      v.picklist(INTENTS),
      'Intent of the call; null for old calls, which have none stored.',
    ),
    trustworthiness_score: scoreSchema,
    status: scoreBandSchema,
    verdict: s.nullable(
      verdictWordSchema,
      'Verdict word, as in the header `Bonafide-Verdict`; null for old calls, which have none stored.',
    ),
    confidence_level: confidenceLevelSchema,
    possible_catfish: s.boolean('Flag of the answer.'),
    values: s.object('Number of values of each kind.', {
      emails: s.integer('E-mails.'),
      phones: s.integer('Phones.'),
      addresses: s.integer('Addresses.'),
    }),
    different_identity: s.integer('Number of values of other identities.'),
    unverified: s.integer('Number of values without a matching record.'),
    scoring_model: s.nullable(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      'Version of the scoring model; null for old calls, which have none stored.',
    ),
    latency_ms: s.integer('Latency in milliseconds.'),
    test: s.boolean('True for a call with a test key.'),
    genuine: s.nullable(
      v.boolean(),
      'Outcome that you sent with `POST /v1/requests/:id/outcome`; null if you sent none.',
    ),
  },
);

export const reportedOutcomeInputSchema = s.openApiObject('OutcomeTold', 'Outcome of a call.', {
  genuine: s.boolean('True if the person was who they said.'),
});
export const reportedOutcomeSchema = s.openApiObject('Outcome', 'Stored outcome of a call.', {
  request_id: s.requestIdSchema,
  genuine: s.boolean('The stored outcome.'),
});

const month = s.string('A calendar month in UTC, `2026-11`.', {
  pattern: /^[0-9]{4}-(0[1-9]|1[0-2])$/,
  form: 'a month such as 2026-11',
});
export const monthParameterSchema = v.optional(month);
const money = v.pipe(v.string(), v.regex(/^[0-9]+(\.[0-9]+)?$/));
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Schemas of the fields of an invoice line, which states the amount for the calls under one version of a plan. */
export const invoiceLineFieldSchemas = {
  plan: s.string('The plan.'),
  version: s.integer('Version of the plan that applied.', 1),
  calls: s.integer('Calls under this version.'),
  included: s.integer(
    'Calls that were included when they were counted; not the number that the plan includes.',
  ),
  overage: s.integer('Calls beyond the included ones.'),
  price: s.string('Price of one call of overage, a decimal number.'),
  currency: s.string('ISO 4217.'),
  amount: s.string('Price of the overage, a decimal number.'),
};

export const rateLimitFieldSchemas = {
  calls: s.integer('Number of calls that a key may make in the period.', 1),
  seconds: s.integer('Period in seconds.', 1),
  burst: s.integer('Number of calls that a key may make at once.', 1),
};

const quota = v.object({
  state: s.oneOf(['below', 'near', 'reached'], 'Use of the included calls; `near` from 80 % on.'),
  remaining: s.integer('Included calls that remain.'),
  resets: s.timestamp('When the next month begins.'),
});
const limits = s.object('Limits of the plan.', {
  plan: s.string('The present plan.'),
  version: s.integer('Its version.', 1),
  price: s.string('Price of one call of overage, a decimal number.'),
  overage: s.oneOf(
    ['bill', 'block'],
    'Calls beyond the included ones are billed (`bill`), or refused (`block`).',
  ),
  quota: s.nullable(quota, 'Quota of the account; null for any month except the present one.'),
  rate: s.nullable(v.object(rateLimitFieldSchemas), 'Rate limit of a key; null for none.'),
  concurrency: s.nullable(
    wholeNumber,
    'Calls of a key that may be in flight at the same time; null for the limit of the server.',
  ),
  probes: s.nullable(wholeNumber, 'Checks an hour that may look like harvesting; null for no limit.'),
  operations: s.list(v.picklist(['validate', 'enhanced']), 'Operations that may be called.'),
  features: s.list(
    v.picklist(['trust_enhancement', 'fraud_detection', 'name_matching']),
    'AI features that may be requested.',
  ),
});

export const usageSchema = s.openApiObject('Usage', 'Usage of a month.', {
  month,
  calls: s.integer('Calls that counted in the month so far: of the account, or of a key without account.'),
  included: s.nullable(wholeNumber, 'Calls a month that the present plan includes; null without a plan.'),
  overage: s.integer('Calls beyond the included ones, when they were counted.'),
  amount: s.nullable(
    money,
    'Price of the overage, a decimal number; null without a plan, and if it is in two currencies.',
  ),
  currency: v.optional(s.nullableString('Currency of the amount, ISO 4217; only with a plan.')),
  lines: v.optional(
    s.list(
      s.object('One version of a plan in this month.', invoiceLineFieldSchemas),
      'Amounts by version of the plan; only with a plan.',
    ),
  ),
  limits: s.nullable(limits, 'Limits of the plan; null without a plan.'),
});

// Schemas for putting records into the graph: the lines of the request, and the result.
export const MAX_RECORDS_PER_REQUEST = 1000;

export const recordLinesSchema = s.openApiText(
  'RecordLines',
  `JSON Lines in UTF-8: at most ${MAX_RECORDS_PER_REQUEST} lines, each one record as on the page [Importing records](/docs/importing#the-record-format). A line with \`"deleted": true\` removes its record.`,
);

export const recordSourceParameterSchema = v.optional(
  s.shortString('Source of records that name none. A record without any source is refused.'),
);

const lineProblem = (about: string) =>
  s.object(about, {
    line: s.integer('Number of the line, counted from 1.', 1),
    pointer: v.optional(s.string('JSON Pointer, inside the line, of a field that is no field of a record.')),
    reason: s.string('What is wrong, without the value.'),
  });

export const putRecordsResultSchema = s.openApiObject('RecordsTaken', 'Result of feeding records.', {
  put: s.integer('Lines whose record was added or replaced.'),
  deleted: s.integer('Lines whose record was removed, or was not in the graph.'),
  barred: s.integer('Lines whose record is on the suppression list.'),
  refused: s.list(lineProblem('A line that changes nothing.'), 'Lines that cannot be used.'),
  left_out: s.list(lineProblem('A value.'), 'Single values that were ignored, of records that were put.'),
  linked: s.boolean(
    'True if checks see all of the records. If false they are on disk, and checks see them after all records are linked again, which has started.',
  ),
});
