/** A state or province: its postal code, and the country it is in. */
interface State {
    readonly code: string;
    readonly country: string;
}
/** ISO 3166 code of a country's name or code in any case; the empty string where it is not known. */
export declare function countryCode(text: string): string;
/**
 * Postal code of a state's or province's name or code, and its country. Without a country the US are tried
 * first, then Canada, then Australia.
 */
export declare function stateCode(text: string, country: string): State | undefined;
/** A postcode split: `zip` as shown, `plus4` where it is a nine-digit US one, `key` as compared. */
export interface Zip {
    zip: string;
    plus4: string;
    key: string;
}
/** Reads a postcode, already uppercased. A US one of four digits gets its lost zero back where its state says so. */
export declare function readZip(text: string, country: string, state: string): Zip;
/** The country that state and postcode give away, where none was said. */
export declare function inferCountry(stateCountry: string | undefined, zip: string): string;
/** A city's name for comparing: folded, usual abbreviations, no spaces (`Saint Paul` and `St. Paul` → `STPAUL`). */
export declare function cityKey(text: string): string;
export {};
