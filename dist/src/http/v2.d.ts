import type { Verdict } from '../model.ts';
import type { ViewInput } from './view.ts';
/** The whole response of a check in version 2: version 1 with another `input_validation` and `response_version`. */
export declare function v2(verdict: Verdict, input: ViewInput): {
    trustworthiness_score: number;
    status: import("../model.ts").Band;
    confidence_level: import("../model.ts").Confidence;
    possible_catfish: boolean;
    summary: string;
    message: string;
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
    success: boolean;
    response_version: string;
    request_id: string;
    input_validation: {
        name: {
            input: unknown;
            standardized: unknown;
            match_status: "Different Identity" | "Unverified" | "Verified";
            matched_identity: number | null;
            is_primary: boolean;
            validated: boolean;
        }[];
        emails: {
            input: unknown;
            standardized: unknown;
            match_status: "Different Identity" | "Unverified" | "Verified";
            matched_identity: number | null;
            is_primary: boolean;
            validated: boolean;
        }[];
        phones: {
            input: unknown;
            standardized: unknown;
            match_status: "Different Identity" | "Unverified" | "Verified";
            matched_identity: number | null;
            is_primary: boolean;
            validated: boolean;
        }[];
        addresses: {
            input: unknown;
            standardized: unknown;
            match_status: "Different Identity" | "Unverified" | "Verified";
            matched_identity: number | null;
            is_primary: boolean;
            validated: boolean;
        }[];
        overall_match: {
            all_components_match_same_identity: boolean;
            matched_identity: number | null;
        };
    };
};
