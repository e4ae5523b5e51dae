import type { H3Event } from 'h3';
import type { CallRecord, Claim, Verdict } from '../model.ts';
import type { FindKey } from './auth.ts';
import type { Insights } from './insights.ts';
export interface ValidateDeps {
    findKey: FindKey;
    check(claim: Claim, options: {
        now: number;
    }): Promise<Verdict>;
    insights: Insights;
    record(call: CallRecord): Promise<void>;
}
/** The two validate operations, top to bottom: who asks, what is claimed, the check, the view, the record, the answer. */
export declare function validate(event: H3Event, operation: 'validate' | 'enhanced', deps: ValidateDeps): Promise<import("./answer.ts").Answer & Response>;
