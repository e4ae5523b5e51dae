// The blocks of `ai_insights` as the interface specifies them. Whatever plugin makes a block, it leaves in this shape and
// this order of keys, or not at all.
import * as v from 'valibot';
import { INTENTS } from '../../intents.ts';
import type { Intent } from '../../model.ts';
import { VARIATIONS } from './facts.ts';
import type { Slot, Variation } from './facts.ts';

/** What `finish` of a `trust_enhancement` feature gives. Every sentence has 1 to 600 characters, here and below. */
export interface TrustBlock {
  trust_enhancement: {
    intent: Intent;
    ai_trust_analysis: {
      summary: string;
      /** Three at most, as the next two. */
      key_factors: string[];
      red_flags: string[];
      recommendations: string[];
    };
  };
  overview: {
    overview: string;
    /** Five at most, as the next four. */
    key_findings: string[];
    positive_signals: string[];
    risk_factors: string[];
    recommended_actions: string[];
    review_priority: 'AUTO_APPROVE' | 'MANUAL_REVIEW' | 'AUTO_REJECT';
  };
}

/** What `finish` of a `fraud_detection` feature gives. */
export interface FraudBlock {
  fraud_analysis: {
    risk_level: 'LOW' | 'MEDIUM' | 'HIGH';
    /** 0 to 1. */
    confidence: number;
    /** Six at most, as the lists below. */
    patterns_detected: string[];
    velocity_concerns: boolean;
    consistency_issues: string[];
    stream_observations: string[];
    recommendation: string;
  };
  /** How many of the caller's calls were looked at. */
  history_analyzed: number;
  request_stream: {
    records_in_window: number;
    catfish_flag_count: number;
    /** ISO 8601, or null for an empty window. */
    earliest_timestamp: string | null;
    latest_timestamp: string | null;
  };
  scope_note: string;
}

/** What `finish` of a `name_matching` feature gives. */
export interface NameBlock {
  provided_name: string;
  matched_name: string | null;
  name_analysis: {
    /** Whole number from 0 to 100. */
    match_confidence: number;
    variation_type: Variation;
    same_person_likely: boolean;
    /** Five at most. */
    concerns: string[];
    explanation: string;
  };
  /** True where no name on record was matched. */
  skipped: boolean;
}

/** What a feature's `finish` returns, by what it `gives`. */
export interface Blocks {
  trust_enhancement: TrustBlock;
  fraud_detection: FraudBlock;
  name_matching: NameBlock;
}

const text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(600));
const upTo = (count: number) => v.pipe(v.array(text), v.maxLength(count));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const time = v.nullable(v.pipe(v.string(), v.isoTimestamp()));

const trust = v.object({
  trust_enhancement: v.object({
    intent: v.picklist(INTENTS),
    ai_trust_analysis: v.object({
      summary: text,
      key_factors: upTo(3),
      red_flags: upTo(3),
      recommendations: upTo(3),
    }),
  }),
  overview: v.object({
    overview: text,
    key_findings: upTo(5),
    positive_signals: upTo(5),
    risk_factors: upTo(5),
    recommended_actions: upTo(5),
    review_priority: v.picklist(['AUTO_APPROVE', 'MANUAL_REVIEW', 'AUTO_REJECT']),
  }),
});

const fraud = v.object({
  fraud_analysis: v.object({
    risk_level: v.picklist(['LOW', 'MEDIUM', 'HIGH']),
    confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    patterns_detected: upTo(6),
    velocity_concerns: v.boolean(),
    consistency_issues: upTo(6),
    stream_observations: upTo(6),
    recommendation: text,
  }),
  history_analyzed: count,
  request_stream: v.object({
    records_in_window: count,
    catfish_flag_count: count,
    earliest_timestamp: time,
    latest_timestamp: time,
  }),
  scope_note: text,
});

const names = v.object({
  provided_name: v.string(),
  matched_name: v.nullable(v.string()),
  name_analysis: v.object({
    match_confidence: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
    variation_type: v.picklist(VARIATIONS),
    same_person_likely: v.boolean(),
    concerns: upTo(5),
    explanation: text,
  }),
  skipped: v.boolean(),
});

/** The schema that each block has to pass. */
export const BLOCK_SCHEMAS: { [S in Slot]: v.GenericSchema<unknown, Blocks[S]> } = {
  trust_enhancement: trust,
  fraud_detection: fraud,
  name_matching: names,
};
