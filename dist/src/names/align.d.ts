import { type Token } from './token.ts';
import type { Related, Relation } from './related.ts';
/** One pair of aligned words, or one word that has no partner (its other side is empty). */
export interface AlignedToken {
    a: string;
    b: string;
    relation: Relation | 'missing';
    /** 0-1: how likely the two words are one person's name word, given that the rest agrees. */
    quality: number;
}
export interface Link {
    a: Token[];
    b: Token[];
    related: Related;
}
export interface Alignment {
    links: Link[];
    /** Words without a partner. */
    onlyA: Token[];
    onlyB: Token[];
}
/** Best pairs first; words that fit nothing stay alone. Joined and split words are tried on what is left. */
export declare function align(a: readonly Token[], b: readonly Token[]): Alignment;
