import type { Relation, TokenComparison } from './types.ts';

/** The answer on two single words. */
export const relation = (name: Relation, quality: number): TokenComparison => ({ relation: name, quality });
export const DIFFERENT = relation('different', 0);
