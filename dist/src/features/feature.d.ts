import type { FactSource } from './facts.ts';
import type { Counters } from './metrics.ts';
import type { Ready } from './setup.ts';
export interface FeatureResult {
    /** True where there is no answer: the analysis failed or is turned off. */
    failed: boolean;
    /** By key of `ai_insights`. */
    blocks: Record<string, object>;
}
interface Tools {
    now: () => number;
    counters: Counters;
    log: {
        warn(line: string): void;
    };
}
type Request = Omit<FactSource, 'now'> & {
    signal: AbortSignal;
};
/** Runs a feature. Never rejects. Trouble is logged by code and hint, neither of which holds a submitted value. */
export declare function runFeature(ready: Ready, request: Request, tools: Tools): Promise<FeatureResult>;
export {};
