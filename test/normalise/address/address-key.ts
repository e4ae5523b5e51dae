import type { Address } from '../../../src/model.ts';
import { normaliseAddress } from '../../../src/normalise/address.ts';

/** Returns the `address` key of an address, which contains its unit; null if it has none. Missing parts are empty. */
export function getAddressKey(parts: Partial<Address>): string | null {
  const address = { street: '', street2: '', city: '', state: '', zip: '', country: '', ...parts };
  const [first] = normaliseAddress(address)!.keys;
  return first?.type === 'address' ? first.text : null;
}
