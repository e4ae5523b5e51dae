import type { Facts } from 'bonafide/plugin';
export type Known = Pick<Facts, 'intent' | 'score' | 'matches' | 'history'>;
export type Risk = 'LOW' | 'MEDIUM' | 'HIGH';
export declare const risks: readonly ["LOW", "MEDIUM", "HIGH"];
/**
 * HIGH: the catfish flag, or two or more contacts of other identities that are at least as many as the matching ones.
 * MEDIUM: any contact of another identity, or contacts of an identity that does not bear the name. LOW: everything else;
 * values without a record never raise it.
 */
export declare function riskOf(known: Known): Risk;
/**
 * How much the risk level rests on, 0-1: n/(n+2) for n values that resolved (contacts, and the name), which is the weight
 * that Laplace's rule of succession gives n observations. Nothing resolved: 0.
 */
export declare function confidenceOf(known: Known): number;
/** Patterns about the subject, each from facts that are there; none where nothing resolved. */
export declare function patternsOf(known: Known): string[];
/** Where the submitted values disagree with each other. */
export declare function inconsistenciesOf(known: Known): string[];
export declare function recommendationOf(known: Known, risk: Risk): string;
