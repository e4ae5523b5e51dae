import type { Known } from './observations.ts';
import type { Situation, Tier } from './words.ts';
/** What the facts amount to, the gravest first. */
export declare function situationOf(known: Known): Situation;
export declare function tierOf(situation: Situation, { score }: Known): Tier;
/** One sentence on the trust level: where the caller's intent looks first, then the evidence, then the score. */
export declare function summaryOf(situation: Situation, known: Known): string;
/** One or two sentences, fit to be shown to anybody. */
export declare function headlineOf(situation: Situation, known: Known): string;
