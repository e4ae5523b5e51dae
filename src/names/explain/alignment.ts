// What an alignment is made of.
import type { Relation, Token, TokenComparison } from '../types.ts';

/** One pair of aligned words, or one word that has no partner (its other side is empty). */
export interface AlignedWord {
  a: string;
  b: string;
  relation: Relation | 'missing';
  /** 0-1: how likely the two words are one person's name word, given that the rest agrees. */
  quality: number;
}

/** A word, or two that are one on the other side. */
export type Side = [Token, ...Token[]];

export interface Link {
  a: Side;
  b: Side;
  comparison: TokenComparison;
}

export interface Alignment {
  links: Link[];
  /** Words without a partner. */
  onlyA: Token[];
  onlyB: Token[];
}
