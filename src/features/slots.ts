// The blocks of `ai_insights` as the interface specifies them. Whatever plugin makes a block, it leaves in this shape and
// this order of keys, or not at all.
import { INTENTS } from '../intents.ts';
import * as v from 'valibot';
import type { Slot } from './facts.ts';

const text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(600));
const upTo = (count: number) => v.pipe(v.array(text), v.maxLength(count));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const time = v.nullable(v.pipe(v.string(), v.isoTimestamp()));
const intent = v.picklist(INTENTS);

export const variationTypes = [
  'exact',
  'nickname',
  'cultural',
  'transliteration',
  'typo',
  'partial',
  'no_match',
] as const;

const trustEnhancement = v.object({
  intent,
  ai_trust_analysis: v.object({
    summary: text,
    key_factors: upTo(3),
    red_flags: upTo(3),
    recommendations: upTo(3),
  }),
});

const overview = v.object({
  overview: text,
  key_findings: upTo(5),
  positive_signals: upTo(5),
  risk_factors: upTo(5),
  recommended_actions: upTo(5),
  review_priority: v.picklist(['AUTO_APPROVE', 'MANUAL_REVIEW', 'AUTO_REJECT']),
});

const fraudDetection = v.object({
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

const nameMatching = v.object({
  provided_name: v.string(),
  matched_name: v.nullable(v.string()),
  name_analysis: v.object({
    match_confidence: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
    variation_type: v.picklist(variationTypes),
    same_person_likely: v.boolean(),
    concerns: upTo(5),
    explanation: text,
  }),
  skipped: v.boolean(),
});

/** What a feature's `finish` has to return, per slot. */
export const slotSchemas = {
  trust_enhancement: v.object({ trust_enhancement: trustEnhancement, overview }),
  fraud_detection: fraudDetection,
  name_matching: nameMatching,
} satisfies Record<Slot, v.GenericSchema>;

export type SlotBlock<S extends Slot> = v.InferOutput<(typeof slotSchemas)[S]>;
