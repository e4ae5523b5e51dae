/** Two words without the letters that they share at the start and at the end. */
export declare function differingParts(a: string, b: string): [string, string];
/**
 * Letters put in, left out, changed, or swapped with their neighbour (optimal string alignment, after Damerau 1964 and
 * Levenshtein 1966): 0 for equal words, at most `limit` + 1, which stands for all that is further apart.
 */
export declare function typoDistance(a: string, b: string, limit: number): number;
