import * as v from 'valibot';
import type { Intent } from '../../model.ts';
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
/** The schema that each block has to pass. */
export declare const BLOCK_SCHEMAS: {
    [S in Slot]: v.GenericSchema<unknown, Blocks[S]>;
};
