import { SCOPES } from '../accounts/access.ts';
import { networksOf } from '../accounts/addresses.ts';
import type { KeyInfo } from '../accounts/keys.ts';
import { NAME_TEXT, readNameText } from '../accounts/name-text.ts';
import { isRegion } from '../config.ts';
import { BonafideError } from '../errors.ts';
import type { Scope } from '../accounts/model.ts';
import { createKey, keyOf, listKeys, revokeKey, rotateKey } from '../store/sqlite/keys.ts';
import { openAccounts } from '../store/sqlite/billing/accounts.ts';
import type { Store } from '../store/sqlite/open.ts';
import { remember } from '../platform/held.ts';
import { watched, watchedText, watchedView } from './keys/probes.ts';
import type { Watched } from './keys/probes.ts';
import { judgeText, leakedText, textToJudge } from './keys/verify.ts';
import { COMMON, defineCommand, duration, print, table } from './command.ts';
import { withStore } from './with-store.ts';

const ID = {
  id: { type: 'positional', description: 'The key, as `keys list` shows it: key_…', required: true },
} as const;

const create = defineCommand({
  meta: { name: 'create', description: 'Make an API key; it is shown once' },
  args: {
    ...COMMON,
    name: { type: 'string', description: 'What the key is for', required: true },
    scopes: {
      type: 'string',
      description: 'Words of validate, read, raw, metrics, admin, with commas',
      default: 'validate',
    },
    test: { type: 'boolean', description: 'A bf_test_ key' },
    account: {
      type: 'string',
      description: 'The account whose key it is; without one it stands alone, without quota',
      valueHint: 'acc_…',
    },
    region: {
      type: 'string',
      description: 'Country of its numbers and addresses that name none (default the server’s)',
      valueHint: 'GB',
    },
    allow: {
      type: 'string',
      description: 'Addresses and networks that it may be used from, with commas (default any)',
      valueHint: '192.0.2.0/24',
    },
    expires: {
      type: 'string',
      description: 'Time until it ends, such as 90d (default never)',
      valueHint: 'time',
    },
  },
  examples: ['keys create --name shop', 'keys create --name audit --scopes validate,raw --expires 90d'],
  run: ({ args }) =>
    withStore(args, (store, dataDir) => {
      const now = Date.now();
      const name = readNameText(args.name);
      if (name === undefined) throw wrong(`--name must have ${NAME_TEXT}.`);
      const expires = args.expires === undefined ? null : now + lifetime(args.expires);
      const allowedAddresses = args.allow === undefined ? null : networksOf(args.allow).join();
      const from = { region: regionOf(args.region), allowedAddresses };
      const account = args.account === undefined ? null : openAccounts(store).get(args.account).id;
      const wanted = { name, scopes: scopesOf(args.scopes), test: args.test, expires, account, ...from };
      const made = createKey(store, wanted, now);
      remember(dataDir, 'keys');
      show(args, made);
    }),
});

function lifetime(text: string): number {
  const length = duration(text, 'expires');
  if (length > 0) return length;
  throw wrong('--expires must be longer than nothing, such as 90d: such a key would never work.');
}

const list = defineCommand({
  meta: { name: 'list', description: 'List the keys' },
  args: COMMON,
  examples: ['keys list', 'keys list --json'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => showAll(args, listKeys(store)),
      () => showAll(args, []),
    ),
});

function showAll(args: { json?: boolean | undefined }, keys: KeyInfo[]): void {
  const now = Date.now();
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    key.name,
    key.account ?? 'no account',
    key.scopes.join(','),
    `used ${time(key.lastUsed) ?? 'never'}`,
    state(key, now),
  ]);
  const text =
    keys.length === 0 ? 'There are no keys. Make one: bonafide keys create --name NAME' : table(rows);
  print(args, keys.map(view), text);
}

const revoke = defineCommand({
  meta: { name: 'revoke', description: 'Refuse a key from now on, and the key it replaced' },
  args: { ...ID, ...COMMON },
  examples: ['keys revoke key_4fJ2kQx81LmZ'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const key = revokeKey(store, args.id, Date.now());
        print(args, view(key), `${key.id} (${key.name}) is revoked.`);
      },
      () => noKey(args.id),
    ),
});

