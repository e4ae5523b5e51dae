import type { Caller, Claim, Endpoint, Verdict } from '../model.ts';
/** What the AI features may know of a call besides claim and verdict. */
export interface InsightsContext {
    caller: Caller;
    /** When the call arrived, in milliseconds. */
    now: number;
    /** Aborted when the caller goes away. */
    signal: AbortSignal;
}
/** Makes the whole `ai_insights` value, or null on the base endpoint. Never rejects. */
export type Insights = (claim: Claim, verdict: Verdict, endpoint: Endpoint, context: InsightsContext) => Promise<object | null>;
