import type { Verdict } from '../model.ts';
import type { ViewInput } from './view.ts';
/** The whole response of a check in version 1. */
export declare function v1(verdict: Verdict, { requestId, now, insights }: ViewInput): {
    success: boolean;
    request_id: string;
    trustworthiness_score: number;
    status: import("../model.ts").Band;
    confidence_level: import("../model.ts").Confidence;
    possible_catfish: boolean;
    summary: string;
    message: string;
    input_validation: {
        name: {
            input: {} | null;
            match_status: string | null;
            matched_identity: number | null;
            is_primary: string;
            match_message: string | null;
            inputs: object[];
        };
        email: {
            input: {} | null;
            match_status: string | null;
            matched_identity: number | null;
            is_primary: string;
            match_message: string | null;
            inputs: object[];
        };
        phone: {
            input: {} | null;
            match_status: string | null;
            matched_identity: number | null;
            is_primary: string;
            match_message: string | null;
            inputs: object[];
        };
        address?: {
            input: {} | null;
            match_status: string | null;
            matched_identity: number | null;
            is_primary: string;
            match_message: string | null;
            inputs: object[];
        } | undefined;
        overall_match: {
            all_components_match_same_identity: boolean;
            matched_identity: number | null;
        };
    };
    identity_score: {
        final: number;
        raw: number;
        adjusted: number;
        penalties: number;
        bonuses: number;
        fraud_risk_penalty: number;
        submitted_fields: string[];
        match_flags: Partial<Record<import("../model.ts").Field, string>>;
    };
    trust_score: {
        final: number;
        raw: number;
        reasons: string[];
    };
    combined_trust_score: {
        final: number;
        pre_capped: number;
        confidence_level_label: string;
        explanation: string;
    };
    verification_flags: never[];
    insights: string[];
    dominant_identity: number | null;
    field_summary: {
        name: {
            status: string | null;
            matched_identity: number | null;
            total: number;
            validated: number;
            primary_for_dominant: number;
            validated_for_dominant: number;
            validated_other_identities: Record<string, number>;
            unverified: number;
        };
        email: {
            status: string | null;
            matched_identity: number | null;
            total: number;
            validated: number;
            primary_for_dominant: number;
            validated_for_dominant: number;
            validated_other_identities: Record<string, number>;
            unverified: number;
        };
        phone: {
            status: string | null;
            matched_identity: number | null;
            total: number;
            validated: number;
            primary_for_dominant: number;
            validated_for_dominant: number;
            validated_other_identities: Record<string, number>;
            unverified: number;
        };
        address: {
            status: string | null;
            matched_identity: number | null;
            total: number;
            validated: number;
            primary_for_dominant: number;
            validated_for_dominant: number;
            validated_other_identities: Record<string, number>;
            unverified: number;
        };
    };
    history: {
        first_seen: string | null;
        last_seen: string | null;
        days_since_first_seen: number | null;
        days_since_last_seen: number | null;
    };
    ai_insights: object | null;
    raw?: {} | null | undefined;
};
