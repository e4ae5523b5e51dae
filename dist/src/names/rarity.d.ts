import type { Token } from './token.ts';
/** Share of people, 0-1, who bear a folded name word (a-z); undefined where it is not known. */
export type NameFrequency = (word: string) => number | undefined;
/** Lets the operator's own population say how rare a word is; `undefined` goes back to the tables. */
export declare function useNameFrequencies(source: NameFrequency | undefined): void;
/** 0 for the commonest words (one person in 500 or more), 1 for the rarest (one in 50,000 or fewer). */
export declare function rarity(t: Token): number;
