import type { Alignment } from './align.ts';
import type { Token } from './token.ts';
/**
 * Likelihood 0-1 that two aligned names are one person's: every link and every lone word multiplies it down.
 */
export declare function evidence(a: readonly Token[], b: readonly Token[], { links, onlyA, onlyB }: Alignment): number;
