/** Least probability of a letter after its two predecessors, as a negative logarithm: about 1 for names, 6 for slips. */
export declare function plausibility(word: string): number;
