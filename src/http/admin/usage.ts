// Administrative routes for the usage and invoices of a month, as JSON, CSV or a page to print.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import type { Route } from '../openapi/operation.ts';
import { invoiceLineFieldSchemas, monthParameterSchema } from '../schema/calls.ts';
import * as s from '../schema/builders.ts';
import { accountParameterSchema } from './keys.ts';
import { declareAdminRoute, type AdminRouteDeps, type NonJsonAnswerContent } from './route.ts';

const month = s.string('A calendar month in UTC, `2026-11`.');

const accountUsage = s.openApiObject(
  'UsageOfAccount',
  'Usage of one account in a month under one version of a plan.',
  {
    account: s.nullableString('Id of the account; null for the calls of keys without an account.'),
    name: s.string('Name of the account, or `(no account)`.'),
    month,
    plan: s.nullableString('The plan that applied; null for none.'),
    version: s.integer('Version of the plan; 0 without a plan.'),
    calls: s.integer('Live calls.'),
    overage: s.integer('Calls beyond the included ones.'),
    test: s.nullable(
      v.pipe(v.number(), v.integer()),
      'Calls with test keys, which are never billed; null for keys without an account, whose test calls are not counted.',
    ),
    price: s.nullableString('Price of one call of overage, a decimal number; null if nothing is billed.'),
    currency: s.nullableString('ISO 4217; null if nothing is billed.'),
    amount: s.nullableString('Price of the overage, a decimal number; null if nothing is billed.'),
  },
);
export const usagePageSchema = s.createPageSchema(
  'UsageOfAccounts',
  accountUsage,
  'Usage of accounts in a month, by account id.',
);

const keyUsage = s.openApiObject('UsageOfKey', 'Usage of one key in a month.', {
  key: s.string('Id of the first key of a chain of rotations.'),
  name: s.string('What the key is for.'),
  account: s.nullableString('Account of the key; null for none.'),
  month,
  calls: s.integer('Live calls.'),
});
const keyUsagePageSchema = s.createPageSchema(
  'UsageOfKeys',
  keyUsage,
  'Usage of keys in a month, by key id.',
);

const taxFields = {
  name: s.string('Name of the tax.'),
  rate: s.string('Per cent, a decimal number.'),
};
const currency = s.string('ISO 4217.');
const taxSum = s.string('Sum of the taxes, a decimal number.');
const withTaxes = s.string('Amount with the taxes, a decimal number.');
const total = s.object('Amount to pay in one currency.', {
  currency,
  amount: s.string('Sum of the lines, a decimal number.'),
  tax: taxSum,
  total: withTaxes,
});
const party = (about: string) =>
  s.object(about, {
    name: s.string('Name of the person or company.'),
    address: s.stringList('Lines of the address.'),
    tax_id: s.nullableString('Tax number; null for none.'),
  });
const invoice = s.openApiObject('Invoice', 'Invoice of one account for a month.', {
  account: s.string('Id of the account.'),
  name: s.string('Name of the account.'),
  month,
  status: s.oneOf(['draft', 'issued'], 'An issued invoice has a number, and never changes.'),
  complete: s.boolean('False if the month is not over, so that the amounts may grow.'),
  number: s.nullableString('Number of the invoice, without gaps for each issuer; null for a draft.'),
  date: s.nullableString('Day of issue, UTC; null for a draft.'),
  due_date: s.nullableString('Last day for the payment; null for a draft.'),
  issuer: s.nullable(party('Issuer of the invoice.'), 'Issuer of the settings; null without one.'),
  customer: party('Customer of the invoice.'),
  lines: s.list(
    s.openApiObject('InvoiceLine', 'Amount for one version of a plan.', {
      ...invoiceLineFieldSchemas,
      taxes: s.list(
        s.object('One tax of the line.', { ...taxFields, amount: s.string('Tax of the line.') }),
        'Taxes of the line, each rounded.',
      ),
      tax: taxSum,
      total: withTaxes,
    }),
    'One line for each version of a plan that applied.',
  ),
  taxes: s.list(
    s.object('Sum of one tax.', { ...taxFields, currency, amount: s.string('Sum over the lines.') }),
    'Sum of each tax in each currency.',
  ),
  totals: s.list(total, 'One total for each currency.'),
});
export const invoicePageSchema = s.createPageSchema(
  'Invoices',
  invoice,
  'Invoices of a month, by account id.',
);

