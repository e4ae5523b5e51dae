import * as v from 'valibot';
import { list, named, object, orNull, text, texts, time } from '../parts.ts';
import { pageOf, shortText } from './parts.ts';
import { from } from './plans.ts';

const had = object(
  { since: time('From when on.'), plan: orNull(v.string(), 'The plan; null for none.') },
  'A plan that it had.',
);

export const account = named(
  'Account',
  {
    id: text('The account’s id: `acc_` and 12 characters.'),
    name: text('Whose it is.'),
    keys: texts('Ids of its keys, the oldest first.'),
    created: time('When it was made.'),
    closed: orNull(time(''), 'Since when its keys are refused; null where they are not.'),
    plan: orNull(v.string(), 'Its plan now; null for none.'),
    plans: list(had, 'The plans that it had and will have, the oldest first.'),
  },
  'Whose keys are billed together.',
);
export const accounts = pageOf('Accounts', account, 'Accounts, the oldest first.');

const name = shortText('Whose it is, 1 to 100 characters.');
const plan = orNull(v.pipe(v.string(), v.maxLength(200)), 'Its plan; null for none.');
export const newAccount = named('NewAccount', { name, plan: v.optional(plan) }, 'An account to be made.');
export const accountName = named('AccountName', { name }, 'Another name.');
export const planGiven = named('PlanGiven', { plan, from }, 'The plan that an account gets.');
export const keyGiven = named(
  'KeyGiven',
  { key: shortText('The id of a key. All that it replaced goes with it.') },
  'The key that becomes one of an account’s.',
);
