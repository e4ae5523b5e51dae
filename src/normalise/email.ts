import { domainToASCII } from 'node:url';
import type { NormalisedValue } from '../model.ts';
import { collapseSpaces } from './text.ts';

const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/**
 * Local part: RFC 5322 dot-atom with letters and digits of any script (RFC 6531). Quoted local parts are
 * rejected; real mailboxes do not have them.
 */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN = /^(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9-]{2,63}$/;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * Normalises one e-mail address. `standardized` is the address in lower case. Keys: `email` is the address
 * with its domain in punycode; `mailbox` is the address without tag and without signs that the provider
 * ignores, so that `Ann.Lee+shop@googlemail.com` and `annlee@gmail.com` are equal. Returns null if the text
 * is not a usable address: longer than 254 characters, a quoted local part, no dot in the domain, an IP
 * address, or text before or after the address.
 */
export function normaliseEmail(text: string): NormalisedValue<string> | null {
  const standardized = collapseSpaces(text).toLowerCase();
  if (standardized.length > MAX_EMAIL) return null;
  const at = standardized.lastIndexOf('@');
  const local = standardized.slice(0, at);
  if (at < 1 || local.length > MAX_LOCAL || !LOCAL_PART.test(local)) return null;
  const typed = standardized.slice(at + 1);
  const domain = PRINTABLE.test(typed) ? typed : domainToASCII(typed);
  if (!DOMAIN.test(domain)) return null;
  return {
    standardized,
    keys: [
      { type: 'email', text: `${local}@${domain}` },
      { type: 'mailbox', text: toMailbox(local, domain) },
    ],
  };
}

function toMailbox(local: string, domain: string): string {
  const provider = PROVIDERS.get(domain);
  let name = removeTag(local, '+');
  if (provider === undefined) return `${name}@${domain}`;
  if (provider.tag !== '+') name = removeTag(name, provider.tag);
  if (provider.ignored !== undefined) name = name.replace(provider.ignored, '') || name;
  return `${name}@${provider.domain}`;
}

/** Removes a tag. A local part that is only a tag stays: the mailbox of `+x@…` is not that of all such addresses. */
function removeTag(local: string, sign: string): string {
  const start = local.indexOf(sign);
  if (start <= 0) return local;
  return local.slice(0, local[start - 1] === '.' ? start - 1 : start);
}

// Facts on e-mail providers from their help pages (2025): which domains are one, how tags are written, and
// which domains are well known.

interface Provider {
  /** Domain that stands for all domains of the provider. */
  domain: string;
  /** Sign that starts a tag, in addition to the plus sign. */
  tag: string;
  /** Signs in the local part that the provider ignores. */
  ignored?: RegExp;
}

interface Entry {
  /** Well-known domains. Only here is a domain with one wrong letter a typing error. */
  wellKnown?: string[];
  others?: string[];
  /** True if each domain has mailboxes of its own; otherwise all domains are spellings of the first one. */
  hasSeparateDomains?: boolean;
  tag?: string;
  ignored?: RegExp;
}

const YAHOO = [
  'ymail.com',
  'rocketmail.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'yahoo.de',
  'yahoo.it',
  'yahoo.es',
].concat(['yahoo.ca', 'yahoo.co.jp', 'yahoo.co.in', 'yahoo.com.br', 'yahoo.com.au', 'yahoo.com.mx']);

const PROVIDER_TABLE: Entry[] = [
  { wellKnown: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  // Yahoo's disposable addresses are `base-keyword`; its own mailboxes have no hyphen.
  { wellKnown: ['yahoo.com'], others: YAHOO, hasSeparateDomains: true, tag: '-' },
  { wellKnown: ['hotmail.com', 'outlook.com'], hasSeparateDomains: true },
  { wellKnown: ['icloud.com'], others: ['me.com', 'mac.com'] },
  { wellKnown: ['aol.com', 'live.com', 'msn.com'], hasSeparateDomains: true },
  { wellKnown: ['proton.me', 'protonmail.com'], others: ['protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { wellKnown: ['gmx.de', 'gmx.net', 'web.de', 'mail.ru'], hasSeparateDomains: true },
  {
    wellKnown: ['yandex.ru'],
    others: ['yandex.com', 'ya.ru', 'yandex.by', 'yandex.kz', 'yandex.ua'],
    ignored: /[.-]/g,
  },
  { wellKnown: ['comcast.net', 'verizon.net'], hasSeparateDomains: true },
  { others: ['fastmail.com', 'fastmail.fm'] },
];

/** Provider of each domain. */
const PROVIDERS: ReadonlyMap<string, Provider> = new Map(PROVIDER_TABLE.flatMap(providersOf));

function providersOf({ wellKnown = [], others = [], hasSeparateDomains = false, tag = '+', ignored }: Entry) {
  const domains = [...wellKnown, ...others];
  return domains.map((domain): [string, Provider] => [
    domain,
    { domain: hasSeparateDomains ? domain : (domains[0] ?? domain), tag, ignored },
  ]);
}

/** Well-known domains of e-mail providers. */
export const WELL_KNOWN_DOMAINS: readonly string[] = PROVIDER_TABLE.flatMap(
  ({ wellKnown = [] }) => wellKnown,
);
