import type { Band, Intent } from '../../../model.ts';
import type { FactName, Facts } from '../facts.ts';
import type { Pattern } from './patterns.ts';
/** The band of a score from 0 to 100, by the thresholds of the interface. */
export declare function bandOf(score: number): Band;
/** All facts of one pattern, with an empty stream. */
export declare function factsOf(pattern: Pattern, intent: Intent): Facts;
export interface Sample {
    title: string;
    facts: Partial<Facts>;
}
/** The declared facts of every pattern under every intent: 252 samples. */
export declare function samplesOf(declared: readonly FactName[]): Sample[];
