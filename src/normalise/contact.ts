import type { Address, AddressContact, Contact, ContactKind, TextContact } from '../model.ts';
import { normaliseAddress } from './address.ts';
import { normaliseEmail } from './email.ts';
import { normalisePhone } from './phone.ts';
import { addressSignature, emailSignature } from './signature.ts';

/**
 * Brings one contact value of any kind into the spelling under which it is looked up and compared: the one place where checks and imports
 * normalise, so that they cannot differ.
 *
 * @param region ISO code of the country in which numbers and addresses that name none are read; a phone may have several, tried in order.
 * @returns null where the value can't be used; see `normaliseEmail`, `normalisePhone` and `normaliseAddress`.
 */
export function normaliseContact(
  kind: TextContact['kind'],
  input: string,
  region: string | readonly string[],
): TextContact | null;
export function normaliseContact(kind: 'address', input: Address, region: string): AddressContact | null;
export function normaliseContact(
  kind: ContactKind,
  input: string | Address,
  region: string | readonly string[],
): Contact | null {
  if (typeof input !== 'string')
    return addressContact(input, typeof region === 'string' ? region : region[0]);
  return kind === 'email' ? emailContact(input) : phoneContact(input, region);
}

function emailContact(input: string): TextContact | null {
  const normal = normaliseEmail(input);
  if (normal === null) return null;
  const { standardized, keys } = normal;
  return { kind: 'email', input, standardized, keys, signature: emailSignature(standardized) };
}

function phoneContact(input: string, region: string | readonly string[]): TextContact | null {
  const normal = normalisePhone(input, region);
  if (normal === null) return null;
  return { kind: 'phone', input, standardized: normal.standardized, keys: normal.keys, signature: null };
}

function addressContact(input: Address, region: string | undefined): AddressContact | null {
  const normal = normaliseAddress(input, region);
  if (normal === null) return null;
  const { standardized, keys } = normal;
  return { kind: 'address', input, standardized, keys, signature: addressSignature(standardized) };
}
