import type { Address, AddressContact, TextContact } from '../model.ts';
/**
 * Brings one contact value of any kind into the spelling under which it is looked up and compared: the one place where checks and imports
 * normalise, so that they cannot differ.
 *
 * @param region ISO code of the country in which numbers and addresses that name none are read; a phone may have several, tried in order.
 * @returns null where the value can't be used; see `normaliseEmail`, `normalisePhone` and `normaliseAddress`.
 */
export declare function normaliseContact(kind: TextContact['kind'], input: string, region: string | readonly string[]): TextContact | null;
export declare function normaliseContact(kind: 'address', input: Address, region: string): AddressContact | null;
