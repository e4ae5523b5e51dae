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
export const PROVIDERS: ReadonlyMap<string, Provider> = new Map(ENTRIES.flatMap(providersOf));

function providersOf({ familiar = [], others = [], apart = false, tag = '+', ignored }: Entry) {
  const domains = [...familiar, ...others];
  return domains.map((domain): [string, Provider] => [
    domain,
    { domain: apart ? domain : (domains[0] ?? domain), tag, ignored },
  ]);
}

/** Domains whose names everybody knows. */
export const FAMILIAR_DOMAINS: readonly string[] = ENTRIES.flatMap(({ familiar = [] }) => familiar);
