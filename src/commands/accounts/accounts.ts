// Commands `bonafide accounts`: customers whose keys share a plan and a bill.
import { type AccountJson, toAccountJson } from '../../admin/accounts.ts';
import { listAccountsSortedByName } from '../../store/accounts.ts';
import {
  defineArgument,
  defineOption,
  defineRequiredOption,
  createUsageError,
} from '../helpers/arguments.ts';
import { defineCommand, defineCommandGroup, formatTable, printResult } from '../helpers/command.ts';
import { withStore } from '../helpers/open.ts';
import { runAndPrintStoreOperation } from '../helpers/operations.ts';
import { PLAN_CHANGE_START_OPTION } from './plans.ts';

const ACCOUNT = { account: defineArgument('Id of the account (acc_…), as `accounts list` shows it') };
const NAME = defineRequiredOption('Name of the customer');

const create = defineCommand('Create an account: its keys share a plan and a bill', {
  args: { name: NAME, plan: defineOption('Plan of the account (default none)', 'plan') },
  examples: ['accounts create --name "Jane’s Shop" --plan starter'],
  run: (args) =>
    runAndPrintStoreOperation(args, 'accounts.create', { name: args.name, plan: args.plan }, formatAccount),
});

const list = defineCommand('List the accounts with their plans', {
  run: async (args) => {
    const accounts = await withStore(args, 'empty', (store) => listAccountsSortedByName(store));
    const views = accounts.map((account) => toAccountJson(account, Date.now()));
    const rows = views.map(({ id, name, plan, keys, closed }) => [
      id,
      name,
      plan ?? 'no plan',
      `${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`,
      closed === null ? '' : 'closed',
    ]);
    const text = 'There are no accounts. Create one: bonafide accounts create --name NAME --plan PLAN';
    printResult(args, views, rows.length === 0 ? text : formatTable(rows));
  },
});

const show = defineCommand('Show an account with its keys, its plan and its earlier plans', {
  args: ACCOUNT,
  examples: ['accounts show acc_4fJ2kQx81LmZ'],
  run: (args) => runAndPrintStoreOperation(args, 'accounts.show', args.account, formatAccount),
});

const rename = defineCommand('Change the name of an account', {
  args: { ...ACCOUNT, name: NAME },
  examples: ['accounts rename acc_4fJ2kQx81LmZ --name "Jane’s Shops"'],
  run: (args) =>
    runAndPrintStoreOperation(args, 'accounts.rename', { id: args.account, name: args.name }, formatAccount),
});

const set = defineCommand('Change the name of an account, and its details for invoices', {
  args: {
    ...ACCOUNT,
    name: defineOption('Name of the customer'),
    'billing-name': defineOption('Name on invoices, or none (default the name of the account)', 'name'),
    'billing-address': defineOption('Address on invoices, or none: lines separated by semicolons', 'lines'),
    'tax-id': defineOption('Tax number on invoices, or none', 'number'),
  },
  examples: [
    'accounts set acc_4fJ2kQx81LmZ --billing-name "Shop Ltd" --billing-address "1 High Street; London" --tax-id GB123',
  ],
  run: (args) => {
    const { account: id, name, 'billing-name': billingName, 'tax-id': taxId } = args;
    const lines = args['billing-address']?.split(';').map((line) => line.trim());
    const details = {
      billingName: billingName === 'none' ? null : billingName,
      billingAddress: args['billing-address'] === 'none' ? [] : lines,
      taxId: taxId === 'none' ? null : taxId,
    };
    if (name === undefined && Object.values(details).every((value) => value === undefined))
      throw createUsageError('Nothing to set. Give --name, --billing-name, --billing-address or --tax-id.');
    return runAndPrintStoreOperation(args, 'accounts.change', { id, name, ...details }, formatAccount);
  },
});

const plan = defineCommand('Change the plan of an account', {
  args: { ...ACCOUNT, plan: defineArgument('The plan, or `none` for no plan'), ...PLAN_CHANGE_START_OPTION },
  examples: [
    'accounts plan acc_4fJ2kQx81LmZ large',
    'accounts plan acc_4fJ2kQx81LmZ large --from next-month',
  ],
  run: (args) => {
    const input = { id: args.account, plan: args.plan === 'none' ? null : args.plan, from: args.from };
    return runAndPrintStoreOperation(args, 'accounts.plan', input, formatAccount);
  },
});

const addKey = defineCommand('Move a key, and the keys that it replaced, into an account', {
  args: { ...ACCOUNT, key: defineArgument('Id of the key (key_…), as `keys list` shows it') },
  examples: ['accounts add-key acc_4fJ2kQx81LmZ key_9aB3xYz71QwE'],
  run: (args) =>
    runAndPrintStoreOperation(args, 'accounts.join', { id: args.account, key: args.key }, formatAccount),
});

const close = defineCommand('Close an account: its keys are refused from now on', {
  args: ACCOUNT,
  examples: ['accounts close acc_4fJ2kQx81LmZ'],
  run: (args) =>
    runAndPrintStoreOperation(
      args,
      'accounts.close',
      args.account,
      ({ id, name }) => `${id} (${name}) is closed. Its keys are refused from now on.`,
    ),
});

const reopen = defineCommand('Reopen a closed account: its keys work again', {
  args: ACCOUNT,
  examples: ['accounts reopen acc_4fJ2kQx81LmZ'],
  run: (args) => runAndPrintStoreOperation(args, 'accounts.reopen', args.account, formatAccount),
});

export const accountsCommands = defineCommandGroup('Create accounts, set plans and keys, close accounts', {
  subCommands: { create, list, show, rename, set, plan, 'add-key': addKey, close, reopen },
  examples: ['accounts create --name "Jane’s Shop" --plan starter', 'accounts list'],
});

function formatAccount({ id, name, closed, plans, keys, ...account }: AccountJson): string {
  const billing = [account.billing_name, ...account.billing_address, account.tax_id].filter(Boolean);
  const rows = [
    ...(billing.length > 0 ? [['  invoices to', billing.join('; ')]] : []),
    ...plans.map(({ since, plan: planId }) => ['  plan', `${planId ?? 'none'}, from ${since}`]),
    ...keys.map((key) => ['  key', key]),
  ];
  const hint = `No keys yet. Create one: bonafide keys create --name NAME --account ${id}`;
  const title = `${id} (${name})${closed === null ? '' : `, closed since ${closed}`}`;
  return [title, formatTable(rows), ...(keys.length === 0 ? [hint] : [])].join('\n');
}
