// The answer of a check, in both versions. Frozen: what version 1 has, it keeps.
import * as v from 'valibot';
import { enhancedInsights, narrativeInsights } from './insights.ts';
import { fieldSummary, matchFlags, validation1, validation2 } from './match.ts';
import {
  between,
  flag,
  identity,
  list,
  named,
  number,
  object,
  orNull,
  requestId,
  text,
  texts,
  whole,
  word,
} from './parts.ts';

export const band = word(
  ['HIGH', 'MEDIUM', 'LOW', 'VERY_LOW'],
  'The band of the score: `HIGH` 85 and above, `MEDIUM` 65–84, `LOW` 40–64, `VERY_LOW` below 40.',
);
export const confidence = word(
  ['HIGH', 'MEDIUM', 'LOW'],
  'How much evidence there was, not which way it points.',
);
export const score = between(0, 100, 'How far the values belong together and to the person of the name.');
const final = between(0, 100, 'The score, the same as `trustworthiness_score`.');

const identityScore = named(
  'IdentityScore',
  {
    final: between(0, 100, 'The score: `adjusted` after the bounds, rounded.'),
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
    match_flags: matchFlags,
  },
  'The score as a sum of points.',
);

const trustScore = named(
  'TrustScore',
  {
    final,
    raw: number('The sum of the evidence in bits (match weights), the start included.'),
    reasons: texts(
      'Each piece of evidence with its weight in bits, the weightiest first, the start last; the bits add up to `raw`.',
    ),
  },
  'The score as a sum of evidence.',
);

const combined = named(
  'CombinedScore',
  {
    final,
    pre_capped: number('The score before the bounds, 0–100: what `identity_score.adjusted` is.'),
    confidence_level_label: word(['high', 'medium', 'low'], '`confidence_level` in lower case.'),
    explanation: text('Which bound moved the score, or that none did.'),
  },
  'The score before and after the bounds that keep thin or conflicting evidence from a high one.',
);

const DAYS = 'Null where `first_seen` or `last_seen` is.';
const history = named(
  'History',
  {
    first_seen: orNull(v.pipe(v.string(), v.isoTimestamp()), 'When a record of the identity was first seen.'),
    last_seen: orNull(v.pipe(v.string(), v.isoTimestamp()), 'When one was last seen.'),
    days_since_first_seen: orNull(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      `Whole days since then. ${DAYS}`,
    ),
    days_since_last_seen: orNull(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      `Whole days since then. ${DAYS}`,
    ),
  },
  'How long the dominant identity has been on record. All null for a name alone, and where nothing resolved or no record carries a date.',
);

const explained = object(
  {
    code: text('Which piece of evidence it is; the codes are on the page Reasons.'),
    field: orNull(
      v.picklist(['name', 'email', 'phone', 'address']),
      'Of which field; null for the start and the history.',
    ),
    index: orNull(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      'The place of the value among the rows of its field; null where it is no value’s.',
    ),
    key: orNull(v.string(), 'The key under which the value was found; null where it is no value’s.'),
    weight: number('Bits.'),
    score_without: orNull(
      v.number(),
      'The score of the same check without this value; null where it is no value’s.',
    ),
  },
  'One piece of evidence.',
);
const raw = named(
  'Raw',
  {
    graph: v.pipe(
      v.unknown(),
      v.description('What the graph engine answered, as it answered it, without names.'),
    ),
    scoring_model: whole('Version of the scoring model.', 1),
    explanation: list(explained, 'The evidence, one object each.'),
  },
  'For debugging; there only with `operation: "raw"`.',
);

const head = { success: v.pipe(v.literal(true), v.description('Always true with status 200.')) };
const base = {
  trustworthiness_score: score,
  status: band,
  confidence_level: confidence,
  possible_catfish: flag(
    'E-mails, phones or addresses belong, with weight, to people who do not bear the name, or are split among several people.',
  ),
  summary: text('The result in one or two sentences.'),
  message: text(
    'The verdict word of the band (`VERIFIED`, `LIKELY REAL`, `SUSPICIOUS`, `HIGH RISK`), a colon and a sentence; `NO RECORD:` or `NAME ONLY:` where no contact has a record or none was sent.',
  ),
};
const rest = {
  identity_score: identityScore,
  trust_score: trustScore,
  combined_trust_score: combined,
  verification_flags: v.pipe(v.array(v.unknown()), v.description('An empty list.')),
  insights: texts(
    'Observations in sentences, such as a value of another identity or how many have no record.',
  ),
  dominant_identity: orNull(
    identity,
    'The identity that most values resolved to, the name included; null where none did.',
  ),
  field_summary: fieldSummary,
  history,
};

/** An answer in version 1 with the `ai_insights` given. */
const answer1 = <I extends v.GenericSchema>(name: string, insights: I, about: string) =>
  named(
    name,
    {
      ...head,
      request_id: requestId,
      ...base,
      input_validation: validation1,
      ...rest,
      ai_insights: insights,
      raw: v.optional(raw),
    },
    about,
  );
const answer2 = <I extends v.GenericSchema>(name: string, insights: I, about: string) =>
  named(
    name,
    {
      ...head,
      response_version: v.pipe(v.literal('v2'), v.description('The version of the answer’s shape.')),
      request_id: requestId,
      ...base,
      input_validation: validation2,
      ...rest,
      ai_insights: insights,
      raw: v.optional(raw),
    },
    about,
  );

const NARRATIVE = orNull(narrativeInsights, 'Null without `ai=true`.');
export const check1 = answer1('Check', NARRATIVE, 'The answer of a check in version 1, the default. Frozen.');
export const check2 = answer2('CheckV2', NARRATIVE, 'The answer of a check in version 2.');
export const enhanced1 = answer1(
  'Enhanced',
  enhancedInsights,
  'The answer of an enhanced check in version 1, the default. Frozen.',
);
export const enhanced2 = answer2(
  'EnhancedV2',
  enhancedInsights,
  'The answer of an enhanced check in version 2.',
);

/** The answer of a check in version 1, and in version 2, as a program reads it. */
export type Check = v.InferOutput<typeof check1>;
export type CheckV2 = v.InferOutput<typeof check2>;
