import { type StreetName } from './street.ts';
/** A street line taken apart. Empty strings stand for what is not there. */
export interface StreetParts {
    /** House number with letter and fraction: `12A`, `123 1/2`; or the number of a post box. */
    number: string;
    street: StreetName;
    /** Flat, suite, floor, building: `4B`, `FL3`, `BL2 4`. */
    unit: string;
    box: boolean;
}
/**
 * Takes street lines apart: house number, street, unit, post box. Handles units and building names in front,
 * numbers before and after the street, one line or several parts with commas.
 */
export declare function parseStreet(text: string): StreetParts;
