import type { Claim, Intent, Verdict } from '../model.ts';
import type { StreamWindow } from './facts.ts';
import type { Counters } from './metrics.ts';
import type { NameFacts } from './plugin/facts.ts';
import type { Setup } from './setup.ts';
export interface FeatureRequest {
    endpoint: 'validate_ai' | 'enhanced';
    intent: Intent;
    include: Claim['include'];
    verdict: Verdict;
    /** The two names and the name engine's view of them; called only when name matching runs. */
    names: () => NameFacts;
    /** The caller's calls before this one, oldest first; read only when the fraud analysis runs. */
    stream: () => StreamWindow | Promise<StreamWindow>;
    /** Aborted when the caller goes away. */
    signal: AbortSignal;
}
interface Tools {
    now: () => number;
    counters: Counters;
    log: {
        warn(line: string): void;
    };
}
/** The whole value. Never rejects. The narrative always runs, since `overview` cannot be left out; the others only where they are asked for. */
export declare function insightsOf(request: FeatureRequest, setup: Setup, tools: Tools): Promise<object>;
export {};
