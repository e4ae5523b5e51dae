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
import { normaliseEmail, FAMILIAR_DOMAINS } from './email.ts';
import { normalisePhone } from './phone.ts';
import { typoDistance } from './typo.ts';

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

/** Letters before the @ among which one may be a typo. */
const SHORTEST = 4;

/**
 * An e-mail may hide a typo in its letters, never in its digits: bob1@ and bob2@ are two mailboxes. Nor in its domain, unless that is a
 * well-known provider's: a look-alike domain is what an impostor registers. Nor in so short a name that a letter makes another; then null.
 */
function emailSignature(email: string): TypoSignature | null {
  const at = email.lastIndexOf('@');
  if (at < SHORTEST) return null;
  const domain = email.slice(at + 1);
  const provider = FAMILIAR_DOMAINS.includes(domain)
    ? domain
    : FAMILIAR_DOMAINS.find((one) => typoDistance(one, domain, 1) === 1);
  const exactPart = `${email.slice(0, at).replace(/[^0-9]+/g, '')}@${provider ?? domain}`;
  return { kind: 'email', exactPart, text: email };
}

/** A street name may hide a typo; house number and place must agree. Null where there is no house number or no place. */
function addressSignature(address: StandardAddress): TypoSignature | null {
  const number = /\d+/.exec(address.street)?.[0];
  const place = address.zip.slice(0, 5) || address.city;
  if (!number || !place) return null;
  return { kind: 'address', exactPart: `${number}|${place}`, text: address.street.toLowerCase() };
}
