import type { StreamFacts } from 'bonafide/plugin';
/** Chance that a caller who changes nothing is spoken of, per look, over all tests together. */
export declare const alpha = 0.0001;
export interface StreamReport {
    velocity: boolean;
    observations: string[];
}
/** Runs every test that has enough data and tells those that stand, strongest first. A quiet stream gives an empty list. */
export declare function readStream(stream: StreamFacts): StreamReport;
