import type { KeyInfo } from '../accounts/keys.ts';
import { judgeText, keyView, makeKey, refuseKey, replaceKey } from '../admin/keys.ts';
import type { MadeKey } from '../admin/keys.ts';
import { watched, watchedView } from '../admin/probes.ts';
import type { Watched } from '../admin/probes.ts';
import { remember } from '../platform/held.ts';
import { keyOf, listKeys, noKey } from '../store/keys/keys.ts';
import type { Store } from '../store/store.ts';
import { COMMON, defineCommand, duration, print, table } from './command.ts';
import { watchedText } from './keys/probes.ts';
import { card, state, time } from './keys/text.ts';
import { leakedCode, leakedText, textToJudge } from './keys/verify.ts';
import { CREATE, wantedOf } from './keys/wanted.ts';
import { withStore } from './with-store.ts';

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
      const made = makeKey(store, wanted, now);
      if (dataDir !== null) remember(dataDir, 'keys');
      show(args, made);
    });
  },
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
  print(args, keys.map(keyView), text);
}

const revoke = defineCommand({
  meta: { name: 'revoke', description: 'Refuse a key from now on, and the key it replaced' },
  args: { ...ID, ...COMMON },
  examples: ['keys revoke key_4fJ2kQx81LmZ'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const key = refuseKey(store, args.id, Date.now());
        print(args, key, `${key.id} (${key.name}) is revoked.`);
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
        const graceMs = duration(args.grace, 'grace');
        const { made, old } = replaceKey(store, { id: args.id, graceMs }, Date.now());
        show(args, made, `${old.id} stays valid until ${old.expires}.`);
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
        print(args, keyView(key), card(key, Date.now()));
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
    description: 'Is a key of ours in a text that turned up somewhere, and does it work?',
  },
  args: {
    string: {
      type: 'positional',
      description: 'The text; standard input where there is none, which leaves it out of the shell’s history',
      required: false,
    },
    ...COMMON,
  },
  examples: ['keys verify < leaked.txt', 'keys verify bf_live_…'],
  run: ({ args }) => {
    const judge = (store: Store | null) => {
      const found = judgeText(store, textToJudge(args.string), Date.now());
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

function show(args: { json?: boolean | undefined }, made: MadeKey, also = '') {
  const { key, id, name, scopes } = made;
  const text = `${key}\n\n${id} (${name}), scopes ${scopes.join(', ')}. It is shown only now. ${also}`;
  print(args, made, text.trimEnd());
}
