// The blocks of `ai_insights` as the interface specifies them. Whatever plugin makes a block, it leaves in this shape and
// this order of keys, or not at all.
import * as v from 'valibot';
import { INTENTS } from '../../intents.js';
import { VARIATIONS } from './facts.js';
const text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(600));
const upTo = (count) => v.pipe(v.array(text), v.maxLength(count));
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
export const BLOCK_SCHEMAS = {
    trust_enhancement: trust,
    fraud_detection: fraud,
    name_matching: names,
};
