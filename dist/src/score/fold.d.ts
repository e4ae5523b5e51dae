import type { Agreement, Evidence, Kind } from '../model.ts';
/** One weighed piece of evidence: what was seen, and what it adds (or takes away), in bits. */
export interface Reason {
    code: 'name' | Kind | 'history' | 'foreign' | 'split';
    bits: number;
}
/** The evidence as it stands for one identity being the person; or for nobody (`identity` null). */
export interface Hypothesis {
    identity: number | null;
    /** Sum of PRIOR and all reasons: log2 of the odds that the submitted values are this person's. */
    bits: number;
    /** The highest score that it may have, whatever the bits (laws 6 and 8). */
    cap: number;
    /** The score that it reaches, not rounded: what the bits say, within the cap. */
    score: number;
    reasons: Reason[];
    /** Bits of contact evidence for this identity, and for people who do not bear the name. */
    support: number;
    foreign: number;
    /** How many kinds of contact resolve to it. */
    kinds: number;
    /** Share of the contacts' gain that its name lets count, 0-1. */
    credit: number;
}
/** Bits that an agreement says: its form's, less what sharing takes away. */
export declare function agreementBits({ type, share }: Agreement): number;
/**
 * Weighs the evidence for every identity that something resolved to, and for nobody. The best corroborated one comes first: the
 * highest score, then most bits, most contact support, the one that bears the name, the lower number. Because the score is the highest
 * that any of them reaches, one more value for the first can never lower it.
 *
 * The form of the sum is Fellegi and Sunter's (1969): independent agreements add up in log2. Agreements of one kind come together
 * rather than independently, so within a kind they approach a bound.
 */
export declare function weigh(evidence: Evidence): Hypothesis[];
/** Odds of 2^bits as a share of 100. */
export declare function percent(bits: number): number;
