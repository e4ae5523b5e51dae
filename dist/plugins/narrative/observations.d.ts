import type { Facts } from 'bonafide/plugin';
export type Known = Pick<Facts, 'intent' | 'score' | 'matches' | 'history'>;
export interface Observation {
    id: string;
    /** Why the score is what it is: `key_factors`. */
    factor?: string;
    /** Speaks against the person: `red_flags`, and in short `risk_factors`. */
    flag?: string;
    risk?: string;
    /** A verified fact in a few words: `positive_signals`. */
    signal?: string;
    /** What would settle it: `recommended_actions`. */
    action?: string;
}
/** History is told of an identity that a contact led to; one that shares a name with the person proves nothing. */
export declare function isThin({ history: { days_since_first_seen: days }, matches }: Known): boolean;
/** Everything there is to say, strongest first. */
export declare function observe(known: Known): Observation[];
