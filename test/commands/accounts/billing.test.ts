import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCallBatchCommitter } from '../../../src/store/serving/ledger.ts';
import { openSqliteStore, getStoreFile } from '../../../src/store/sqlite/open.ts';
import { toCallLogRow } from '../../../src/store/serving/writer-statements.ts';
import { sampleCall } from '../../kit/call.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';

/** Returns functions that run commands in a new folder. `told` returns the JSON output. */
function operator() {
  const folder = freshFolder();
  const run = (...args: string[]) => runHere([...args, '--data-dir', folder]);
  const told = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  /** Commits calls of an account, as a server would. */
  const call = (account: string | null, keyId: string, count: number, now = Date.now) => {
    const store = openSqliteStore({ file: getStoreFile(folder) });
    const rows = Array.from({ length: count }, () => toCallLogRow(sampleCall({ account, keyId })));
    createCallBatchCommitter(store.raw)({ rows, keys: [] }, now);
    store.close();
  };
  return { run, told, call, folder };
}

test('usage and invoice show the calls of an account, in each format', async () => {
  const { run, told, call } = operator();
  await run('plans', 'create', 'starter', '--included', '3', '--price', '0.0125', '--currency', 'eur');
  const { id } = await told('accounts', 'create', '--name', 'Shop, "Ltd" <b>', '--plan', 'starter');
  const key = await told('keys', 'create', '--name', 'live', '--account', id);
  expect(key).toMatchObject({ account: id });
  call(id, key.id, 10);
  const line = {
    plan: 'starter',
    version: 1,
    calls: 10,
    overage: 7,
    price: '0.0125',
    currency: 'EUR',
    amount: '0.09',
  };
  expect(await told('usage')).toEqual([expect.objectContaining({ account: id, test: 0, ...line })]);
  expect(await told('usage', '--keys')).toEqual([
    expect.objectContaining({ key: key.id, account: id, calls: 10 }),
  ]);
  const [invoice] = await told('invoice', '--account', id);
  expect(invoice).toMatchObject({
    account: id,
    lines: [{ included: 3, ...line }],
    totals: [{ currency: 'EUR', amount: '0.09' }],
  });
  expect((await run('invoice')).stdout).toMatch(
    /^Shop, "Ltd" <b> \(acc_\w+\), \d{4}-\d\d\. Draft: the month is not over\nplan .*\nstarter .*0\.09\nTotal 0\.09 EUR\n$/,
  );
  expect((await run('invoice', '--csv')).stdout).toContain(`${id},"Shop, ""Ltd"" <b>",`);
  const page = (await run('invoice', '--html')).stdout;
  expect(page).toContain('Shop, &quot;Ltd&quot; &lt;b>');
  expect(page).toContain('<td>0.09 EUR</td>');
  expect((await run('invoice', '--month', '2020-01')).stdout).toBe('Nothing is billed for 2020-01.\n');
});

test('calls without an account have a row, and the total is the number of all calls', async () => {
  const { run, told, call } = operator();
  await run('plans', 'create', 'starter', '--included', '3');
  const { id } = await told('accounts', 'create', '--name', 'Shop', '--plan', 'starter');
  const own = await told('keys', 'create', '--name', 'own');
  const key = await told('keys', 'create', '--name', 'live', '--account', id);
  call(id, key.id, 10);
  call(null, own.id, 4);
  const rows = await told('usage');
  expect(rows).toEqual([
    expect.objectContaining({ account: id, calls: 10 }),
    expect.objectContaining({ account: null, name: '(no account)', calls: 4, test: null, amount: null }),
  ]);
  expect((await run('usage')).stdout).toMatch(/\n +\(no account\) .*\nTotal 14 calls\n$/);
  expect((await run('usage', '--keys')).stdout).toMatch(/\nTotal 14 calls\n$/);
  expect(await told('usage', '--account', id)).toHaveLength(1);
});

