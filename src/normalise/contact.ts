import type {
  Address,
  AddressContact,
  Contact,
  ContactKind,
  TextContact,
  TypoSignature,
  StandardAddress,
} from '../model.ts';
import { normaliseAddress } from './address.ts';
import { normaliseEmail, WELL_KNOWN_DOMAINS } from './email.ts';
import { normalisePhone } from './phone.ts';
import { typoDistance } from './typo.ts';

/**
 * Normalises one contact value of any kind. Checks and imports both use this function, so that their keys are equal. `region` is the ISO
 * code of the country in which numbers and addresses without a country are read; for a phone, several are tried in order. Returns null if
 * the value cannot be used; see `normaliseEmail`, `normalisePhone` and `normaliseAddress`.
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

/** Letters before the @ from which on a typing error is searched. In shorter addresses, one letter makes another mailbox. */
const MIN_LOCAL_LENGTH = 4;

/**
 * Returns the signature by which e-mails with a typing error are found; null for a short address. Digits must agree (bob1@ and bob2@ are
 * two mailboxes), and so must the domain unless it is a typing error of a well-known provider: an impostor registers look-alike domains.
 */
function emailSignature(email: string): TypoSignature | null {
  const at = email.lastIndexOf('@');
  if (at < MIN_LOCAL_LENGTH) return null;
  const domain = email.slice(at + 1);
  const provider = WELL_KNOWN_DOMAINS.includes(domain)
    ? domain
    : WELL_KNOWN_DOMAINS.find((known) => typoDistance(known, domain, 1) === 1);
  const exactPart = `${email.slice(0, at).replace(/[^0-9]+/g, '')}@${provider ?? domain}`;
  return { kind: 'email', exactPart, text: email };
}

/**
 * Returns the signature by which street names with a typing error are found. House number and place must agree; null if one of them is
 * missing.
 */
function addressSignature(address: StandardAddress): TypoSignature | null {
  const number = /\d+/.exec(address.street)?.[0];
  const place = address.zip.slice(0, 5) || address.city;
  if (!number || !place) return null;
  return { kind: 'address', exactPart: `${number}|${place}`, text: address.street.toLowerCase() };
}
