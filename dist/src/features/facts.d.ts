import type { CallRecord, Intent, Verdict } from '../model.ts';
import type { FactName, Facts, NameFacts } from './plugin/facts.ts';
/** The caller's own calls before this one, oldest first: when they were and how they ended. */
export interface StreamWindow {
    records: StreamCall[];
}
export type StreamCall = Pick<CallRecord, 'time' | 'emails' | 'phones' | 'addresses' | 'score' | 'catfish' | 'different' | 'unverified'>;
export interface FactSource {
    intent: Intent;
    verdict: Verdict;
    names: () => NameFacts;
    stream: () => StreamWindow | Promise<StreamWindow>;
    now: number;
}
/** The declared facts of one request and nothing else. Waits only where the stream was declared. */
export declare function factsFor(declared: readonly FactName[], source: FactSource): Partial<Facts> | Promise<Partial<Facts>>;
