import { domainToASCII } from 'node:url';
import type { NormalisedValue } from '../model.ts';
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

// What is known of e-mail providers, from their own help pages, as of 2025: which domains are one, how tags are written, and whose
// names everybody knows.

interface Provider {
  /** The domain that its mailboxes are filed under. */
  domain: string;
  /** The sign that starts a tag, beside the plus sign that all have. */
  tag: string;
  /** Signs inside a mailbox's name that are ignored. */
  ignored?: RegExp;
}

interface Entry {
  /** Domains known so well that one typo away is a typo; any other must be written as on record. */
  familiar?: string[];
  others?: string[];
  /** Each domain has mailboxes of its own; else all are spellings of the first one. */
  apart?: boolean;
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

const ENTRIES: Entry[] = [
  { familiar: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  // Yahoo's disposable addresses are `base-keyword`; its own names never hold a hyphen.
  { familiar: ['yahoo.com'], others: YAHOO, apart: true, tag: '-' },
  { familiar: ['hotmail.com', 'outlook.com'], apart: true },
  { familiar: ['icloud.com'], others: ['me.com', 'mac.com'] },
  { familiar: ['aol.com', 'live.com', 'msn.com'], apart: true },
  { familiar: ['proton.me', 'protonmail.com'], others: ['protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { familiar: ['gmx.de', 'gmx.net', 'web.de', 'mail.ru'], apart: true },
  {
    familiar: ['yandex.ru'],
    others: ['yandex.com', 'ya.ru', 'yandex.by', 'yandex.kz', 'yandex.ua'],
    ignored: /[.-]/g,
  },
  { familiar: ['comcast.net', 'verizon.net'], apart: true },
  { others: ['fastmail.com', 'fastmail.fm'] },
];

/** How each domain's provider files mail. */
const PROVIDERS: ReadonlyMap<string, Provider> = new Map(ENTRIES.flatMap(providersOf));

function providersOf({ familiar = [], others = [], apart = false, tag = '+', ignored }: Entry) {
  const domains = [...familiar, ...others];
  return domains.map((domain): [string, Provider] => [
    domain,
    { domain: apart ? domain : (domains[0] ?? domain), tag, ignored },
  ]);
}

/** Domains whose names everybody knows. */
export const FAMILIAR_DOMAINS: readonly string[] = ENTRIES.flatMap(({ familiar = [] }) => familiar);
