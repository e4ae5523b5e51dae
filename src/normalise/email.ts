import { domainToASCII } from 'node:url';
import type { NormalisedValue } from '../model.ts';
import { PROVIDERS } from './providers.ts';
import { collapseSpaces } from './text.ts';

const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/** RFC 5322 dot-atom, letters and digits of any script allowed (RFC 6531). Quoted local parts are refused: nobody's real mailbox needs one. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN = /^(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9-]{2,63}$/;
const PLAIN = /^[\x21-\x7e]+$/;

/**
 * Reads one e-mail address.
 *
 * `standardized` is the lowercased address. Forms: `email`, the same with an international domain in
 * punycode; `mailbox`, without the tag and the signs that its provider ignores, so that `Ann.Lee+shop@googlemail.com`
 * and `annlee@gmail.com` meet. Both are always there, the mailbox equal to the address where nothing is to be taken off.
 *
 * @returns null where the text is no usable address: longer than 254 characters, a quoted local part, no dotted
 *   domain, an IP address, or anything before or after the address.
 */
export function normaliseEmail(text: string): NormalisedValue<string> | null {
  const standardized = collapseSpaces(text).toLowerCase();
  if (standardized.length > MAX_EMAIL) return null;
  const at = standardized.lastIndexOf('@');
  const local = standardized.slice(0, at);
  if (at < 1 || local.length > MAX_LOCAL || !LOCAL.test(local)) return null;
  const typed = standardized.slice(at + 1);
  const domain = PLAIN.test(typed) ? typed : domainToASCII(typed);
  if (!DOMAIN.test(domain)) return null;
  return {
    standardized,
    keys: [
      { type: 'email', text: `${local}@${domain}` },
      { type: 'mailbox', text: mailbox(local, domain) },
    ],
  };
}

function mailbox(local: string, domain: string): string {
  const provider = PROVIDERS.get(domain);
  let name = withoutTag(local, '+');
  if (provider === undefined) return `${name}@${domain}`;
  if (provider.tag !== '+') name = withoutTag(name, provider.tag);
  if (provider.ignored !== undefined) name = name.replace(provider.ignored, '') || name;
  return `${name}@${provider.domain}`;
}

/** An address that is nothing but a tag keeps it: the mailbox of `+x@…` is not everybody's. */
function withoutTag(local: string, sign: string): string {
  const start = local.indexOf(sign);
  if (start <= 0) return local;
  return local.slice(0, local[start - 1] === '.' ? start - 1 : start);
}
