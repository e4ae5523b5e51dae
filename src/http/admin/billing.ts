import type { H3Event } from 'h3';
import * as ACCOUNTS from '../openapi/operations/admin/accounts.ts';
import * as PLANS from '../openapi/operations/admin/plans.ts';
import * as USAGE from '../openapi/operations/admin/usage.ts';
import { at } from './route.ts';
import type { AdminRoute, Shaped } from './route.ts';

const PLAN_ROUTES: AdminRoute[] = [
  at(PLANS.LIST, ({ query, ask }) => ask('plans.list', query)),
  at(PLANS.CREATE, ({ body, ask }) => ask('plans.create', body)),
  at(PLANS.SHOW, ({ id, ask }) => ask('plans.show', id)),
  at(PLANS.CHANGE, ({ id, body: { from, ...terms }, ask }) => ask('plans.change', { id, terms, from })),
  at(PLANS.RETIRE, ({ id, ask }) => ask('plans.retire', id)),
];

const ACCOUNT_ROUTES: AdminRoute[] = [
  at(ACCOUNTS.LIST, ({ query, ask }) => ask('accounts.list', query)),
  at(ACCOUNTS.CREATE, ({ body, ask }) => ask('accounts.create', body)),
  at(ACCOUNTS.SHOW, ({ id, ask }) => ask('accounts.show', id)),
  at(ACCOUNTS.RENAME, ({ id, body: { name }, ask }) => ask('accounts.rename', { id, name })),
  at(ACCOUNTS.PLAN, ({ id, body, ask }) => ask('accounts.plan', { id, ...body })),
  at(ACCOUNTS.JOIN, ({ id, body: { key }, ask }) => ask('accounts.join', { id, key })),
  at(ACCOUNTS.CLOSE, ({ id, ask }) => ask('accounts.close', id)),
  at(ACCOUNTS.REOPEN, ({ id, ask }) => ask('accounts.reopen', id)),
];

const USAGE_ROUTES: AdminRoute[] = [
  at(USAGE.USAGE, async ({ query: { format, ...asked }, event, ask }) => {
    const form = format ?? formOf(event, ['json', 'csv']);
    return shaped(await ask('usage.list', { ...asked, form }), form, event);
  }),
  at(USAGE.OF_KEYS, ({ query, ask }) => ask('usage.keys', query)),
  at(USAGE.INVOICES, async ({ query: { format, ...asked }, event, ask }) => {
    const form = format ?? formOf(event, ['json', 'csv', 'html']);
    return shaped(await ask('invoices.list', { ...asked, form }), form, event);
  }),
];

export const BILLING_ROUTES: AdminRoute[] = [...PLAN_ROUTES, ...ACCOUNT_ROUTES, ...USAGE_ROUTES];

const TYPES: Record<string, string> = {
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
};

/** The form that `Accept` prefers of those that there are; the first where it says nothing of any (RFC 9110, 12.5.1). */
function formOf({ req }: H3Event, forms: readonly string[]): string {
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
function shaped(page: { text: string; next: string | null }, form: string, event: H3Event): Shaped {
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
