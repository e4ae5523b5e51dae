import type { Band, Evidence, MatchStatus } from '../model.ts';
import type { Hypothesis } from './fold.ts';
/** What the texts are written from: numbers, statuses and identity numbers; never a submitted value. */
export interface TextFacts {
    evidence: Evidence;
    best: Hypothesis;
    name: {
        status: MatchStatus;
        identity: number | null;
    };
    contacts: {
        status: MatchStatus;
        identity: number | null;
    }[];
    /** How many contacts are the person's own, somebody else's, and nobody's. */
    counts: {
        own: number;
        different: number;
        none: number;
    };
    catfish: boolean;
}
export declare const VERDICT: Record<Band, string>;
/** Score bands of the interface specification: 85, 65 and 40. */
export declare function bandOf(score: number): Band;
/** The band's verdict word, a colon and one sentence. */
export declare function message(score: number, sentence: string): string;
/** Whose the values are, in one sentence. */
export declare function headline(facts: TextFacts): string;
/** One or two sentences: the headline, and what weighs most beside it. */
export declare function summary(facts: TextFacts, sentence: string): string;
/** Observations a person can act on, most important first. */
export declare function insights(facts: TextFacts): string[];
/** A sentence for each reason of the fold, with its weight; the same pass that gave the score. */
export declare function reasonTexts({ best, evidence }: TextFacts): string[];