test('invoices of a finished month get numbers with issuer, address, taxes and due date, once', async () => {
  const { run, told, call, folder } = operator();
  const settings = `${freshFolder()}/settings.json`;
  const issuer = { name: 'Bonafide Ltd', address: ['1 Bank', 'London'], taxId: 'GB1' };
  const tax = [{ name: 'VAT', rate: 8.1 }];
  writeFileSync(settings, JSON.stringify({ invoice: { issuer, tax, dueDays: 7, numberPrefix: 'R-' } }));
  const config = ['--config', settings];
  await run('plans', 'create', 'starter', '--price', '0.5', '--currency', 'EUR');
  const { id } = await told('accounts', 'create', '--name', 'Shop', '--plan', 'starter');
  const billing = [
    '--billing-name',
    'Shop <Ltd>',
    '--billing-address',
    '1 High Street; London',
    '--tax-id',
    'GB9',
  ];
  expect(await told('accounts', 'set', id, ...billing)).toMatchObject({
    name: 'Shop',
    billing_name: 'Shop <Ltd>',
    billing_address: ['1 High Street', 'London'],
    tax_id: 'GB9',
  });
  await backdatePlans(folder);
  call(id, 'key_x', 3, () => Date.UTC(2026, 9, 5));
  const [draft] = await told('invoice', '--month', '2026-10', ...config);
  expect(draft).toMatchObject({ status: 'draft', complete: true, number: null });
  const issued = await told('invoice', 'issue', '--month', '2026-10', ...config);
  expect(issued).toMatchObject([
    {
      account: id,
      number: 'R-1',
      customer: { name: 'Shop <Ltd>', address: ['1 High Street', 'London'], tax_id: 'GB9' },
      taxes: [{ name: 'VAT', rate: '8.1', currency: 'EUR', amount: '0.12' }],
      totals: [{ amount: '1.50', tax: '0.12', total: '1.62' }],
    },
  ]);
  expect(await told('invoice', 'issue', '--month', '2026-10', ...config)).toEqual(issued);
  expect(await told('invoice', '--month', '2026-10')).toEqual(issued);
  expect((await run('invoice', '--month', '2026-10')).stdout).toMatch(
    /Invoice R-1 of (\S+), due \S+\n[^]*\nVAT 8\.1 % 0\.12 EUR\nTotal 1\.62 EUR\n$/,
  );
  expect((await run('invoice', '--month', '2026-10', '--csv')).stdout).toContain(
    ',1.50,0.12,1.62,issued,true,R-1,',
  );
  const page = (await run('invoice', '--month', '2026-10', '--html')).stdout;
  expect(page).toContain('To: Shop &lt;Ltd><br>1 High Street<br>London<br>Tax number GB9');
  expect(page).toContain('From: Bonafide Ltd<br>1 Bank<br>London<br>Tax number GB1');
});

/** Lets plans, and plans of accounts, begin in 1970: only then calls can be in a past month. */
async function backdatePlans(folder: string): Promise<void> {
  const store = openSqliteStore({ file: getStoreFile(folder) });
  store.raw.exec('UPDATE account_plans SET since = 0; UPDATE plan_versions SET since = 0');
  store.close();
}

test('terms are set by options, and changed one by one', async () => {
  const { told } = operator();
  const { versions: first } = await told(
    ...'plans create small --included 100 --overage block --rate 600/m --burst 20'.split(' '),
    ...'--concurrency 4 --probes 50 --watches 7 --operations validate --features none'.split(' '),
  );
  const limits = { concurrency: 4, probes: 50, watches: 7, operations: ['validate'], features: [] };
  const money = { included: 100, price: '0', currency: 'USD', digits: 2, overage: 'block' };
  const rate = { calls: 600, seconds: 60, burst: 20 };
  expect(first).toEqual([{ version: 1, since: expect.any(String), ...money, rate, ...limits }]);
  const { versions } = await told(
    'plans',
    'change',
    'small',
    '--rate',
    'none',
    '--price',
    '2',
    '--currency',
    'JPY',
    '--from',
    '2199-01-01',
  );
  const since = '2199-01-01T00:00:00.000Z';
  const yen = { price: '2', currency: 'JPY', digits: 0 };
  expect(versions[1]).toEqual({ version: 2, since, ...money, ...yen, rate: null, ...limits });
});

test('an account gets plans and keys, is closed and reopened', async () => {
  const { run, told } = operator();
  await run('plans', 'create', 'a');
  const { id } = await told('accounts', 'create', '--name', 'Shop');
  const key = await told('keys', 'create', '--name', 'old');
  const next = await told('keys', 'rotate', key.id);
  expect(await told('accounts', 'join', id, next.id)).toMatchObject({ keys: [key.id, next.id], plan: null });
  expect(await told('accounts', 'plan', id, 'a')).toMatchObject({ plan: 'a' });
  expect((await told('accounts', 'plan', id, 'none', '--from', 'next-month')).plans).toHaveLength(3);
  expect(await told('accounts', 'rename', id, '--name', 'Shops')).toMatchObject({ name: 'Shops' });
  expect((await told('accounts', 'close', id)).closed).not.toBeNull();
  expect(await told('accounts', 'reopen', id)).toMatchObject({ closed: null, plan: 'a' });
  expect((await run('accounts', 'list')).stdout).toMatch(/^acc_\w+ +Shops +a +2 keys\n$/);
});

