// Fraud analysis plugin. Rules or a model assess the subject; statistics alone assess the caller's traffic. No model receives the stream or
// decides confidence, velocity or observations.
import { defineFeature, v } from 'bonafide/plugin';
import type { FraudBlock, StreamFacts } from 'bonafide/plugin';
import { analyseCallStream } from './stream.ts';
import {
  computeRiskConfidence,
  describeInconsistencies,
  describeSubmittedValuePatterns,
  describeRecommendedAction,
  assessRisk,
  RISK_LEVELS,
} from './subject.ts';

const sentence = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(240));
const sentences = v.pipe(v.array(sentence), v.maxLength(6));

const answer = v.object({
  risk_level: v.picklist(RISK_LEVELS),
  patterns_detected: sentences,
  consistency_issues: sentences,
  recommendation: sentence,
});

/** Creates the schema of a call limit with a default. `most` is the highest call count that the plugin receives. */
const limit = (value: number, most: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)), value);
/** Number of calls in the last second, minute and hour from which `velocity_concerns` is set for any caller. */
const options = v.strictObject({
  per_second: limit(20, 1_000),
  per_minute: limit(300, 2_000),
  per_hour: limit(5_000, 10_000),
});

const SCOPE_NOTE =
  'fraud_analysis describes the submitted subject, except stream_observations and velocity_concerns, which describe the caller. request_stream describes the caller’s own recent traffic. Do not show the caller’s traffic as a finding about the subject. Of the subject only scores and match flags were used, of the caller only the times and catfish flags of earlier calls.';

function iso(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

function requestStream({ records }: StreamFacts): FraudBlock['request_stream'] {
  return {
    records_in_window: records.length,
    catfish_flag_count: records.filter(({ catfish }) => catfish).length,
    earliest_timestamp: iso(records[0]?.time),
    latest_timestamp: iso(records.at(-1)?.time),
  };
}

export default defineFeature({
  name: 'fraud',
  version: '1.0.0',
  gives: 'fraud_detection',
  facts: ['intent', 'score', 'matches', 'stream'],
  options,
  answer,
  advice: ['recommendation'],
  brief: ({ intent, score, matches }) => ({
    intent,
    score,
    matches,
    computed: {
      risk_level: assessRisk({ intent, score, matches }),
      patterns: describeSubmittedValuePatterns({ intent, score, matches }),
      inconsistencies: describeInconsistencies({ intent, score, matches }),
    },
  }),
  system: () =>
    'You look for fraud patterns in the result of an identity check: several identities among the contacts, a name that none of them bears, disguised values, evidence of one kind only. `computed` holds what rules have found; risk_level is computed.risk_level. patterns_detected and consistency_issues are about the submitted subject and hold only what the facts show; leave them empty when there is nothing. A value without a record is no pattern. recommendation is one sentence for somebody with this intent.',
  rules: (known) => ({
    risk_level: known.computed.risk_level,
    patterns_detected: known.computed.patterns,
    consistency_issues: known.computed.inconsistencies,
    recommendation: describeRecommendedAction(known, known.computed.risk_level),
  }),
  check(modelAnswer, { computed }) {
    const problems =
      modelAnswer.risk_level === computed.risk_level ? [] : [`risk_level: it is ${computed.risk_level}`];
    if (computed.patterns.length + computed.inconsistencies.length === 0) {
      const claimed = modelAnswer.patterns_detected.length + modelAnswer.consistency_issues.length;
      if (claimed > 0)
        problems.push('patterns_detected and consistency_issues: the facts show none, so both are empty');
    }
    return problems;
  },
  finish(modelAnswer, { facts, brief, options }) {
    const { velocity, observations } = analyseCallStream(facts.stream, options);
    return {
      fraud_analysis: {
        risk_level: modelAnswer.risk_level,
        confidence: computeRiskConfidence(brief),
        patterns_detected: modelAnswer.patterns_detected,
        velocity_concerns: velocity,
        consistency_issues: modelAnswer.consistency_issues,
        stream_observations: observations,
        recommendation: modelAnswer.recommendation,
      },
      history_analyzed: facts.stream.records.length,
      request_stream: requestStream(facts.stream),
      scope_note: SCOPE_NOTE,
    };
  },
});
