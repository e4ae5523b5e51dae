import type { TypoSignature, StandardAddress } from '../model.ts';
import { FAMILIAR_DOMAINS } from './providers.ts';
import { typoDistance } from './typo.ts';

/** Letters before the @ among which one may be a typo. */
const SHORTEST = 4;

/**
 * An e-mail may hide a typo in its letters, never in its digits: bob1@ and bob2@ are two mailboxes. Nor in its domain, unless that is a
 * well-known provider's: a look-alike domain is what an impostor registers. Nor in so short a name that a letter makes another; then null.
 */
export function emailSignature(email: string): TypoSignature | null {
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
export function addressSignature(address: StandardAddress): TypoSignature | null {
  const number = /\d+/.exec(address.street)?.[0];
  const place = address.zip.slice(0, 5) || address.city;
  if (!number || !place) return null;
  return { kind: 'address', exactPart: `${number}|${place}`, text: address.street.toLowerCase() };
}
