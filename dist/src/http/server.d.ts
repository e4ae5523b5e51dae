import { H3 } from 'h3';
import type { Log } from '../observe/log.ts';
import type { CallRecord } from '../model.ts';
import type { ValidateDeps } from './validate.ts';
export interface ServerDeps extends ValidateDeps {
    /** One of the account's own earlier calls. */
    callOf(account: string, requestId: string): CallRecord | undefined;
    /** Accepted calls of an account in the month of `now` (milliseconds), and that month as `2026-11`. */
    usageOf(account: string, now: number): {
        month: string;
        calls: number;
    };
    /** Whether calls can be served now, part by part. */
    ready(): {
        ready: boolean;
        parts: Record<string, 'ok' | 'failed' | 'starting'>;
    };
    log: Log;
}
/** The whole HTTP side on one screen. A request passes: guard (id, errors, log) → route → auth → body → work. */
export declare function createHttp(deps: ServerDeps): H3;