const rotate = defineCommand({
  meta: { name: 'rotate', description: 'Replace a key; the old one stays valid for a time of grace' },
  args: {
    ...ID,
    ...COMMON,
    grace: {
      type: 'string',
      description: 'How long the old key stays valid',
      default: '24h',
      valueHint: 'time',
    },
  },
  examples: ['keys rotate key_4fJ2kQx81LmZ', 'keys rotate key_4fJ2kQx81LmZ --grace 7d'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const made = rotateKey(store, { id: args.id, graceMs: duration(args.grace, 'grace') }, Date.now());
        show(args, made, `${made.old.id} stays valid until ${time(made.old.expires)}.`);
      },
      () => noKey(args.id),
    ),
});

const showOne = defineCommand({
  meta: { name: 'show', description: 'Show a key: what it may do, from where, and when it was used last' },
  args: { ...ID, ...COMMON },
  examples: ['keys show key_4fJ2kQx81LmZ'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const key = keyOf(store, args.id);
        print(args, view(key), card(key, Date.now()));
      },
      () => noKey(args.id),
    ),
});

const probes = defineCommand({
  meta: {
    name: 'probes',
    description: 'How each key asked in the last day: does one learn who is on record?',
  },
  args: COMMON,
  examples: ['keys probes'],
  run: ({ args }) => {
    const showThem = (all: Watched[]) => print(args, all.map(watchedView), watchedText(all));
    return withStore(
      args,
      (store) => showThem(watched(store, Date.now())),
      () => showThem([]),
    );
  },
});

const verify = defineCommand({
  meta: {
    name: 'verify',
    description: 'Is a string that turned up somewhere a key of ours, and does it work?',
  },
  args: {
    string: {
      type: 'positional',
      description:
        'The string; standard input where there is none, which leaves it out of the shell’s history',
      required: false,
    },
    ...COMMON,
  },
  examples: ['keys verify < leaked.txt', 'keys verify bf_live_…'],
  run: ({ args }) => {
    const judge = (store: Store | null) => {
      const found = judgeText(store, textToJudge(args.string), Date.now());
      print(args, { ...found, key: found.key && view(found.key) }, leakedText(found));
    };
    return withStore(args, judge, () => judge(null));
  },
});

export default defineCommand({
  meta: { name: 'keys', description: 'Make, list, verify, revoke and rotate API keys' },
  subCommands: { create, list, show: showOne, probes, verify, revoke, rotate },
  examples: ['keys create --name shop', 'keys list'],
});

function show(
  args: { json?: boolean | undefined },
  { key, info }: { key: string; info: KeyInfo },
  also = '',
) {
  const text = `${key}\n\n${info.id} (${info.name}), scopes ${info.scopes.join(', ')}. It is shown only now. ${also}`;
  print(args, { key, ...view(info) }, text.trimEnd());
}

function noKey(id: string): never {
  throw new BonafideError('not_found', `There is no key ${id}. See: bonafide keys list`);
}

/** A key on a few lines. */
function card(key: KeyInfo, now: number): string {
  const rows = [
    ['key', `${key.prefix}…`],
    ['name', key.name],
    ['account', key.account ?? 'none: no plan, no quota'],
    ['scopes', key.scopes.join(', ')],
    ['region', key.region ?? 'the server’s'],
    ['from', key.allowedAddresses ?? 'any address'],
    ['created', time(key.created) ?? ''],
    ['used last', time(key.lastUsed) ?? 'never'],
    ['state', state(key, now)],
  ];
  return `${key.id}\n${table(rows)}`;
}

function regionOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (isRegion(text)) return text.toUpperCase();
  throw wrong('--region takes a country by its two ISO letters, such as US or GB.');
}

const wrong = (text: string) => new BonafideError('invalid_arguments', text);

function scopesOf(text: string): Scope[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))] as Scope[];
  if (words.every((word) => SCOPES.includes(word))) return words;
  throw wrong(`--scopes takes words of ${SCOPES.join(', ')}, with commas.`);
}

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());

function view({ created, expires, revoked, rotatedTo, allowedAddresses, lastUsed, ...key }: KeyInfo) {
  return {
    ...key,
    allowed_addresses: allowedAddresses,
    last_used: time(lastUsed),
    created: time(created),
    expires: time(expires),
    revoked: time(revoked),
    rotated_to: rotatedTo,
  };
}

function state({ revoked, expires, rotatedTo }: KeyInfo, now: number): string {
  if (revoked !== null) return `revoked ${time(revoked)}`;
  if (expires !== null && expires <= now) return `expired ${time(expires)}`;
  if (expires === null) return 'valid';
  return `valid until ${time(expires)}${rotatedTo ? `, replaced by ${rotatedTo}` : ''}`;
}
