import { type Alignment } from './align.ts';
import type { PreparedName } from './prepare.ts';
export type Variation = 'exact' | 'nickname' | 'cultural' | 'transliteration' | 'typo' | 'partial' | 'no_match';
export interface Judgement {
    confidence: number;
    variation: Variation;
    same: boolean;
    /** Missing where the names are equal. */
    alignment?: Alignment;
}
export declare const SAME_AT = 50;
/** Judges two prepared names. Symmetric up to the sides of the alignment. */
export declare function judge(a: PreparedName, b: PreparedName): Judgement;
/** The alignment of a judgement; that of equal names is worked out here. */
export declare function alignmentOf(judgement: Judgement, a: PreparedName, b: PreparedName): Alignment;
