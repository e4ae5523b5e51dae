import { type Token } from './token.ts';
import { type Related } from './related.ts';
/** Compares two words. Symmetric. */
export declare function relate(a: Token, b: Token): Related;
