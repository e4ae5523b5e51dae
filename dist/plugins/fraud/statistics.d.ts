export declare function logGamma(x: number): number;
/** P(X ≥ k) for a Poisson count. */
export declare function poissonTail(k: number, mean: number): number;
/**
 * P(X ≥ k) for counts that scatter more than a Poisson count: a negative binomial fitted by moments (Fisher 1941).
 * With a variance at or below the mean it is the Poisson tail.
 */
export declare function countTail(k: number, mean: number, variance: number): number;
/** Fisher's exact test, one-sided: how likely a share of `hits/of` or more is if it were drawn like `earlierHits/earlierOf`. */
export declare function fisherTail(hits: number, of: number, earlierHits: number, earlierOf: number): number;
export declare function median(values: readonly number[]): number;
/**
 * Quartile coefficient of dispersion (Q3 − Q1) / (Q3 + Q1): like the coefficient of variation, but a few long pauses do
 * not move it. 0 is a metronome, 0.656 what unscheduled (exponential) gaps give. Null when the gaps are all zero.
 */
export declare function quartileDispersion(gaps: readonly number[]): number | null;
/**
 * How likely so small a dispersion is among `count` unscheduled gaps: normal approximation with the exponential's mean
 * 0.656 and standard error 0.563/√n, by the delta method on the two quartiles.
 */
export declare function regularityTail(dispersion: number, count: number): number;
/** P(Z ≥ z), Abramowitz & Stegun 26.2.17 (error below 1e-7) and the asymptotic form in the far tail. */
export declare function normalUpperTail(z: number): number;
/** Holm's step-down (1979): which of several tests stand when all together may err at most at `alpha`. */
export declare function holm<T extends {
    p: number;
}>(tests: readonly T[], alpha: number): T[];
