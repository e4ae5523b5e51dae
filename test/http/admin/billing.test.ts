import { expect, test } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { createKey } from '../../../src/store/keys.ts';
import { createCallBatchCommitter } from '../../../src/store/serving/ledger.ts';
import { toCallLogRow } from '../../../src/store/serving/writer-statements.ts';
import { runHere } from '../../kit/cli.ts';
import { sampleCall } from '../../kit/call.ts';
import { JANE, json } from '../../kit/app.ts';
import { adminApp, allOf } from './kit.ts';

const STARTER = { id: 'starter', included: 2, price: '0.02', currency: 'EUR' };

/** Returns an app whose accounts made three calls this month, one of them beyond the included ones. */
async function billedApp(names: string[], settings: { invoice?: string } = {}) {
  const it = await adminApp({ settings });
  await it.do('plans', STARTER);
  const commit = createCallBatchCommitter(it.app.store.raw, { notify: false });
  const account = (name: string) => {
    const { id } = createAccount(it.app.store, { name, plan: 'starter' }, Date.now());
    const rows = Array.from({ length: 3 }, () =>
      toCallLogRow(sampleCall({ account: id, keyId: `key_${name}` })),
    );
    commit({ rows, keys: [] }, Date.now);
    return id;
  };
  return { ...it, account, ids: names.map(account) };
}

test('a plan is created, changed from a time on, and retired; the command line shows the same', async () => {
  const it = await adminApp();
  const run = async (...args: string[]) =>
    JSON.parse((await runHere([...args, '--data-dir', it.folder, '--json'])).stdout);
  const made = await it.do('plans', STARTER);
  expect(made).toMatchObject({
    id: 'starter',
    retired: null,
    versions: [{ version: 1, included: 2, price: '0.02' }],
  });
  const changed = await json(it.ask('PATCH', 'plans/starter', { price: '0.03', from: 'next-month' }));
  expect(changed.versions).toMatchObject([{ price: '0.02' }, { version: 2, price: '0.03', included: 2 }]);
  expect(await it.refusal('PATCH', 'plans/starter', { price: '9', from: '2999-02-30' })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/from', detail: expect.stringMatching(/^There is no such day or time\./) }],
  });
  expect(await run('plans', 'show', 'starter')).toEqual(changed);
  const cheaper = await run('plans', 'change', 'starter', '--included', '5');
  expect(await it.get('plans/starter')).toEqual(cheaper);
  expect((await it.do('plans/starter/retire')).retired).not.toBeNull();
  expect((await it.get('plans')).items).toEqual(await run('plans', 'list'));
  expect(await it.refusal('POST', 'accounts', { name: 'x', plan: 'starter' })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/plan', code: 'invalid_plan' }],
  });
});

test('an account gets a plan and a key, is closed and reopened; the command line shows the same', async () => {
  const it = await adminApp();
  const run = async (...args: string[]) =>
    JSON.parse((await runHere([...args, '--data-dir', it.folder, '--json'])).stdout);
  await it.do('plans', STARTER);
  const { id } = await it.do('accounts', { name: ' Jane’s Shop ' });
  const { key, id: keyId } = await it.do('keys', { name: 'theirs' });
  expect(await it.do(`accounts/${id}/keys`, { key: keyId })).toMatchObject({ keys: [keyId], plan: null });
  expect(await it.do(`accounts/${id}/plan`, { plan: 'starter' })).toMatchObject({ plan: 'starter' });
  expect(await json(it.ask('PATCH', `accounts/${id}`, { name: 'Jane’s' }))).toMatchObject({ name: 'Jane’s' });
  expect(await run('accounts', 'show', id)).toEqual(await it.get(`accounts/${id}`));
  const status = async () => (await it.send('/v1/usage', { key })).status;
  expect((await it.do(`accounts/${id}/close`)).closed).not.toBeNull();
  expect(await status()).toBe(401);
  expect((await it.do(`accounts/${id}/reopen`)).closed).toBeNull();
  expect(await status()).toBe(200);
  const acts = (await run('audit', 'show')).map(
    ({ act, actor }: Record<string, string>) => `${act} ${actor}`,
  );
  expect(acts).toContain(`accounts.close ${it.admin.id}`);
  expect(acts).toContain(`plans.create ${it.admin.id}`);
});

test('usage and invoices are those of the command line, by account and by key', async () => {
  const { ids, ...it } = await billedApp(['a', 'b', 'c']);
  const run = async (...args: string[]) =>
    JSON.parse((await runHere([...args, '--data-dir', it.folder, '--json'])).stdout);
  const byId = (rows: { account: string }[]) => rows.toSorted((a, b) => (a.account < b.account ? -1 : 1));
  expect(await allOf(it, 'usage?limit=1')).toEqual(byId(await run('usage')));
  expect(await allOf(it, 'invoices?limit=2')).toEqual(byId(await run('invoice')));
  expect(await allOf(it, 'usage/keys?limit=2')).toEqual(await run('usage', '--keys'));
  const { items } = await it.get(`invoices?account=${ids[0]}`);
  expect(items).toMatchObject([
    { account: ids[0], lines: [{ calls: 3, overage: 1, amount: '0.02' }], totals: [{ currency: 'EUR' }] },
  ]);
  expect((await it.get('usage?month=2020-01')).items).toEqual([]);
});

