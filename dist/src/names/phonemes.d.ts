/**
 * What the scripts of two words leave out: `full` nothing, `eastern` an r after a vowel as well, `bare` short vowels (Arabic, Hebrew, Thai), `indic` the short a;
 * `latin`: both words are Latin, so that letters count for more.
 */
export type SoundMode = 'full' | 'eastern' | 'bare' | 'indic' | 'latin';
/** Costs for pairs of symbols and for leaving one out; indexed by character code less 33. */
export interface SoundCosts {
    swap: Float32Array;
    drop: Record<SoundMode, Float32Array>;
    weight: Float32Array;
}
/**
 * Distance of two sounds, 0 (alike) upwards; about 1 when nothing agrees. A difference in the first sound counts half as
 * much again. Of sounds further apart than `far` no more is told than that they are.
 */
export declare function soundDistance(a: string, b: string, mode: SoundMode, far?: number): number;
