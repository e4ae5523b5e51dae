import * as v from 'valibot';
import { BILLED, monthAsked } from '../lookups.ts';
import { list, named, object, orNull, text, whole, word } from '../parts.ts';
import { pageOf } from './parts.ts';

const month = text('A calendar month in UTC, `2026-11`.');
const decimal = (about: string) => orNull(v.string(), about);

const usageOfAccount = named(
  'UsageOfAccount',
  {
    account: text('The account.'),
    name: text('Whose it is.'),
    month,
    plan: orNull(v.string(), 'The plan that applied; null for none.'),
    version: whole('The version of it; 0 without a plan.'),
    calls: whole('Live calls.'),
    overage: whole('Those of them beyond the included ones.'),
    test: whole('Calls with test keys, which are never billed.'),
    price: decimal('Of a call beyond, a decimal number; null where nothing is billed.'),
    currency: decimal('ISO 4217; null where nothing is billed.'),
    amount: decimal('What those beyond cost, a decimal number; null where nothing is billed.'),
  },
  'What an account called in a month under one version of a plan.',
);
export const usage = pageOf('UsageOfAccounts', usageOfAccount, 'What accounts called in a month, by id.');

const usageOfKey = named(
  'UsageOfKey',
  {
    key: text('The first key of a chain of rotations.'),
    name: text('What it is for.'),
    account: orNull(v.string(), 'The account whose key it is; null for a key that stands alone.'),
    month,
    calls: whole('Live calls.'),
  },
  'What a key called in a month.',
);
export const usageOfKeys = pageOf('UsageOfKeys', usageOfKey, 'What keys called in a month, by id.');

const line = named('InvoiceLine', BILLED, 'What is billed for one version of a plan.');
const total = object(
  { currency: text('ISO 4217.'), amount: text('The sum of the lines, a decimal number.') },
  'What is to be paid.',
);
const invoice = named(
  'Invoice',
  {
    account: text('The account.'),
    name: text('Whose it is.'),
    month,
    lines: list(line, 'A line for each version of a plan that applied.'),
    totals: list(total, 'One for each currency.'),
  },
  'What is billed for a month.',
);
export const invoices = pageOf('Invoices', invoice, 'Invoices of a month, by the id of their account.');

export const monthQuery = monthAsked;
export const format = (words: readonly string[]) =>
  v.optional(word(words, 'The form of the answer, over what `Accept` says; JSON where neither says any.'));
