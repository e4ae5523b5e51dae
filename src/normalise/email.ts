import { domainToASCII } from 'node:url';
import type { EmailOrPhoneContact, TypoSearchData } from '../model.ts';
import { collapseSpaces, toUnicodeNormalForm } from './text.ts';
import { toLookAlikeKey, getTypoDistance } from './typo.ts';

const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/**
 * Matches the part of an e-mail before the @: RFC 5322 dot-atom with letters and digits of any script (RFC 6531). Does not match quoted local parts,
 * which real mailboxes do not have.
 */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN = /^(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9-]{2,63}$/;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * Normalises one e-mail address. `standardized` is the address in lower case. Keys: `email` is the address with its domain in punycode;
 * `mailbox` has neither a tag nor characters that the provider ignores, so that `Ann.Lee+shop@googlemail.com` and `annlee@gmail.com` are equal.
 * Returns null for an unusable address: longer than 254 characters, a quoted local part, no dot in the domain, an IP address, or text before or
 * after the address.
 */
export function normaliseEmail(input: string): EmailOrPhoneContact | null {
  const standardized = collapseSpaces(input).toLowerCase();
  if (standardized.length > MAX_EMAIL) return null;
  const at = standardized.lastIndexOf('@');
  const local = standardized.slice(0, at);
  if (at < 1 || local.length > MAX_LOCAL || !LOCAL_PART.test(local)) return null;
  const typed = standardized.slice(at + 1);
  const domain = PRINTABLE.test(typed) ? typed : domainToASCII(typed);
  if (!DOMAIN.test(domain)) return null;
  return {
    kind: 'email',
    input,
    standardized,
    keys: [
      { type: 'email', text: `${local}@${domain}` },
      { type: 'mailbox', text: toMailbox(local, domain) },
    ],
    signature: createEmailSignature(standardized),
  };
}

/**
 * Returns the e-mail address in a cell of a file, which may be written as `"Jay Doe" <jay@example.com>`, `mailto:jay@example.com`,
 * `SMTP:jay@example.com` or with full-width characters. A text without an address is returned as it is.
 */
export function findEmailInCell(cell: string): string {
  const text = FULL_WIDTH.test(cell) ? toUnicodeNormalForm(cell, 'NFKC') : cell;
  const address = text.replace(/^(?:mailto|smtp):([^?]*)(?:\?.*)?$/is, '$1');
  return /<([^<>]+)>$/.exec(address)?.[1] ?? address;
}

/** Matches full-width forms of ASCII characters, such as `＠` and `．`. */
const FULL_WIDTH = /[\uff01-\uff5e]/;

/** Minimum length of the part before the @ for a search with a typing error. In shorter e-mails, another letter usually means another mailbox. */
const MIN_LOCAL_LENGTH = 4;

/**
 * Returns the data for finding e-mails on record with a typing error; null for a short e-mail. Digits must be equal, because bob1@ and bob2@ are two
 * mailboxes. The domain must be equal unless it is a misspelt well-known one, because impostors register similar domains.
 */
export function createEmailSignature(email: string): TypoSearchData | null {
  const at = email.lastIndexOf('@');
  if (at < MIN_LOCAL_LENGTH) return null;
  const domain = email.slice(at + 1);
  const provider = WELL_KNOWN_DOMAINS.includes(domain)
    ? domain
    : WELL_KNOWN_DOMAINS.find((known) => getTypoDistance(known, domain, 1) === 1);
  const exactPart = `${email.slice(0, at).replace(/[^0-9]+/g, '')}@${provider ?? domain}`;
  return { kind: 'email', exactPart, text: email };
}

function toMailbox(local: string, domain: string): string {
  let name = removeTag(local, '+');
  if (YAHOO_DOMAINS.has(domain)) name = removeTag(name, '-');
  const provider = PROVIDERS.get(domain);
  if (provider?.ignored !== undefined) name = name.replace(provider.ignored, '') || name;
  return `${name}@${provider?.domain ?? domain}`;
}

