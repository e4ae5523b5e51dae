import type { Address, PostalAddressContact, Contact, ContactKind, EmailOrPhoneContact } from '../model.ts';
import { normaliseAddress } from './address.ts';
import { normaliseEmail } from './email.ts';
import { normalisePhone } from './phone.ts';

/**
 * Normalises one e-mail, phone or address; see `normaliseEmail`, `normalisePhone` and `normaliseAddress`. Checks and imports both use this function,
 * so that their look-up keys are equal. Returns null for an unusable value.
 * @param region ISO code of the country for numbers and addresses without a country; for a phone, several countries are tried in order
 */
export function normaliseContact(
  kind: EmailOrPhoneContact['kind'],
  input: string,
  region: string | readonly string[],
): EmailOrPhoneContact | null;
export function normaliseContact(
  kind: 'address',
  input: Address,
  region: string,
): PostalAddressContact | null;
export function normaliseContact(
  kind: ContactKind,
  input: string | Address,
  region: string | readonly string[],
): Contact | null {
  if (typeof input !== 'string')
    return normaliseAddress(input, typeof region === 'string' ? region : region[0]);
  return kind === 'email' ? normaliseEmail(input) : normalisePhone(input, region);
}
