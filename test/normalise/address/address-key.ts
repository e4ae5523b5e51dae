import type { Address, LookupKey } from '../../../src/model.ts';
import { normaliseAddress } from '../../../src/normalise/address.ts';

/** Returns the keys of an address. Missing parts are empty. */
export const getAddressKeys = (parts: Partial<Address>): readonly LookupKey[] =>
  normaliseAddress({ street: '', street2: '', city: '', state: '', zip: '', country: '', ...parts })!.keys;

/** Returns the `address` key of an address, which contains its unit; null if it has none. Missing parts are empty. */
export function getAddressKey(parts: Partial<Address>): string | null {
  const [first] = getAddressKeys(parts);
  return first?.type === 'address' ? first.text : null;
}
