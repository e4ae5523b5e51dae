import { type KeyInfo, getKeyState, type KeySettings } from '../../accounts/keys.ts';
import {
  findLeakedKeys,
  toKeyJson,
  createApiKey,
  revokeApiKey,
  rotateApiKey,
  type CreatedKeyJson,
  type LeakedKey,
  type LeakReport,
  parseNewKey,
  listKeyProbes,
  toKeyProbesJson,
  type KeyProbes,
} from '../../admin/keys.ts';
import { remember } from '../../platform/held.ts';
import { keyOf, listKeys, throwKeyNotFound } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';
import { COMMON_OPTIONS, defineCommand, parseDurationOption, print, formatTable } from '../shared/command.ts';
import { withStore } from '../shared/open.ts';
import { readFileSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import type { ArgsDef, ParsedArgs } from 'citty';

const CREATE = {
  ...COMMON_OPTIONS,
  name: { type: 'string', description: 'What the key is for', required: true },
  scopes: {
    type: 'string',
    description: 'Words of validate, read, raw, metrics, graph, admin, with commas',
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
} as const satisfies ArgsDef;

const ID = {
  id: { type: 'positional', description: 'The key, as `keys list` shows it: key_…', required: true },
} as const;

const create = defineCommand({
  meta: { name: 'create', description: 'Make an API key; it is shown once' },
  args: CREATE,
  examples: ['keys create --name shop', 'keys create --name audit --scopes validate,raw --expires 90d'],
  run: ({ args }) => {
    // Read first: a wrong option must not leave a folder behind.
    const now = Date.now();
    const wanted = wantedOf(args, now);
    return withStore(args, (store, dataDir) => {
      const made = createApiKey(store, wanted, now);
      if (dataDir !== null) remember(dataDir, 'keys');
      show(args, made);
    });
  },
});

const list = defineCommand({
  meta: { name: 'list', description: 'List the keys' },
  args: COMMON_OPTIONS,
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
    keys.length === 0 ? 'There are no keys. Make one: bonafide keys create --name NAME' : formatTable(rows);
  print(args, keys.map(toKeyJson), text);
}

const revoke = defineCommand({
  meta: { name: 'revoke', description: 'Refuse a key from now on, and the key it replaced' },
  args: { ...ID, ...COMMON_OPTIONS },
  examples: ['keys revoke key_4fJ2kQx81LmZ'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const key = revokeApiKey(store, args.id, Date.now());
        print(args, key, `${key.id} (${key.name}) is revoked.`);
      },
      () => throwKeyNotFound(args.id),
    ),
});

const rotate = defineCommand({
  meta: { name: 'rotate', description: 'Replace a key; the old one stays valid for a time of grace' },
  args: {
    ...ID,
    ...COMMON_OPTIONS,
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
        const graceMs = parseDurationOption(args.grace, 'grace');
        const { made, old } = rotateApiKey(store, { id: args.id, graceMs }, Date.now());
        show(args, made, `${old.id} stays valid until ${old.expires}.`);
      },
      () => throwKeyNotFound(args.id),
    ),
});

const showOne = defineCommand({
  meta: { name: 'show', description: 'Show a key: what it may do, from where, and when it was used last' },
  args: { ...ID, ...COMMON_OPTIONS },
  examples: ['keys show key_4fJ2kQx81LmZ'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const key = keyOf(store, args.id);
        print(args, toKeyJson(key), card(key, Date.now()));
      },
      () => throwKeyNotFound(args.id),
    ),
});

const probes = defineCommand({
  meta: {
    name: 'probes',
    description: 'How each key asked in the last day: does one learn who is on record?',
  },
  args: COMMON_OPTIONS,
  examples: ['keys probes'],
  run: ({ args }) => {
    const showThem = (all: KeyProbes[]) => print(args, all.map(toKeyProbesJson), watchedText(all));
    return withStore(
      args,
      (store) => showThem(listKeyProbes(store, Date.now())),
      () => showThem([]),
    );
  },
});