/** Removes the tag (`+shop`) from the part before the @. A local part that begins with the sign stays, because each `+x@…` is another mailbox. */
function removeTag(local: string, sign: string): string {
  const start = local.indexOf(sign);
  if (start <= 0) return local;
  return local.slice(0, local[start - 1] === '.' ? start - 1 : start);
}

// Facts on e-mail providers, from their help pages (2025).

/** Well-known domains of e-mail providers. A wrong letter counts as a typing error only in these domains. */
const WELL_KNOWN_DOMAINS: readonly string[] =
  `gmail.com googlemail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com proton.me protonmail.com
   gmx.de gmx.net web.de mail.ru yandex.ru comcast.net verizon.net`.split(/\s+/);

/** Domains of large providers, which fraudsters imitate. */
const IMITATED_DOMAINS =
  'gmail.com googlemail.com yahoo.com hotmail.com outlook.com icloud.com protonmail.com'
    .split(' ')
    .map((domain) => ({ domain, outline: toLookAlikeKey(domain) }));
/** Legitimate domains that resemble those of large providers. */
const NOT_IMITATED_DOMAINS = new Set(
  'mail.com email.com ymail.com fmail.com cloud.com proton.com'.split(' '),
);

/** True for the domain of a well-known e-mail provider. */
export const isMailProviderDomain = (domain: string): boolean =>
  WELL_KNOWN_DOMAINS.includes(domain) || PROVIDERS.has(domain) || YAHOO_DOMAINS.has(domain);

/** True if a domain differs from the domain of a large provider only by one letter or by similar-looking letters. */
export function resemblesMailProviderDomain(domain: string): boolean {
  if (isMailProviderDomain(domain) || NOT_IMITATED_DOMAINS.has(domain)) return false;
  const outline = toLookAlikeKey(domain);
  return IMITATED_DOMAINS.some(
    (known) => known.outline === outline || getTypoDistance(known.domain, domain, 1) === 1,
  );
}

/** Domains of Yahoo. Disposable addresses there have the form `base-keyword`; normal mailboxes have no hyphen. */
const YAHOO_DOMAINS = new Set(
  `yahoo.com ymail.com rocketmail.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.co.jp yahoo.co.in yahoo.com.br
   yahoo.com.au yahoo.com.mx`.split(/\s+/),
);

interface Provider {
  /** Domain that stands for all domains of this provider in look-up keys. */
  domain: string;
  /** Characters in the part before the @ that the provider ignores; undefined for none. */
  ignored: RegExp | undefined;
}

/** Providers by domain, if a mailbox is the same in all domains of the provider. */
const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  ...providerEntries('gmail.com googlemail.com', /\./g),
  ...providerEntries('icloud.com me.com mac.com'),
  ...providerEntries('proton.me protonmail.com protonmail.ch pm.me', /[._-]/g),
  ...providerEntries('yandex.ru yandex.com ya.ru yandex.by yandex.kz yandex.ua', /[.-]/g),
  ...providerEntries('fastmail.com fastmail.fm'),
]);

function providerEntries(list: string, ignored?: RegExp): [string, Provider][] {
  const domains = list.split(' ');
  return domains.map((domain) => [domain, { domain: domains[0] ?? domain, ignored }]);
}

/** Matches e-mails of roles in a company (info@, sales@), which several people read. Source: RFC 2142 and common names of shops. */
const ROLE_MAILBOX =
  /^(?:sales|orders?|info|office|contact|kontakt|hello|admin|billing|invoices?|accounts?|accounting|purchasing|procurement|support|service|shop|store|team|reception|rezeption|bestellung(?:en)?|einkauf|verkauf|vertrieb|buchhaltung|rechnung(?:en)?|commandes?|achats|ventes|compras|ventas|pedidos|ordini|acquisti|vendite|zamowienia|webmaster|postmaster|marketing|newsletters?|news)\d*@/i;

/** True for the e-mail of a role in a company, which several people read: info@, sales@. */
export const isRoleMailbox = (email: string): boolean => ROLE_MAILBOX.test(email);
