// Schemas of the answer of a check in both versions. Version 1 is frozen: no field may be removed or renamed.
import * as v from 'valibot';
import { VERDICT_WORDS } from '../../model.ts';
import { enhancedCheckInsightsSchema, narrativeInsightsSchema } from './insights.ts';
import {
  matchCountsByFieldSchema,
  inputValidationSchema,
  inputValidationV2Schema,
  matchStatusByFieldSchema,
} from './match.ts';
import * as s from './builders.ts';

const FIELDS = ['name', 'email', 'phone', 'address'] as const;
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));

export const scoreBandSchema = s.oneOf(
  ['HIGH', 'MEDIUM', 'LOW', 'VERY_LOW'],
  'Band of the score: `HIGH` 85 and above, `MEDIUM` 65–84, `LOW` 40–64, `VERY_LOW` below 40.',
);
export const verdictWordSchema = s.oneOf(
  VERDICT_WORDS,
  'The word that `message` begins with: by the band of the score; `no-record` if no contact has a record, `name-only` if none was sent.',
);
export const confidenceLevelSchema = s.oneOf(
  ['HIGH', 'MEDIUM', 'LOW'],
  'Amount of evidence, for or against.',
);
export const scoreSchema = s.integerBetween(
  0,
  100,
  'Score: how likely the values belong to the person of the name.',
);
const final = s.integerBetween(0, 100, 'The score, the same as `trustworthiness_score`.');

const identityScore = s.openApiObject('IdentityScore', 'The score as a sum of points.', {
  final: s.integerBetween(0, 100, 'The score: `adjusted` within the bounds, rounded.'),
  raw: s.number('Points (0–100) of the matching evidence alone.'),
  adjusted: s.number('`raw` + `bonuses` + `penalties` + `fraud_risk_penalty`: the score before the bounds.'),
  penalties: s.number(
    'Points for doubts, zero or less: a name that matches in part, values of other people without the flag.',
  ),
  bonuses: s.number('Points for a long history, zero or more.'),
  fraud_risk_penalty: s.number(
    'Points for e-mails and phones of other people if `possible_catfish` is true, zero or less.',
  ),
  submitted_fields: s.list(v.picklist(FIELDS), 'Fields of the request, in this order.'),
  match_flags: matchStatusByFieldSchema,
});

const trustScore = s.openApiObject('TrustScore', 'The score as a sum of evidence.', {
  final,
  raw: s.number('Sum of the evidence in bits (match weights), including the start.'),
  reasons: s.stringList(
    'Each piece of evidence with its weight in bits, the heaviest first, the start last; the bits add up to `raw`.',
  ),
});

const combinedScore = s.openApiObject(
  'CombinedScore',
  'The score before and after the bounds, which keep the score low if evidence is thin or in conflict.',
  {
    final,
    pre_capped: s.number('The score before the bounds, 0–100: the same as `identity_score.adjusted`.'),
    confidence_level_label: s.oneOf(['high', 'medium', 'low'], '`confidence_level` in lower case.'),
    explanation: s.string('The bound that changed the score, or that none did.'),
  },
);

const history = s.openApiObject(
  'History',
  'How long the dominant identity has been on record. All null for a name alone, if no value has a record, and if no record has a date.',
  {
    first_seen: s.nullable(
      v.pipe(v.string(), v.isoTimestamp()),
      'Earliest date of a record of the identity.',
    ),
    last_seen: s.nullable(v.pipe(v.string(), v.isoTimestamp()), 'Latest date of a record of the identity.'),
    days_since_first_seen: s.nullable(wholeNumber, 'Whole days since `first_seen`; null if `first_seen` is.'),
    days_since_last_seen: s.nullable(wholeNumber, 'Whole days since `last_seen`; null if `last_seen` is.'),
  },
);

const evidence = s.object('One piece of evidence.', {
  code: s.string('Code of the evidence; the page Reasons lists the codes.'),
  field: s.nullable(v.picklist(FIELDS), 'Field of the evidence; null for the start and the history.'),
  index: s.nullable(wholeNumber, 'Index of the value among the rows of its field; null without a value.'),
  key: s.nullableString('Key under which the value was found; null without a value.'),
  weight: s.number('Match weight in bits.'),
  score_without: s.nullableNumber('Score of the same check without this value; null without a value.'),
});
const raw = s.openApiObject('Raw', 'For debugging; only with `operation: "raw"`.', {
  graph: v.pipe(v.unknown(), v.description('Answer of the graph engine, without names.')),
  scoring_model: s.integer('Version of the scoring model.', 1),
  explanation: s.list(evidence, 'The evidence.'),
});

const beforeValidation = {
  trustworthiness_score: scoreSchema,
  status: scoreBandSchema,
  confidence_level: confidenceLevelSchema,
  possible_catfish: s.boolean(
    'True if e-mails, phones or addresses belong, with weight, to people who do not have the name, or to several people.',
  ),
  summary: s.string('The result in one or two sentences.'),
  message: s.string(
    'The verdict word of the band (`VERIFIED`, `LIKELY REAL`, `SUSPICIOUS`, `HIGH RISK`), a colon and a sentence; `NO RECORD:` if no contact has a record, `NAME ONLY:` if none was sent.',
  ),
};
const afterValidation = {
  identity_score: identityScore,
  trust_score: trustScore,
  combined_trust_score: combinedScore,
  verification_flags: v.pipe(v.array(v.unknown()), v.description('An empty list.')),
  insights: s.stringList(
    'Observations in sentences, such as a value of another identity, or how many values have no record.',
  ),
  dominant_identity: s.nullable(
    s.identityNumberSchema,
    'The identity that most values belong to, the name included; null if no value has a record.',
  ),
  field_summary: matchCountsByFieldSchema,
  history,
};
const success = v.pipe(v.literal(true), v.description('Always true with status 200.'));

const toCheckSchema = <Insights extends v.GenericSchema>(title: string, insights: Insights, about: string) =>
  s.openApiObject(title, about, {
    success,
    request_id: s.requestIdSchema,
    ...beforeValidation,
    input_validation: inputValidationSchema,
    ...afterValidation,
    ai_insights: insights,
    raw: v.optional(raw),
  });
const toCheckV2Schema = <Insights extends v.GenericSchema>(
  title: string,
  insights: Insights,
  about: string,
) =>
  s.openApiObject(title, about, {
    success,
    response_version: v.pipe(v.literal('v2'), v.description('Version of the answer.')),
    request_id: s.requestIdSchema,
    ...beforeValidation,
    input_validation: inputValidationV2Schema,
    ...afterValidation,
    ai_insights: insights,
    raw: v.optional(raw),
  });

const narrative = s.nullable(narrativeInsightsSchema, 'Null without `ai=true`.');
export const checkAnswerSchema = toCheckSchema(
  'Check',
  narrative,
  'Answer of a check in version 1, the default. Frozen.',
);
export const checkAnswerV2Schema = toCheckV2Schema('CheckV2', narrative, 'Answer of a check in version 2.');
export const enhancedCheckAnswerSchema = toCheckSchema(
  'Enhanced',
  enhancedCheckInsightsSchema,
  'Answer of an enhanced check in version 1, the default. Frozen.',
);
export const enhancedCheckAnswerV2Schema = toCheckV2Schema(
  'EnhancedV2',
  enhancedCheckInsightsSchema,
  'Answer of an enhanced check in version 2.',
);

export type CheckAnswer = v.InferOutput<typeof checkAnswerSchema>;
export type CheckAnswerV2 = v.InferOutput<typeof checkAnswerV2Schema>;
