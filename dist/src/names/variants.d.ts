import type { Token } from './token.ts';
import type { Related } from './related.ts';
/** What the tables say of two words; undefined when nothing. */
export declare function byTables(a: Token, b: Token): Related | undefined;
/**
 * Short forms that no table lists are still made in known ways: a name cut off (Greg, Fran), cut off with a pet ending
 * (Roby, Mellie), or its last part (Tina, Fred).
 */
export declare function byShortening(a: Token, b: Token): Related;
