import type { Facts } from '../plugin/facts.ts';
type Known = Partial<Facts>;
/** What a text claims about the facts and gets wrong: one entry each. Empty where nothing can be told. */
export declare function claimProblems(text: string, facts: Known): string[];
export {};