test.each([
  [['plans', 'change', 'a', '--from', '2999-02-30'], /^error: There is no such day or time\. --from must be/],
  [['plans', 'change', 'a', '--from', '2999-02-29T09:00:00Z'], /^error: There is no such day or time/],
  [['accounts', 'plan', 'acc_x', 'a', '--from', '2999-04-31'], /^error: There is no such day or time/],
  [['plans', 'create', 'Big'], /^error: The id of a plan must be/],
  [['plans', 'create', 'a', '--price', '0.1e2'], /^error: price must be a decimal number/],
  [['plans', 'create', 'a', '--currency', 'EURO'], /^error: currency must be/],
  [['plans', 'create', 'a', '--included', '1e3'], /^error: included must be a whole number/],
  [['plans', 'create', 'a', '--rate', '10'], /^error: --rate must be calls per time/],
  [['plans', 'create', 'a', '--burst', '10'], /^error: --burst needs --rate/],
  [
    ['plans', 'create', 'a', '--operations', 'guess'],
    /^error: operations must be one or more of validate, enhanced/,
  ],
  [['plans', 'create', 'a', '--operations', 'none'], /^error: operations must be one or more of/],
  [['plans', 'show', 'a'], /^error: There is no plan a\./],
  [
    ['plans', 'change', 'b', '--from', '2020-01-01'],
    /^error: A change cannot apply in the past.* Leave the time out/,
  ],
  [['plans', 'change', 'b', '--from', 'soon'], /^error: --from must be a day/],
  [['plans', 'change', 'b'], /^error: No term is given/],
  [['plans', 'create', 'b'], /^error: There is a plan b already/],
  [['accounts', 'create', '--name', ' '], /^error: The name of an account must have/],
  [['accounts', 'create', '--name', 'a\u001B[2Jb'], /^error: The name of an account must have .* control/],
  [['keys', 'create', '--name', 'a\u001B[2Jb'], /^error: --name must have .* control/],
  [['keys', 'create', '--name', 'a\nb'], /^error: --name must have/],
  [['accounts', 'create', '--name', 'x', '--plan', 'a'], /^error: There is no plan a\./],
  [
    ['accounts', 'create', '--name', 'x', '--plan', 'gone'],
    /^error: The plan gone is retired\. Choose another: bonafide plans list/,
  ],
  [['accounts', 'show', 'acc_x'], /^error: There is no account acc_x\./],
  [['keys', 'create', '--name', 'x', '--account', 'acc_x'], /^error: There is no account acc_x\./],
  [['usage', '--month', '2026-13'], /^error: The month must be a year and a month, such as 2026-11\./],
  [['invoice', '--account', 'acc_x'], /^error: There is no account acc_x\./],
  [['invoice', 'isue', '--month', '2026-10'], /^error: The only argument of `bonafide invoice` is issue\./],
  [
    ['graph', 'import', 'a.csv', '--undo', '--yes'],
    /^error: --undo undoes the last import and takes no files/,
  ],
  [
    ['features', 'use', 'narrative', 'x', '--plugin', 'gone'],
    /^error: Model "x" needs the plugin "gone", which is not loaded\. To load a plugin of your own, name its file in/,
  ],
  [['invoice', 'issue'], /^error: invoice issue needs --month/],
  [['invoice', 'issue', '--month', '2026-10'], /^error: The setting invoice\.issuer is missing/],
  [['accounts', 'set', 'acc_x'], /^error: Nothing to set\. Give --name/],
  [['accounts', 'set', 'acc_x', '--tax-id', 'a\nb'], /^error: The tax number of an account must have/],
])('an invalid option is reported in one line: %j', async (args, says) => {
  const { run } = operator();
  await run('plans', 'create', 'b');
  await run('plans', 'create', 'gone');
  await run('plans', 'retire', 'gone');
  const { code, stderr } = await run(...args);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(says);
});

test('the log of changes shows times as dates', async () => {
  const { run } = operator();
  await run('plans', 'create', 'starter');
  await run('plans', 'change', 'starter', '--price', '0.03', '--from', '2999-01-01');
  expect((await run('audit', 'show')).stdout).toMatch(/version=2 since=2999-01-01T00:00:00\.000Z/);
});

test('an address of an account to which nothing is sent is reported when it is added', async () => {
  const { run, told } = operator();
  const { id } = await told('accounts', 'create', '--name', 'Shop');
  const add = (url: string) => run('webhooks', 'add', id, url);
  const internal = /Nothing is sent to addresses of this machine .* webhookNetworks/;
  for (const url of ['http://127.0.0.1:9/a', 'http://[::1]:9/a', 'http://localhost:9/a'])
    expect((await add(url)).stdout).toMatch(internal);
  expect((await add('https://8.8.8.8/a')).stdout).not.toMatch(internal);
});

test('a webhook is not added with a mistyped data folder, or with a store of other machines and without their secret', async () => {
  const { run, told, folder } = operator();
  const { id } = await told('accounts', 'create', '--name', 'Shop');
  const add = ['webhooks', 'add', id, 'https://8.8.8.8/a'];
  const mistyped = join(folder, 'mistyped');
  const config = join(folder, 'bonafide.config.json');
  writeFileSync(config, JSON.stringify({ store: { url: 'postgres://nobody@127.0.0.1:1/none' } }));
  for (const args of [
    [...add, '--data-dir', mistyped],
    ['webhooks', 'rotate', 'whk_1', '--data-dir', mistyped],
    [...add, '--config', config, '--data-dir', folder],
  ]) {
    const { code, stderr } = await runHere(args);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: There is no secret in .* Check --data-dir\./),
    ]);
  }
  expect([existsSync(mistyped), existsSync(join(folder, 'secret'))]).toEqual([false, false]);
  expect(await run(...add)).toMatchObject({ code: 0 });
});
