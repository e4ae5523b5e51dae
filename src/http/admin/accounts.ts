import * as v from 'valibot';
import { fromSnakeCaseJson } from '../../admin/wire.ts';
import type { Route } from '../openapi/operation.ts';
import * as s from '../schema/builders.ts';
import { planChangeEffectiveTimeSchema } from './plans.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const planPeriod = s.object('A period with one plan.', {
  since: s.timestamp('Start of the period.'),
  plan: s.nullableString('The plan; null for none.'),
});

export const accountSchema = s.openApiObject('Account', 'Keys that are billed together.', {
  id: s.string('Id of the account: `acc_` and 12 characters.'),
  name: s.string('Name of the customer.'),
  keys: s.stringList('Ids of its keys, oldest first.'),
  created: s.timestamp('When the account was created.'),
  closed: s.nullableTimestamp(
    'When the account was closed: its keys are refused since then. Null if it is open.',
  ),
  billing_name: s.nullableString('Name on invoices; null for the name of the account.'),
  billing_address: s.stringList('Lines of the address on invoices; may be empty.'),
  tax_id: s.nullableString('Tax number on invoices; null for none.'),
  plan: s.nullableString('Its plan now; null for none.'),
  plans: s.list(planPeriod, 'Its plans in the past and in the future, oldest first.'),
});
const accountPageSchema = s.createPageSchema('Accounts', accountSchema, 'Accounts, oldest first.');

const name = s.shortString('Name of the customer, 1 to 100 characters.');
const plan = s.nullable(v.pipe(v.string(), v.maxLength(200)), 'Its plan; null for none.');
const newAccountSchema = s.openApiObject('NewAccount', 'An account to be created.', {
  name,
  plan: v.optional(plan),
});
const line = (about: string) => s.nullable(v.pipe(v.string(), v.maxLength(200)), about);
const accountChangeSchema = s.openApiObject(
  'AccountName',
  'A new name, and new details for invoices; what is missing stays.',
  s.optional({
    name,
    billing_name: line('Name on invoices; null for the name of the account.'),
    billing_address: s.list(
      v.pipe(v.string(), v.maxLength(200)),
      'Lines of the address on invoices; an empty list for none.',
      { max: 8 },
    ),
    tax_id: line('Tax number on invoices; null for none.'),
  }),
);
const accountPlanSchema = s.openApiObject('PlanGiven', 'A new plan of an account.', {
  plan,
  from: planChangeEffectiveTimeSchema,
});
const accountKeySchema = s.openApiObject('KeyGiven', 'A key that is added to an account.', {
  key: s.shortString('Id of a key. The keys that it replaced go with it.'),
});

const onAccount = { noun: 'account', answers: accountSchema };

export const ACCOUNT_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET accounts', 'listAccounts', {
    summary: 'List accounts',
    about: 'Accounts with their plans and keys, oldest first.',
    command: 'accounts list',
    query: s.PAGING_PARAMETERS,
    answers: accountPageSchema,
    handle: ({ query, run }) => run('accounts.list', query),
  }),
  declareAdminRoute('POST accounts', 'createAccount', {
    summary: 'Create an account',
    about: 'The keys of an account are billed together.',
    command: 'accounts create',
    body: newAccountSchema,
    examples: {
      usual: { summary: 'With a plan', value: { name: 'Jane’s Shop', plan: 'starter' } },
      bare: { summary: 'Without a plan', value: { name: 'Jane’s Other Shop' } },
    },
    answers: accountSchema,
    status: 201,
    handle: ({ body, run }) => run('accounts.create', body),
  }),
  declareAdminRoute('GET accounts/:id', 'showAccount', {
    ...onAccount,
    summary: 'Show an account',
    about: 'An account with its keys and plans.',
    command: 'accounts show',
    handle: ({ id, run }) => run('accounts.show', id),
  }),
  declareAdminRoute('PATCH accounts/:id', 'renameAccount', {
    ...onAccount,
    summary: 'Rename an account, and set its details for invoices',
    about: 'Issued invoices stay as they are.',
    command: 'accounts set',
    body: accountChangeSchema,
    examples: {
      usual: { summary: 'A new name', value: { name: 'Jane’s Shops' } },
      invoices: {
        summary: 'An address for invoices',
        value: {
          billing_name: 'Jane’s Shops Ltd',
          billing_address: ['1 High Street', 'London'],
          tax_id: 'GB123',
        },
      },
    },
    handle: ({ id, body, run }) => run('accounts.change', { id, ...fromSnakeCaseJson(body) }),
  }),
  declareAdminRoute('POST accounts/:id/plan', 'givePlan', {
    ...onAccount,
    summary: 'Set the plan of an account',
    about: 'Earlier calls are billed by the plan that applied to them.',
    command: 'accounts plan',
    body: accountPlanSchema,
    examples: {
      later: { summary: 'From the next month on', value: { plan: 'starter', from: 'next-month' } },
      none: { summary: 'No plan, from now on', value: { plan: null } },
    },
    handle: ({ id, body, run }) => run('accounts.plan', { id, ...body }),
  }),
  declareAdminRoute('POST accounts/:id/keys', 'joinAccount', {
    ...onAccount,
    summary: 'Add a key to an account',
    about: 'The keys that it replaced go with it; its earlier calls are not billed to the account.',
    command: 'accounts add-key',
    body: accountKeySchema,
    examples: { usual: { summary: 'A key that is in use', value: { key: 'key_4fJ2kQx81LmZ' } } },
    handle: ({ id, body: { key }, run }) => run('accounts.join', { id, key }),
  }),
  declareAdminRoute('POST accounts/:id/close', 'closeAccount', {
    ...onAccount,
    summary: 'Close an account',
    about: 'Its keys are refused from now on.',
    command: 'accounts close',
    handle: ({ id, run }) => run('accounts.close', id),
  }),
  declareAdminRoute('POST accounts/:id/reopen', 'reopenAccount', {
    ...onAccount,
    summary: 'Reopen an account',
    about: 'Its keys are accepted again.',
    command: 'accounts reopen',
    handle: ({ id, run }) => run('accounts.reopen', id),
  }),
];