test('an account has details for invoices; an invoice of this month is a draft that cannot be issued', async () => {
  const { ids, ...it } = await billedApp(['a'], {
    invoice: JSON.stringify({
      issuer: { name: 'Bonafide Ltd' },
      tax: [{ name: 'VAT', rate: '20' }],
    }),
  });
  const details = { billing_name: 'A Ltd', billing_address: ['1 High Street', 'London'], tax_id: 'GB9' };
  const path = `accounts/${ids[0]}`;
  expect(await json(it.ask('PATCH', path, details))).toMatchObject({ name: 'a', ...details });
  expect(await json(it.ask('PATCH', path, { tax_id: null }))).toMatchObject({ ...details, tax_id: null });
  expect(await it.refusal('PATCH', path, { billing_address: [''] })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/billing_address' }],
  });
  expect((await it.get('invoices')).items).toMatchObject([
    {
      status: 'draft',
      complete: false,
      number: null,
      issuer: { name: 'Bonafide Ltd', address: [], tax_id: null },
      customer: { name: 'A Ltd', address: details.billing_address },
      totals: [{ currency: 'EUR', amount: '0.02', tax: '0.00', total: '0.02' }],
    },
  ]);
  const month = new Date().toISOString().slice(0, 7);
  expect(await it.refusal('POST', 'invoices', { month })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/month', detail: expect.stringContaining('is not over') }],
  });
  expect(await it.do('invoices', { month: '2020-01' })).toEqual({ items: [] });
  const [{ detail }] = (await it.get('audit?act=accounts.billing')).items.toReversed();
  expect(detail).toEqual({ changed: ['billingName', 'billingAddress', 'taxId'] });
});

test('an invoice is JSON, CSV or HTML by the query or by Accept, and names its next page', async () => {
  const it = await billedApp(['=a', '<b>']);
  const form = async (path: string, accept?: string) => {
    const response = await it.ask('GET', path, undefined, accept === undefined ? {} : { accept });
    return {
      type: response.headers.get('content-type'),
      link: response.headers.get('link'),
      text: await response.text(),
    };
  };
  expect((await form('invoices')).type).toBe('application/json');
  expect((await form('invoices', 'text/html;q=0.1, text/csv')).type).toBe('text/csv; charset=utf-8');
  expect((await form('invoices?format=json', 'text/csv')).type).toBe('application/json');
  const page = await form('invoices', 'text/html,application/xhtml+xml,*/*;q=0.8');
  expect(page).toMatchObject({ type: 'text/html; charset=utf-8', link: null });
  expect(page.text).toContain('&lt;b>');
  expect(page.text).not.toContain('<b>');
  const first = await form('invoices?format=csv&limit=1');
  const next = /^<\/admin\/v1\/(.+)>; rel="next"$/.exec(first.link ?? '')?.[1] ?? '';
  const second = await form(next);
  expect(first.text + second.text).toMatch(/,'=a,/);
  expect([second.link, second.text.split('\r\n').length]).toEqual([null, 2]);
});

test('pages neither skip nor repeat accounts while accounts are added', async () => {
  const { ids, account, ...it } = await billedApp(['a', 'b', 'c', 'd', 'e']);
  let added = 0;
  const all = await allOf(it, 'invoices?limit=2', () => account(`new${added++}`));
  const seen = all.map(({ account }) => account);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(ids));
  const list = (await allOf(it, 'accounts?limit=2', () => account(`newer${added++}`))).map(({ id }) => id);
  expect(new Set(list).size).toBe(list.length);
  expect(list).toEqual(expect.arrayContaining(ids));
});

test('the overview, the usage, the invoice and the metrics show the same number of calls', async () => {
  const it = await adminApp();
  await it.do('plans', STARTER);
  const { id } = await it.do('accounts', { name: 'Shop', plan: 'starter' });
  const keyOf = (account?: string, test = false) =>
    createKey(it.app.store, { name: 'x', scopes: ['validate'], account, test }, Date.now()).key;
  const [billed, tested, free] = [keyOf(id), keyOf(id, true), keyOf()];
  const check = (key: string, headers: Record<string, string> = {}, body: object = JANE) =>
    it.post('/v1/validate', body, { 'x-api-key': key, ...headers });
  // Five calls of the account, three of them beyond the included two; three without an account; two test calls.
  for (let i = 0; i < 4; i++) await check(billed);
  // The second request is answered with the first call again; the third is refused.
  for (let i = 0; i < 2; i++) await check(billed, { 'idempotency-key': 'once' });
  await check(billed, {}, { name: 7 });
  for (let i = 0; i < 3; i++) await check(free);
  for (let i = 0; i < 2; i++) await check(tested);

  const { items: usage } = await it.get('usage');
  const printed = JSON.parse((await runHere(['usage', '--json', '--data-dir', it.folder])).stdout);
  const sum = (lines: { calls: number }[]) => lines.reduce((total, { calls }) => total + calls, 0);
  expect([sum(usage), sum(printed), (await it.get('activity?span=hour')).all.calls]).toEqual([8, 8, 8]);
  expect(usage.find(({ account }: { account: string }) => account === id)).toMatchObject({
    calls: 5,
    overage: 3,
    test: 2,
  });
  const own = await json(it.send('/v1/usage', { key: billed }));
  const [invoice] = (await it.get(`invoices?account=${id}`)).items;
  expect([own.calls, own.overage, invoice.lines[0].calls, invoice.totals[0].total]).toEqual([
    5,
    3,
    5,
    '0.06',
  ]);
  const metrics = await (await it.send('/metrics', { key: null })).text();
  const counted = [...metrics.matchAll(/^bonafide_(checks|test_checks)_total\{[^}]*\} (\d+)$/gm)];
  const total = (name: string) =>
    counted.reduce((all, [, family, value]) => all + (family === name ? Number(value) : 0), 0);
  expect([total('checks'), total('test_checks')]).toEqual([8, 2]);
});
