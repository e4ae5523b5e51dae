import { existsSync } from 'node:fs';
import { SCOPES } from '../accounts/access.ts';
import type { KeyInfo } from '../accounts/keys.ts';
import { BonafideError } from '../errors.ts';
import type { Scope } from '../model.ts';
import { createKey, listKeys, revokeKey, rotateKey } from '../store/sqlite/keys.ts';
import { openStore, storeFile } from '../store/sqlite/open.ts';
import type { Store } from '../store/sqlite/open.ts';
import { refuseLost, remember } from '../platform/held.ts';
import { COMMON, configOf, defineCommand, duration, print, noteNew, table } from './command.ts';

const ID = {
  id: { type: 'positional', description: 'The key, as `keys list` shows it: key_…', required: true },
} as const;

/** Runs `work` on the store of the data folder. Where there is none, `without` says what there is instead; else one is made. */
async function withStore<T>(
  args: Parameters<typeof configOf>[0],
  work: (store: Store, dataDir: string) => T,
  without?: () => T,
): Promise<T> {
  const { dataDir } = await configOf(args);
  refuseLost(dataDir, 'keys');
  if (without && !existsSync(storeFile(dataDir))) return without();
  const sayMade = noteNew(dataDir);
  const store = openStore({ file: storeFile(dataDir) });
  try {
    const done = work(store, dataDir);
    sayMade();
    return done;
  } finally {
    store.close();
  }
}

const create = defineCommand({
  meta: { name: 'create', description: 'Make an API key; it is shown once' },
  args: {
    ...COMMON,
    name: { type: 'string', description: 'What the key is for', required: true },
    scopes: {
      type: 'string',
      description: 'Words of validate, raw, metrics, admin, with commas',
      default: 'validate',
    },
    test: { type: 'boolean', description: 'A bf_test_ key' },
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
      const name = args.name.trim();
      if (name === '' || name.length > 100) throw wrong('--name must have 1 to 100 characters.');
      const expires = args.expires === undefined ? null : now + duration(args.expires, 'expires');
      const made = createKey(store, { name, scopes: scopesOf(args.scopes), test: args.test, expires }, now);
      remember(dataDir, 'keys');
      show(args, made);
    }),
});

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
  const rows = keys.map((key) => [key.id, `${key.prefix}…`, key.name, key.scopes.join(','), state(key, now)]);
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

export default defineCommand({
  meta: { name: 'keys', description: 'Make, list, revoke and rotate API keys' },
  subCommands: { create, list, revoke, rotate },
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
