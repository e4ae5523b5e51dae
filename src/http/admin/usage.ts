// Usage and invoices.
import * as v from 'valibot';
import type { H3Event } from 'h3';
import { accountQuery } from './keys.ts';
import { invoiceLineEntries, monthQuery } from '../schema/calls.ts';
import { list, namedObject, object, nullable, pageSchema, string, integer, oneOf } from '../schema/parts.ts';
import type { FormattedAnswer } from './route.ts';
import { adminRoute, PAGING } from './route.ts';
import type { AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const month = string('A calendar month in UTC, `2026-11`.');

const decimal = (about: string) => nullable(v.string(), about);

const usageOfAccount = namedObject(
  'UsageOfAccount',
  {
    account: string('The account.'),
    name: string('Whose it is.'),
    month,
    plan: nullable(v.string(), 'The plan that applied; null for none.'),
    version: integer('The version of it; 0 without a plan.'),
    calls: integer('Live calls.'),
    overage: integer('Those of them beyond the included ones.'),
    test: integer('Calls with test keys, which are never billed.'),
    price: decimal('Of a call beyond, a decimal number; null where nothing is billed.'),
    currency: decimal('ISO 4217; null where nothing is billed.'),
    amount: decimal('What those beyond cost, a decimal number; null where nothing is billed.'),
  },
  'What an account called in a month under one version of a plan.',
);

export const usagePageSchema = pageSchema(
  'UsageOfAccounts',
  usageOfAccount,
  'What accounts called in a month, by id.',
);

const usageOfKey = namedObject(
  'UsageOfKey',
  {
    key: string('The first key of a chain of rotations.'),
    name: string('What it is for.'),
    account: nullable(v.string(), 'The account whose key it is; null for a key that stands alone.'),
    month,
    calls: integer('Live calls.'),
  },
  'What a key called in a month.',
);

export const keyUsagePageSchema = pageSchema(
  'UsageOfKeys',
  usageOfKey,
  'What keys called in a month, by id.',
);

const line = namedObject('InvoiceLine', invoiceLineEntries, 'What is billed for one version of a plan.');

const total = object(
  { currency: string('ISO 4217.'), amount: string('The sum of the lines, a decimal number.') },
  'What is to be paid.',
);

const invoice = namedObject(
  'Invoice',
  {
    account: string('The account.'),
    name: string('Whose it is.'),
    month,
    lines: list(line, 'A line for each version of a plan that applied.'),
    totals: list(total, 'One for each currency.'),
  },
  'What is billed for a month.',
);

export const invoicePageSchema = pageSchema(
  'Invoices',
  invoice,
  'Invoices of a month, by the id of their account.',
);

export const formatQuery = (words: readonly string[]) =>
  v.optional(oneOf(words, 'The form of the answer, over what `Accept` says; JSON where neither says any.'));

const query = { month: monthQuery, account: accountQuery, ...PAGING };

const forms = { headers: ['Vary', 'Link'] as const };

export const USAGE_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET usage', 'listUsage', {
    summary: 'What accounts called',
    about:
      'What was called in a month, the present one where none is named, by account and version of a plan. `bonafide usage` at the command line.',
    query: { ...query, format: formatQuery(['json', 'csv']) },
    answers: usagePageSchema,
    types: ['text/csv'],
    ...forms,
    handle: async ({ query: { format, ...filters }, event, run }) => {
      const chosen = format ?? formatIn(event, ['json', 'csv']);
      return toAnswer(await run('usage.list', { ...filters, format: chosen }), chosen, event);
    },
  }),
  adminRoute('GET usage/keys', 'listUsageOfKeys', {
    summary: 'What keys called',
    about:
      'What was called in a month by chain of keys, whether of an account or alone. `bonafide usage --keys`.',
    query,
    answers: keyUsagePageSchema,
    handle: ({ query, run }) => run('usage.keys', query),
  }),
  adminRoute('GET invoices', 'listInvoices', {
    summary: 'What is billed',
    about:
      'The invoices of a month, the present one where none is named; of a month that is over they are the same each time. As JSON, CSV, or a page to print. `bonafide invoice`.',
    query: { ...query, format: formatQuery(['json', 'csv', 'html']) },
    answers: invoicePageSchema,
    types: ['text/csv', 'text/html'],
    ...forms,
    handle: async ({ query: { format, ...filters }, event, run }) => {
      const chosen = format ?? formatIn(event, ['json', 'csv', 'html']);
      return toAnswer(await run('invoices.list', { ...filters, format: chosen }), chosen, event);
    },
  }),
];

const TYPES: Record<string, string> = {
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
};

/** The form that `Accept` prefers of those that there are; the first where it says nothing of any (RFC 9110, 12.5.1). */
function formatIn({ req }: H3Event, forms: readonly string[]): string {
  const ranges = (req.headers.get('accept') ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((one) => one.startsWith('q='));
    return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  for (const { type } of wanted) {
    const form = type === '*/*' ? forms[0] : forms.find((one) => TYPES[one] === type);
    if (form !== undefined) return form;
  }
  return forms[0] ?? 'json';
}

/** A page in the form that was asked for. One that is no JSON tells in `Link` where it goes on (RFC 8288). */
function toAnswer(
  page: { text: string; next: string | null },
  form: string,
  event: H3Event,
): FormattedAnswer {
  const type = TYPES[form] ?? 'application/json';
  const headers: [string, string][] = [['vary', 'Accept']];
  if (page.next !== null) headers.push(['link', `<${placeOf(event, page.next)}>; rel="next"`]);
  if (form === 'html')
    headers.push(['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"]);
  return { text: page.text, type: form === 'json' ? type : `${type}; charset=utf-8`, headers };
}

function placeOf({ url }: H3Event, cursor: string): string {
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  return `${url.pathname}?${query.toString()}`;
}
