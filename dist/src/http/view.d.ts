import type { Field, ValueVerdict, Verdict } from '../model.ts';
/** What a response is made of. `now` is milliseconds; `insights` the AI block or null. */
export interface ViewInput {
    requestId: string;
    now: number;
    insights: object | null;
}
type Row = Pick<ValueVerdict<unknown, unknown>, 'status' | 'identity'>;
/** A match status in v1's words. */
export declare function statusText({ status, identity }: Row): string;
/**
 * The one row that speaks for a field: the best by Primary, Secondary, Different, Unverified, and the first of
 * equals; undefined where nothing was sent.
 */
export declare function collapse<R extends Row>(rows: R[]): R | undefined;
/** Whether every submitted value, the name included, resolved to the dominant identity. */
export declare function overallMatch({ name, emails, phones, addresses, dominant }: Verdict): {
    all_components_match_same_identity: boolean;
    matched_identity: number | null;
};
export declare function identityScore(verdict: Verdict): {
    final: number;
    raw: number;
    adjusted: number;
    penalties: number;
    bonuses: number;
    fraud_risk_penalty: number;
    submitted_fields: string[];
    match_flags: Partial<Record<Field, string>>;
};
export declare function combinedScore({ combined, confidence }: Verdict): {
    final: number;
    pre_capped: number;
    confidence_level_label: string;
    explanation: string;
};
export declare function fieldSummary({ name, emails, phones, addresses }: Verdict): {
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
/** ISO 8601 UTC timestamps and whole days up to `now`; null where no record carries a date. */
export declare function history({ history: { firstSeen, lastSeen } }: Verdict, now: number): {
    first_seen: string | null;
    last_seen: string | null;
    days_since_first_seen: number | null;
    days_since_last_seen: number | null;
};
export {};
