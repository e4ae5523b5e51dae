// Accounts.
import * as v from 'valibot';
import { startSchema } from './plans.ts';
import {
  list,
  namedObject,
  object,
  nullable,
  pageSchema,
  shortString,
  string,
  strings,
  timestamp,
} from '../schema/parts.ts';
import { adminRoute, PAGING } from './route.ts';
import type { AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const had = object(
  { since: timestamp('From when on.'), plan: nullable(v.string(), 'The plan; null for none.') },
  'A plan that it had.',
);

export const accountSchema = namedObject(
  'Account',
  {
    id: string('The account’s id: `acc_` and 12 characters.'),
    name: string('Whose it is.'),
    keys: strings('Ids of its keys, the oldest first.'),
    created: timestamp('When it was made.'),
    closed: nullable(timestamp(''), 'Since when its keys are refused; null where they are not.'),
    plan: nullable(v.string(), 'Its plan now; null for none.'),
    plans: list(had, 'The plans that it had and will have, the oldest first.'),
  },
  'Whose keys are billed together.',
);

export const accountPageSchema = pageSchema('Accounts', accountSchema, 'Accounts, the oldest first.');

const name = shortString('Whose it is, 1 to 100 characters.');

const plan = nullable(v.pipe(v.string(), v.maxLength(200)), 'Its plan; null for none.');

export const newAccountSchema = namedObject(
  'NewAccount',
  { name, plan: v.optional(plan) },
  'An account to be made.',
);

export const accountNameSchema = namedObject('AccountName', { name }, 'Another name.');

export const accountPlanSchema = namedObject(
  'PlanGiven',
  { plan, from: startSchema },
  'The plan that an account gets.',
);

export const accountKeySchema = namedObject(
  'KeyGiven',
  { key: shortString('The id of a key. All that it replaced goes with it.') },
  'The key that becomes one of an account’s.',
);

const one = { of: 'account', answers: accountSchema };

export const ACCOUNT_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET accounts', 'listAccounts', {
    summary: 'The accounts',
    about:
      'Accounts with their plans and keys, the oldest first. `bonafide accounts list` at the command line.',
    query: PAGING,
    answers: accountPageSchema,
    handle: ({ query, run }) => run('accounts.list', query),
  }),
  adminRoute('POST accounts', 'createAccount', {
    summary: 'Make an account',
    about: 'Its keys are billed together. `bonafide accounts create`.',
    body: newAccountSchema,
    examples: {
      usual: { summary: 'With a plan', value: { name: 'Jane’s Shop', plan: 'starter' } },
      bare: { summary: 'Without one', value: { name: 'Jane’s Other Shop' } },
    },
    answers: accountSchema,
    status: 201,
    handle: ({ body, run }) => run('accounts.create', body),
  }),
  adminRoute('GET accounts/:id', 'showAccount', {
    ...one,
    summary: 'An account',
    about: 'With its keys and the plans that it had. `bonafide accounts show`.',
    handle: ({ id, run }) => run('accounts.show', id),
  }),
  adminRoute('PATCH accounts/:id', 'renameAccount', {
    ...one,
    summary: 'Rename an account',
    about: '`bonafide accounts rename`.',
    body: accountNameSchema,
    examples: { usual: { summary: 'Another name', value: { name: 'Jane’s Shops' } } },
    handle: ({ id, body: { name }, run }) => run('accounts.rename', { id, name }),
  }),
  adminRoute('POST accounts/:id/plan', 'givePlan', {
    ...one,
    summary: 'Give an account a plan',
    about:
      'Or none. What was called before is billed by the plan that applied then. `bonafide accounts plan`.',
    body: accountPlanSchema,
    examples: {
      later: { summary: 'From the next month on', value: { plan: 'starter', from: 'next-month' } },
      none: { summary: 'None, from now on', value: { plan: null } },
    },
    handle: ({ id, body, run }) => run('accounts.plan', { id, ...body }),
  }),
  adminRoute('POST accounts/:id/keys', 'joinAccount', {
    ...one,
    summary: 'Make a key one of an account’s',
    about: 'With all that it replaced; what it called before stays its own. `bonafide accounts add-key`.',
    body: accountKeySchema,
    examples: { usual: { summary: 'A key that is in use', value: { key: 'key_4fJ2kQx81LmZ' } } },
    handle: ({ id, body: { key }, run }) => run('accounts.join', { id, key }),
  }),
  adminRoute('POST accounts/:id/close', 'closeAccount', {
    ...one,
    summary: 'Close an account',
    about: 'Its keys are refused from now on. `bonafide accounts close`.',
    handle: ({ id, run }) => run('accounts.close', id),
  }),
  adminRoute('POST accounts/:id/reopen', 'reopenAccount', {
    ...one,
    summary: 'Reopen an account',
    about: 'Its keys are taken again. `bonafide accounts reopen`.',
    handle: ({ id, run }) => run('accounts.reopen', id),
  }),
];
