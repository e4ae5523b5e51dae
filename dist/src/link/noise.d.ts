/**
 * What the records themselves tell of their errors; null where they tell nothing, or where what they tell may have other reasons. In
 * clean records all is null, and every disagreement counts in full.
 */
export interface Noise {
    /** Names of one person that are no variants of each other. */
    name: FieldNoise | null;
    /** Birth dates of one person that are no slips of each other. */
    birth: FieldNoise | null;
    /** Of the pairs of records at one address, how many are one person's, 0-1; the rest are its household's. */
    address: number | null;
}
export interface FieldNoise {
    /** How often two records of one person differ in the field, 0-1. */
    rate: number;
    /** Of the pairs at one address that differ in the field and agree in the other, how many are two people's (twins, namesakes), 0-1. */
    others: number;
}
export declare const NO_NOISE: Noise;
/** How two records at one address compare: do the names agree, do the birth dates, and are they `bothRecur`? */
export interface Sighting {
    names: boolean;
    births: boolean;
    recurring: boolean;
}
export interface NoiseCounter {
    see(pair: Sighting): void;
    /** @param recurring share of the dated records whose name and birth date are on another record too, 0-1 */
    noise(recurring: number): Noise;
}
/**
 * Estimates the noise from pairs of records at one address, by whether names agree and whether birth dates do. One person's records
 * that err in one differ in one, and both differ as often as independent errors make them; all above that are households. Households
 * have twins and namesakes, which look like errors: those are estimated and taken away.
 *
 * The idea of learning a field's error rate from pairs that the other fields match is Winkler's (1988, by expectation maximisation);
 * with three classes and two fields the moments give it in closed form.
 */
export declare function noiseCounter(): NoiseCounter;
