import * as schema from '../../../schema/admin/accounts.ts';
import { administrative, PAGING } from './parts.ts';

export const LIST = administrative({
  method: 'GET',
  path: 'accounts',
  id: 'listAccounts',
  summary: 'The accounts',
  about:
    'Accounts with their plans and keys, the oldest first. `bonafide accounts list` at the command line.',
  query: PAGING,
  answers: schema.accounts,
});

export const CREATE = administrative({
  method: 'POST',
  path: 'accounts',
  id: 'createAccount',
  summary: 'Make an account',
  about: 'Its keys are billed together. `bonafide accounts create`.',
  body: schema.newAccount,
  examples: {
    usual: { summary: 'With a plan', value: { name: 'Jane’s Shop', plan: 'starter' } },
    bare: { summary: 'Without one', value: { name: 'Jane’s Other Shop' } },
  },
  answers: schema.account,
  status: 201,
});

const one = { of: 'account', answers: schema.account };

export const SHOW = administrative({
  method: 'GET',
  path: 'accounts/:id',
  ...one,
  id: 'showAccount',
  summary: 'An account',
  about: 'With its keys and the plans that it had. `bonafide accounts show`.',
});

export const RENAME = administrative({
  method: 'PATCH',
  path: 'accounts/:id',
  ...one,
  id: 'renameAccount',
  summary: 'Rename an account',
  about: '`bonafide accounts rename`.',
  body: schema.accountName,
  examples: { usual: { summary: 'Another name', value: { name: 'Jane’s Shops' } } },
});

export const PLAN = administrative({
  method: 'POST',
  path: 'accounts/:id/plan',
  ...one,
  id: 'givePlan',
  summary: 'Give an account a plan',
  about: 'Or none. What was called before is billed by the plan that applied then. `bonafide accounts plan`.',
  body: schema.planGiven,
  examples: {
    later: { summary: 'From the next month on', value: { plan: 'starter', from: 'next-month' } },
    none: { summary: 'None, from now on', value: { plan: null } },
  },
});

export const JOIN = administrative({
  method: 'POST',
  path: 'accounts/:id/keys',
  ...one,
  id: 'joinAccount',
  summary: 'Make a key one of an account’s',
  about: 'With all that it replaced; what it called before stays its own. `bonafide accounts join`.',
  body: schema.keyGiven,
  examples: { usual: { summary: 'A key that is in use', value: { key: 'key_4fJ2kQx81LmZ' } } },
});

export const CLOSE = administrative({
  method: 'POST',
  path: 'accounts/:id/close',
  ...one,
  id: 'closeAccount',
  summary: 'Close an account',
  about: 'Its keys are refused from now on. `bonafide accounts close`.',
});

export const REOPEN = administrative({
  method: 'POST',
  path: 'accounts/:id/reopen',
  ...one,
  id: 'reopenAccount',
  summary: 'Reopen an account',
  about: 'Its keys are taken again. `bonafide accounts reopen`.',
});
