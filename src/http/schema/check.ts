// The answer of a check, in both versions. Frozen: what version 1 has, it keeps.
import * as v from 'valibot';
import { enhancedInsightsSchema, narrativeInsightsSchema } from './insights.ts';
import {
  fieldSummarySchema,
  matchFlagsSchema,
  inputValidationSchema,
  inputValidationV2Schema,
} from './match.ts';
import {
  integerBetween,
  boolean,
  identityNumber,
  list,
  namedObject,
  number,
  object,
  nullable,
  requestIdSchema,
  string,
  strings,
  integer,
  oneOf,
} from './parts.ts';

export const bandSchema = oneOf(
  ['HIGH', 'MEDIUM', 'LOW', 'VERY_LOW'],
  'The band of the score: `HIGH` 85 and above, `MEDIUM` 65–84, `LOW` 40–64, `VERY_LOW` below 40.',
);
export const confidenceSchema = oneOf(
  ['HIGH', 'MEDIUM', 'LOW'],
  'How much evidence there was, not which way it points.',
);
export const scoreSchema = integerBetween(
  0,
  100,
  'How far the values belong together and to the person of the name.',
);
const final = integerBetween(0, 100, 'The score, the same as `trustworthiness_score`.');

const identityScore = namedObject(
  'IdentityScore',
  {
    final: integerBetween(0, 100, 'The score: `adjusted` after the bounds, rounded.'),
    raw: number('Points (0–100) that the matching evidence alone would give.'),
    adjusted: number('`raw` + `bonuses` + `penalties` + `fraud_risk_penalty`: the score before the bounds.'),
    penalties: number(
      'Points that doubts take away, zero or less: a name borne in part, other people’s values without a flag.',
    ),
    bonuses: number('Points that a long history adds, zero or more.'),
    fraud_risk_penalty: number(
      'Points that e-mails and phones of other people take away where `possible_catfish` is true, zero or less.',
    ),
    submitted_fields: list(
      v.picklist(['name', 'email', 'phone', 'address']),
      'The fields that were sent, in this order.',
    ),
    match_flags: matchFlagsSchema,
  },
  'The score as a sum of points.',
);

const trustScore = namedObject(
  'TrustScore',
  {
    final,
    raw: number('The sum of the evidence in bits (match weights), the start included.'),
    reasons: strings(
      'Each piece of evidence with its weight in bits, the weightiest first, the start last; the bits add up to `raw`.',
    ),
  },
  'The score as a sum of evidence.',
);

const combined = namedObject(
  'CombinedScore',
  {
    final,
    pre_capped: number('The score before the bounds, 0–100: what `identity_score.adjusted` is.'),
    confidence_level_label: oneOf(['high', 'medium', 'low'], '`confidence_level` in lower case.'),
    explanation: string('Which bound moved the score, or that none did.'),
  },
  'The score before and after the bounds that keep thin or conflicting evidence from a high one.',
);

const DAYS = 'Null where `first_seen` or `last_seen` is.';
const history = namedObject(
  'History',
  {
    first_seen: nullable(
      v.pipe(v.string(), v.isoTimestamp()),
      'When a record of the identity was first seen.',
    ),
    last_seen: nullable(v.pipe(v.string(), v.isoTimestamp()), 'When one was last seen.'),
    days_since_first_seen: nullable(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      `Whole days since then. ${DAYS}`,
    ),
    days_since_last_seen: nullable(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      `Whole days since then. ${DAYS}`,
    ),
  },
  'How long the dominant identity has been on record. All null for a name alone, and where nothing resolved or no record carries a date.',
);

const explained = object(
  {
    code: string('Which piece of evidence it is; the codes are on the page Reasons.'),
    field: nullable(
      v.picklist(['name', 'email', 'phone', 'address']),
      'Of which field; null for the start and the history.',
    ),
    index: nullable(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      'The place of the value among the rows of its field; null where it is no value’s.',
    ),
    key: nullable(v.string(), 'The key under which the value was found; null where it is no value’s.'),
    weight: number('Bits.'),
    score_without: nullable(
      v.number(),
      'The score of the same check without this value; null where it is no value’s.',
    ),
  },
  'One piece of evidence.',
);
const raw = namedObject(
  'Raw',
  {
    graph: v.pipe(
      v.unknown(),
      v.description('What the graph engine answered, as it answered it, without names.'),
    ),
    scoring_model: integer('Version of the scoring model.', 1),
    explanation: list(explained, 'The evidence, one object each.'),
  },
  'For debugging; there only with `operation: "raw"`.',
);

const head = { success: v.pipe(v.literal(true), v.description('Always true with status 200.')) };
const base = {
  trustworthiness_score: scoreSchema,
  status: bandSchema,
  confidence_level: confidenceSchema,
  possible_catfish: boolean(
    'E-mails, phones or addresses belong, with weight, to people who do not bear the name, or are split among several people.',
  ),
  summary: string('The result in one or two sentences.'),
  message: string(
    'The verdict word of the band (`VERIFIED`, `LIKELY REAL`, `SUSPICIOUS`, `HIGH RISK`), a colon and a sentence; `NO RECORD:` or `NAME ONLY:` where no contact has a record or none was sent.',
  ),
};
const rest = {
  identity_score: identityScore,
  trust_score: trustScore,
  combined_trust_score: combined,
  verification_flags: v.pipe(v.array(v.unknown()), v.description('An empty list.')),
  insights: strings(
    'Observations in sentences, such as a value of another identity or how many have no record.',
  ),
  dominant_identity: nullable(
    identityNumber,
    'The identity that most values resolved to, the name included; null where none did.',
  ),
  field_summary: fieldSummarySchema,
  history,
};

/** An answer in version 1 with the `ai_insights` given. */
const answer1 = <I extends v.GenericSchema>(name: string, insights: I, about: string) =>
  namedObject(
    name,
    {
      ...head,
      request_id: requestIdSchema,
      ...base,
      input_validation: inputValidationSchema,
      ...rest,
      ai_insights: insights,
      raw: v.optional(raw),
    },
    about,
  );
const answer2 = <I extends v.GenericSchema>(name: string, insights: I, about: string) =>
  namedObject(
    name,
    {
      ...head,
      response_version: v.pipe(v.literal('v2'), v.description('The version of the answer’s shape.')),
      request_id: requestIdSchema,
      ...base,
      input_validation: inputValidationV2Schema,
      ...rest,
      ai_insights: insights,
      raw: v.optional(raw),
    },
    about,
  );

const NARRATIVE = nullable(narrativeInsightsSchema, 'Null without `ai=true`.');
export const checkSchema = answer1(
  'Check',
  NARRATIVE,
  'The answer of a check in version 1, the default. Frozen.',
);
export const checkV2Schema = answer2('CheckV2', NARRATIVE, 'The answer of a check in version 2.');
export const enhancedCheckSchema = answer1(
  'Enhanced',
  enhancedInsightsSchema,
  'The answer of an enhanced check in version 1, the default. Frozen.',
);
export const enhancedCheckV2Schema = answer2(
  'EnhancedV2',
  enhancedInsightsSchema,
  'The answer of an enhanced check in version 2.',
);

/** The answer of a check in version 1, and in version 2, as a program reads it. */
export type Check = v.InferOutput<typeof checkSchema>;
export type CheckV2 = v.InferOutput<typeof checkV2Schema>;