const verify = defineCommand({
  meta: {
    name: 'verify',
    description: 'Is a key of ours in a text that turned up somewhere, and does it work?',
  },
  args: {
    string: {
      type: 'positional',
      description: 'The text; standard input where there is none, which leaves it out of the shell’s history',
      required: false,
    },
    ...COMMON_OPTIONS,
  },
  examples: ['keys verify < leaked.txt', 'keys verify bf_live_…'],
  run: ({ args }) => {
    const judge = (store: Store | null) => {
      const found = findLeakedKeys(store, textToJudge(args.string), Date.now());
      print(args, found, leakedText(found));
      return leakedCode(found);
    };
    return withStore(args, judge, () => judge(null));
  },
});

export default defineCommand({
  meta: { name: 'keys', description: 'Make, list, verify, revoke and rotate API keys' },
  subCommands: { create, list, show: showOne, probes, verify, revoke, rotate },
  examples: ['keys create --name shop', 'keys list'],
});

function show(args: { json?: boolean | undefined }, made: CreatedKeyJson, also = '') {
  const { key, id, name, scopes } = made;
  const text = `${key}\n\n${id} (${name}), scopes ${scopes.join(', ')}. It is shown only now. ${also}`;
  print(args, made, text.trimEnd());
}

/** How keys asked, as a table for people. */
function watchedText(all: KeyProbes[]): string {
  if (all.length === 0) return 'No key asked anything in the last day.';
  const head = ['key', 'checks', 'name only', 'one value', 'without record', 'different', 'in runs', ''];
  const rows = all.map((one) => [
    one.key,
    ...[one.checks, one.nameOnly, one.oneValue, one.withoutRecord, one.fresh, one.runs].map(String),
    one.suspicion === 'quiet' ? '' : `${one.suspicion}: ${one.why.join(', ')}`,
  ]);
  return formatTable([head, ...rows]);
}

// Keys as text.
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
  return `${key.id}\n${formatTable(rows)}`;
}

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());

function state(key: KeyInfo, now: number): string {
  const { revoked, expires, rotatedTo } = key;
  const state = getKeyState(key, now);
  if (state !== 'valid') return `${state} ${time(revoked ?? expires)}`;
  if (expires === null) return state;
  return `valid until ${time(expires)}${rotatedTo ? `, replaced by ${rotatedTo}` : ''}`;
}

/** A sentence for each key; none of them is repeated. */
function leakedText({ keys }: LeakReport): string {
  if (keys.length === 0) return 'There is no key in this: nothing has the shape and the checksum of one.';
  return keys.map((key, i) => `${keys.length > 1 ? `${i + 1}. ` : ''}${sentenceOf(key)}`).join('\n');
}

function sentenceOf({ key, live }: LeakedKey): string {
  if (!key) return 'This has the shape of a key, and is none of this folder.';
  const name = `${key.id} (${key.name})`;
  return live
    ? `This is ${name}, and it works. Refuse it from now on: bonafide keys revoke ${key.id}`
    : `This is ${name}. It works no more.`;
}

/** 1 where a key works, or may work elsewhere: for a script nothing is clear then. */
const leakedCode = ({ keys }: LeakReport): number =>
  keys.some(({ is, live }) => live || is === 'not ours') ? 1 : 0;

/** The text to judge: the word of the command line, or standard input where that is `-` or none. Errors: invalid_arguments. */
function textToJudge(word: string | undefined): string {
  const text = word === undefined || word === '-' ? readFileSync(0, 'utf8') : word;
  if (text.trim() === '') throw new BonafideError('invalid_arguments', 'There is no text to look at.');
  return text;
}

// What the command line says a key is to be.

/** What the command line says a key is to be. Errors: invalid_arguments. */
function wantedOf(args: ParsedArgs<typeof CREATE>, now: number): KeySettings {
  const { name, test, account, region, allow, scopes, expires } = args;
  const asked = {
    name,
    test,
    account,
    region,
    allowedAddresses: allow,
    scopes: scopes.split(',').map((word) => word.trim()),
    expires: expires === undefined ? null : now + parseDurationOption(expires, 'expires'),
  };
  return parseNewKey(asked, now);
}
