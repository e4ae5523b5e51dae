import type { CallRecord } from '../../model.ts';
import type { Store } from './open.ts';
export interface Window {
    /** Milliseconds; calls at or after this. */
    since: number;
    /** Milliseconds; calls before this. */
    before: number;
    limit: number;
}
/** What is told of an earlier call: when it was and how it ended. */
export type RecentCall = Pick<CallRecord, 'time' | 'emails' | 'phones' | 'addresses' | 'score' | 'catfish' | 'different' | 'unverified'>;
/**
 * One account's own calls in a window of time, the oldest first; the newest `limit` of them. Prepared by hand: it is on
 * the path of every enhanced check, and a thousand rows through the query builder take three times as long.
 */
export declare function window(store: Store, account: string, { since, before, limit }: Window): RecentCall[];
/** One call of one account, or undefined where there is none or it is somebody else's. */
export declare function callOf(store: Store, account: string, requestId: string): CallRecord | undefined;
