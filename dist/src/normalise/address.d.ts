import type { Address, Normal, StandardAddress } from '../model.ts';
/**
 * Reads one address of any country.
 *
 * `standardized`: every part tidied and uppercased; a nine-digit US zip split into `zip` and `plus4`; states of the US,
 * Canada and Australia as codes, the country as its ISO code, inferred where state and postcode leave no doubt.
 *
 * Forms, each left out where a part that it needs is missing ("place" is the postcode, or else city and state):
 * - `address`: house number, whole street name and unit, at a place; for a street without number, its name at a place
 * - `premise`: the same without the unit
 * - `core` (one or two): house number (digits), the start or the end of the bare street name, postcode. A slip in one half of the name
 *   leaves the other half's form in common
 * - `core_city` (one or two): house number, consonants of the bare street name and of the city, without and with the state: for a missing
 *   or wrong postcode
 * - `street`: house number and bare street name, wherever that is. Look it up only for a claim that names no place
 *
 * "Bare" is without directionals and street type, ordinals as digits. The country is in no form: one record says it
 * and another does not, and postcode or city tell as much.
 *
 * @param region ISO code of the country that an address without one is read as; only the US reading of postcodes depends on it.
 * @returns null where every part is empty. An address of city and state alone is fine and has no keys.
 */
export declare function normaliseAddress(address: Address, region?: string): Normal<StandardAddress> | null;
