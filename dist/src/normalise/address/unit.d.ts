/**
 * Takes flat, suite, floor and building out of one line's words and puts them into `units`, under one
 * spelling: designators of a single dwelling are dropped (`APT 4B`, `#4B`, `UNIT 4B` → `4B`), floors and buildings keep theirs.
 *
 * @returns the words that are left.
 */
export declare function takeUnits(words: string[], units: string[]): string[];