const issuedInvoicesSchema = s.openApiObject('IssuedInvoices', 'Issued invoices of a month.', {
  items: s.list(invoice, 'Issued invoices of the month, with those that were issued before.'),
});
const invoiceMonthSchema = s.openApiObject('InvoiceMonth', 'A month whose invoices are to be issued.', {
  month: s.shortString('A finished calendar month in UTC, `2026-10`.'),
  account: accountParameterSchema,
});

const formatQuery = (formats: readonly string[]) =>
  v.optional(s.oneOf(formats, 'Format of the answer; it overrides `Accept`. JSON by default.'));

const query = { month: monthParameterSchema, account: accountParameterSchema, ...s.PAGING_PARAMETERS };
const headers = ['Vary', 'Link'] as const;

export const USAGE_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET usage', 'listUsage', {
    summary: 'List usage of accounts',
    about: 'Usage of a month, by default of the present month, by account and version of a plan.',
    command: 'usage',
    query: { ...query, format: formatQuery(['json', 'csv']) },
    answers: usagePageSchema,
    types: ['text/csv'],
    headers,
    async handle({ event, query: { format = acceptedFormat(event, ['json', 'csv']), ...filters }, run }) {
      return toAnswer(await run('usage.list', { ...filters, format }), format, event);
    },
  }),
  declareAdminRoute('GET usage/keys', 'listUsageOfKeys', {
    summary: 'List usage of keys',
    about: 'Usage of a month by chain of keys, with and without accounts.',
    command: 'usage --keys',
    query,
    answers: keyUsagePageSchema,
    handle: ({ query, run }) => run('usage.keys', query),
  }),
  declareAdminRoute('GET invoices', 'listInvoices', {
    summary: 'List invoices',
    about:
      'Invoices of a month, by default of the present month; those of a past month are the same each time, and an issued one is as it was issued. As JSON, CSV, or a page to print.',
    command: 'invoice',
    query: { ...query, format: formatQuery(['json', 'csv', 'html']) },
    answers: invoicePageSchema,
    types: ['text/csv', 'text/html'],
    headers,
    async handle({
      event,
      query: { format = acceptedFormat(event, ['json', 'csv', 'html']), ...filters },
      run,
    }) {
      return toAnswer(await run('invoices.list', { ...filters, format }), format, event);
    },
  }),
  declareAdminRoute('POST invoices', 'issueInvoices', {
    summary: 'Issue invoices',
    about:
      'Gives the invoices of a finished month their numbers and dates; repeating the request changes nothing. Accounts that owe nothing get none.',
    command: 'invoice issue',
    body: invoiceMonthSchema,
    examples: { usual: { summary: 'All accounts', value: { month: '2026-10' } } },
    answers: issuedInvoicesSchema,
    handle: ({ body, run }) => run('invoices.issue', body),
  }),
];

const TYPES: Record<string, string> = { json: 'application/json', csv: 'text/csv', html: 'text/html' };

/**
 * Returns the first media type of `formats` that the header `Accept` of a request prefers (RFC 9110, section 12.5.1); by default the first one.
 * Browsers ask for HTML, spreadsheets and curl for CSV.
 */
function acceptedFormat({ req }: H3Event, formats: readonly [string, ...string[]]): string {
  const ranges = (req.headers.get('accept') ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
  });
  const [first] = formats;
  for (const { type, weight } of ranges.toSorted((a, b) => b.weight - a.weight)) {
    const format = type === '*/*' ? first : formats.find((format) => TYPES[format] === type);
    if (format !== undefined && weight > 0) return format;
  }
  return first;
}

/**
 * Formats a page of a list as the answer in the requested format. In formats other than JSON, the header `Link` has the address of the next page
 * (RFC 8288).
 */
function toAnswer(
  page: { text: string; next: string | null },
  format: string,
  event: H3Event,
): NonJsonAnswerContent {
  const type = TYPES[format] ?? 'application/json';
  const headers: [string, string][] = [['vary', 'Accept']];
  if (page.next !== null) headers.push(['link', `<${addressOf(event, page.next)}>; rel="next"`]);
  if (format === 'html')
    headers.push(['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"]);
  return { text: page.text, type: format === 'json' ? type : `${type}; charset=utf-8`, headers };
}

function addressOf({ url }: H3Event, cursor: string): string {
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  return `${url.pathname}?${query.toString()}`;
}
