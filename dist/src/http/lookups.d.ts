import type { CallRecord } from '../model.ts';
/** One earlier call as its caller may see it: outcome and counts, never what was submitted. */
export declare function requestView(call: CallRecord): {
    request_id: string;
    time: string;
    endpoint: string;
    response_version: "v1" | "v2";
    trustworthiness_score: number;
    status: import("../model.ts").Band;
    confidence_level: import("../model.ts").Confidence;
    possible_catfish: boolean;
    values: {
        emails: number;
        phones: number;
        addresses: number;
    };
    different_identity: number;
    unverified: number;
    latency_ms: number;
};
/** The month so far. There are no plans yet, so nothing is included and nothing is charged. */
export declare function usageView({ month, calls }: {
    month: string;
    calls: number;
}): {
    month: string;
    calls: number;
    included: null;
    overage: number;
    amount: null;
};
