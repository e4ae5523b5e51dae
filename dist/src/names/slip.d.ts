/**
 * Likelihood 0-1 that two different Latin words are one word with one or two slips. Short words have none. A slip
 * leaves a word that is no name, so one odd-looking word among the two speaks for it and two real-looking ones
 * against it. `known` = how many of the two words are in the tables.
 */
export declare function slipQuality(a: string, b: string, known: number): number;
