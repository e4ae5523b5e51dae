// Blocks of `ai_insights` as the interface specifies them. Every plugin's block is validated against its schema and returned in this order
// of keys, or it is not returned.
import * as v from 'valibot';
import { INTENTS } from '../../model.ts';
import { NAME_VARIATIONS, type AiInsightsPartName } from './facts.ts';

const sentence = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(600));
const text = (about: string) => v.pipe(sentence, v.description(about));
const upTo = (count: number, about: string) =>
  v.pipe(v.array(sentence), v.maxLength(count), v.description(about));
const count = (about: string) => v.pipe(v.number(), v.integer(), v.minValue(0), v.description(about));
const time = (about: string) =>
  v.pipe(v.nullable(v.pipe(v.string(), v.isoTimestamp())), v.description(about));
const flag = (about: string) => v.pipe(v.boolean(), v.description(about));
const word = <const O extends readonly string[]>(options: O, about: string) =>
  v.pipe(v.picklist(options), v.description(about));

const analysis = v.object({
  summary: text('One sentence on the level of trust.'),
  key_factors: upTo(3, 'Main evidence behind the score.'),
  red_flags: upTo(3, 'Evidence against the person.'),
  recommendations: upTo(3, 'Advice.'),
});

const trust = v.object({
  trust_enhancement: v.object({
    intent: word(INTENTS, 'Intent of the request; `general` if it was unknown.'),
    ai_trust_analysis: v.pipe(analysis, v.description('The narrative.')),
  }),
  overview: v.object({
    overview: text('A headline of one or two sentences, safe to show to end users.'),
    key_findings: upTo(5, 'Findings.'),
    positive_signals: upTo(5, 'Verified facts that raise confidence.'),
    risk_factors: upTo(5, 'Risks; empty if there are none.'),
    recommended_actions: upTo(5, 'Suggested next steps.'),
    review_priority: word(
      ['AUTO_APPROVE', 'MANUAL_REVIEW', 'AUTO_REJECT'],
      'Suggested queue for a review: a hint, not a decision.',
    ),
  }),
});

const fraudAnalysis = v.object({
  risk_level: word(['LOW', 'MEDIUM', 'HIGH'], 'Risk of fraud, from the subject’s values.'),
  confidence: v.pipe(
    v.number(),
    v.minValue(0),
    v.maxValue(1),
    v.description('Confidence in the analysis, 0 to 1.'),
  ),
  patterns_detected: upTo(6, 'Patterns in the subject’s values.'),
  velocity_concerns: flag('The caller’s own traffic is faster than usual.'),
  consistency_issues: upTo(6, 'Contradictions among the subject’s values.'),
  stream_observations: upTo(6, 'About the caller’s own recent traffic.'),
  recommendation: text('Advice about the subject.'),
});

const requestStream = v.object({
  records_in_window: count('Calls in the window.'),
  catfish_flag_count: count('Number of these calls with the catfish flag.'),
  earliest_timestamp: time('Time of the first of these calls; null if there is none.'),
  latest_timestamp: time('Time of the last of these calls; null if there is none.'),
});

const fraud = v.object({
  fraud_analysis: v.pipe(
    fraudAnalysis,
    v.description(
      'Analysis of the subject; `velocity_concerns` and `stream_observations` are about the caller.',
    ),
  ),
  history_analyzed: count('Number of the caller’s calls that were analysed.'),
  request_stream: v.pipe(requestStream, v.description('The caller’s own recent traffic, counted.')),
  scope_note: text(
    'Which part is about the subject and which about the caller; read it before showing either.',
  ),
});

const nameAnalysis = v.object({
  match_confidence: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(100),
    v.description('Confidence that both names are one person’s, 0 to 100.'),
  ),
  variation_type: word(NAME_VARIATIONS, 'Main difference between the names.'),
  same_person_likely: flag('True if the names could be one person’s.'),
  concerns: upTo(5, 'Findings against one person.'),
  explanation: text('The findings in words.'),
});

const names = v.object({
  provided_name: v.pipe(v.string(), v.description('The submitted name.')),
  matched_name: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The nearest name on record, without words that were not submitted unless two contacts of the identity were; for a name alone the submitted name; null if none matched.',
    ),
  ),
  name_analysis: v.pipe(nameAnalysis, v.description('The comparison.')),
  skipped: flag('No name on record was matched.'),
});

/** Part of the response that a `trust_enhancement` feature returns from `finish`. Every sentence has 1 to 600 characters. */
export type TrustBlock = v.InferOutput<typeof trust>;
/** Part of the response that a `fraud_detection` feature returns from `finish`. Every list has at most six entries. */
export type FraudBlock = v.InferOutput<typeof fraud>;
/** Part of the response that a `name_matching` feature returns from `finish`. */
export type NameBlock = v.InferOutput<typeof names>;

/** Blocks (parts of the response) that a feature's `finish` returns, by the value of `gives`. */
export interface AiInsightsBlocks {
  trust_enhancement: TrustBlock;
  fraud_detection: FraudBlock;
  name_matching: NameBlock;
}

/** Schemas of the response parts that features create, as plain object schemas, whose fields OpenAPI can list. */
export const RESPONSE_BLOCK_OBJECT_SCHEMAS = {
  trust_enhancement: trust,
  fraud_detection: fraud,
  name_matching: names,
};

/** Schemas that validate the response part of each feature. */
export const RESPONSE_BLOCK_SCHEMAS: {
  [S in AiInsightsPartName]: v.GenericSchema<unknown, AiInsightsBlocks[S]>;
} = RESPONSE_BLOCK_OBJECT_SCHEMAS;
