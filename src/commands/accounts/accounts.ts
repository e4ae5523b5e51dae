import { throwAccountNotFound, openAccounts, getPlanAt, type Account } from '../../store/accounts.ts';
import { toAccountJson, setAccountPlan } from '../../admin/accounts.ts';
import type { Store } from '../../store/store.ts';
import { COMMON_OPTIONS, defineCommand, print, formatTable } from '../shared/command.ts';
import { withStore } from '../shared/open.ts';
import { FROM } from './plans.ts';

const ACCOUNT = {
  account: {
    type: 'positional',
    description: 'The account, as `accounts list` shows it: acc_…',
    required: true,
  },
} as const;

/** Runs one change of an account that is there and shows what came of it. */
const changed = (
  args: Parameters<typeof withStore>[0] & { account: string },
  change: (store: Store, now: number) => Account,
  text: (account: Account) => string = card,
) =>
  withStore(
    args,
    (store) => {
      const now = Date.now();
      const account = change(store, now);
      print(args, toAccountJson(account, now), text(account));
    },
    () => throwAccountNotFound(args.account),
  );

const create = defineCommand({
  meta: { name: 'create', description: 'Make an account: whose keys are billed together' },
  args: {
    ...COMMON_OPTIONS,
    name: { type: 'string', description: 'Whose account it is', required: true },
    plan: { type: 'string', description: 'Its plan (default none)', valueHint: 'plan' },
  },
  examples: ['accounts create --name "Jane’s Shop" --plan starter'],
  run: ({ args }) =>
    withStore(args, (store) => {
      const now = Date.now();
      const account = openAccounts(store).create({ name: args.name, plan: args.plan }, now);
      print(args, toAccountJson(account, now), card(account));
    }),
});

const list = defineCommand({
  meta: { name: 'list', description: 'List the accounts with their plans' },
  args: COMMON_OPTIONS,
  examples: ['accounts list', 'accounts list --json'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => showAll(args, openAccounts(store).list()),
      () => showAll(args, []),
    ),
});

function showAll(args: { json?: boolean | undefined }, accounts: Account[]): void {
  const now = Date.now();
  const rows = accounts.map((account) => {
    const keys = `${account.keys.length} ${account.keys.length === 1 ? 'key' : 'keys'}`;
    return [
      account.id,
      account.name,
      getPlanAt(account, now) ?? 'no plan',
      keys,
      account.closed === null ? '' : 'closed',
    ];
  });
  const none = 'There are no accounts. Make one: bonafide accounts create --name NAME --plan PLAN';
  const views = accounts.map((account) => toAccountJson(account, now));
  print(args, views, rows.length === 0 ? none : formatTable(rows));
}

const show = defineCommand({
  meta: { name: 'show', description: 'Show an account with its keys and the plans it had' },
  args: { ...ACCOUNT, ...COMMON_OPTIONS },
  examples: ['accounts show acc_4fJ2kQx81LmZ'],
  run: ({ args }) => changed(args, (store) => openAccounts(store).get(args.account)),
});

const rename = defineCommand({
  meta: { name: 'rename', description: 'Give an account another name' },
  args: {
    ...ACCOUNT,
    ...COMMON_OPTIONS,
    name: { type: 'string', description: 'Whose account it is', required: true },
  },
  examples: ['accounts rename acc_4fJ2kQx81LmZ --name "Jane’s Shops"'],
  run: ({ args }) => changed(args, (store) => openAccounts(store).rename(args.account, args.name)),
});

const plan = defineCommand({
  meta: { name: 'plan', description: 'Give an account a plan, or none' },
  args: {
    ...ACCOUNT,
    plan: { type: 'positional', description: 'The plan, or none', required: true },
    ...FROM,
    ...COMMON_OPTIONS,
  },
  examples: [
    'accounts plan acc_4fJ2kQx81LmZ large',
    'accounts plan acc_4fJ2kQx81LmZ large --from next-month',
  ],
  run: ({ args }) =>
    changed(args, (store, now) => {
      const named = args.plan === 'none' ? null : args.plan;
      return setAccountPlan(store, { id: args.account, plan: named, from: args.from }, now);
    }),
});

const join = defineCommand({
  meta: { name: 'join', description: 'Make a key one of an account’s, and all that it replaced' },
  args: {
    ...ACCOUNT,
    key: { type: 'positional', description: 'The key, as `keys list` shows it: key_…', required: true },
    ...COMMON_OPTIONS,
  },
  examples: ['accounts join acc_4fJ2kQx81LmZ key_9aB3xYz71QwE'],
  run: ({ args }) => changed(args, (store) => openAccounts(store).join(args.account, args.key)),
});

const close = defineCommand({
  meta: { name: 'close', description: 'Refuse the keys of an account from now on' },
  args: { ...ACCOUNT, ...COMMON_OPTIONS },
  examples: ['accounts close acc_4fJ2kQx81LmZ'],
  run: ({ args }) =>
    changed(
      args,
      (store, now) => openAccounts(store).close(args.account, now),
      ({ id, name }) => `${id} (${name}) is closed.`,
    ),
});

const reopen = defineCommand({
  meta: { name: 'reopen', description: 'Take the keys of a closed account again' },
  args: { ...ACCOUNT, ...COMMON_OPTIONS },
  examples: ['accounts reopen acc_4fJ2kQx81LmZ'],
  run: ({ args }) => changed(args, (store) => openAccounts(store).reopen(args.account)),
});

export default defineCommand({
  meta: { name: 'accounts', description: 'Make accounts, give them plans and keys, close them' },
  subCommands: { create, list, show, rename, plan, join, close, reopen },
  examples: ['accounts create --name "Jane’s Shop" --plan starter', 'accounts list'],
});

const time = (at: number) => new Date(at).toISOString();

function card({ id, name, closed, plans, keys }: Account): string {
  const rows = [
    ...plans.map(({ since, plan }) => ['  plan', `${plan ?? 'none'} from ${time(since)}`]),
    ...keys.map((key) => ['  key', key]),
  ];
  const hint = `No key yet. Make one: bonafide keys create --name NAME --account ${id}`;
  const head = `${id} (${name})${closed === null ? '' : `, closed ${time(closed)}`}`;
  return [head, formatTable(rows), ...(keys.length === 0 ? [hint] : [])].join('\n');
}
