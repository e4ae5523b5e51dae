// A client that a generator makes from /openapi.json: its types compile, and it passes the rows that plain
// HTTP passes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildApiDescription as described } from '../../../src/http/openapi/document.ts';
import { ROUTES } from '../../../src/http/server.ts';
import { askedBy, askedOf, clientFolder, imported, run } from '../../kit/api/generated.ts';
import type { Generated } from '../../kit/api/generated.ts';
import { createWebhookSetting, freshApp, JANE, sharedApp } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import type { Document } from '../../kit/openapi.ts';
import { sendExamples } from './admin-examples.ts';
import { adminApp, administered } from '../admin/kit.ts';
import { refusedRows } from '../admin/rows.ts';
import { checkRows } from '../rows/checks.ts';
import { ERRORS } from '../rows/errors.ts';
import { lookUpRows } from '../rows/look-ups.ts';
import { errorRows, keyRows } from '../rows/refused.ts';

const DOCUMENT = JSON.parse(JSON.stringify(described(ROUTES))) as Document;
const folder = clientFolder(DOCUMENT);
let client: Generated = {};

beforeAll(async () => {
  client = (await imported(folder, 'client.ts')) as Generated;
});

const openShared = sharedApp();
/** Returns a server that is called by the generated client. */
const open = async () => askedBy(client, DOCUMENT, await openShared());

describe('by a generated client', () => {
  const callable = ERRORS.filter(
    ({ path = '/v1/validate', method = 'POST' }) => askedOf(DOCUMENT, method, path) !== null,
  );
  checkRows(open);
  errorRows(open, callable);
  keyRows(open);
  lookUpRows(open);
  refusedRows(async () => administered(await open()));

  test('every example of an administrative request gets an answer', async () => {
    const settings = {
      backup: `every=24h,to=${freshFolder()}`,
      invoice: '{"issuer":{"name":"Bonafide Ltd"}}',
      watches: 'true',
      webhook: createWebhookSetting(),
    };
    const it = administered(askedBy(client, DOCUMENT, await freshApp({ settings })));
    expect((await sendExamples(it, DOCUMENT)).length).toBeGreaterThan(30);
  });
});

test('a client has a function for every operation', () => {
  const names = Object.values(DOCUMENT.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  for (const name of names) expect([name, typeof client[name]]).toEqual([name, 'function']);
});

test('no text of the description ends the comment that a generator puts it into', () => {
  expect(JSON.stringify(DOCUMENT)).not.toContain('*/');
});

/** A program that uses the types of the client, and prints the answer of each call under a name. */
const USE = `import * as api from './client.ts';
import type { CheckRequest } from './client.ts';

export async function use(fetch: typeof globalThis.fetch, { key, admin }: Record<'key' | 'admin', string>, sent: CheckRequest) {
  api.defaults.fetch = fetch;
  api.defaults.baseUrl = 'http://localhost';
  const nobody = await api.validate(sent);
  api.defaults.headers = { 'x-api-key': key };
  const checked = await api.validate(sent);
  if (checked.status !== 200) throw new Error(checked.data.code);
  const score: number = checked.data.trustworthiness_score;
  const { status, data } = await api.validate(
    { nameAddresses: [{ fullName: sent.name }], emailAddresses: sent.emails },
    { ai: 'true', response: 'v2' },
  );
  const enhanced = await api.validateEnhanced({ ...sent, include_fraud_detection: false });
  const wrong = await api.validate({ name: '', emails: ['no mail'] });
  const earlier = await api.getRequest(checked.data.request_id);
  const usage = await api.getUsage();
  const lost = await api.getRequest('req_00000000000000000000000000');
  const health = await api.getHealth();
  const ready = await api.getReadiness();
  const told = await api.tellOutcome(checked.data.request_id, { genuine: true });
  const months = await api.getUsage({ month: '1999-13' });
  const tools = await api.mcp({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  api.defaults.headers = { 'x-api-key': admin };
  const plan = await api.createPlan({ id: 'small', included: 2, price: '0.02', currency: 'EUR' });
  const account = await api.createAccount({ name: 'Shop', plan: 'small' });
  if (plan.status !== 201 || account.status !== 201) throw new Error('refused');
  const made = await api.createKey({ name: 'theirs', account: account.data.id, scopes: ['validate'] });
  if (made.status !== 201) throw new Error(made.data.code);
  await api.validate(sent, {}, { headers: { 'x-api-key': made.data.key } });
  const bills = await api.listInvoices({ account: account.data.id });
  if (bills.status !== 200) throw new Error(bills.data.code);
  const amounts: string[] = bills.data.items.flatMap(({ totals }) => totals.map(({ amount }) => amount));
  const acts = await api.listActs({ act: 'plans.create', limit: 1 });
  const twice = await api.createPlan({ id: 'small' });
  return { amounts, acts, twice, nobody, checked, score, legacy: { status, data }, enhanced, wrong, earlier, usage, lost, health, ready, told, months, tools };
}
`;

const OPTIONS =
  '--noEmit --strict --target es2024 --module nodenext --skipLibCheck --allowImportingTsExtensions --types node';

interface Used {
  score: number;
  checked: { data: { trustworthiness_score: number } };
}

test('its types compile in a program, which gets answers of these types', async () => {
  const it = await adminApp();
  writeFileSync(join(folder, 'use.ts'), USE);
  run('typescript/bin/tsc', [...OPTIONS.split(' '), 'use.ts'], folder);
  const { use } = (await imported(folder, 'use.ts')) as { use: (...args: unknown[]) => Promise<Used> };
  const fetched: typeof fetch = async (input, init) => it.app.http.fetch(new Request(input, init));
  const got = await use(fetched, { key: it.key(), admin: it.admin.key }, JANE);
  expect(got).toMatchObject({
    amounts: ['0.00'],
    acts: { status: 200, data: { items: [{ act: 'plans.create', target: 'small' }] } },
    twice: { status: 422, data: { errors: [{ code: 'already_there' }] } },
    nobody: { status: 401, data: { code: 'missing_api_key' } },
    checked: { status: 200, data: { status: 'HIGH', possible_catfish: false } },
    legacy: { status: 200, data: { response_version: 'v2', ai_insights: { ai_enabled: true } } },
    enhanced: {
      status: 200,
      data: { ai_insights: { fraud_detection: { ai_enabled: false, reason: 'Not requested' } } },
    },
    wrong: {
      status: 422,
      data: { code: 'invalid_request', errors: [{ pointer: '/name' }, { pointer: '/emails/0' }] },
    },
    earlier: { status: 200, data: { endpoint: '/v1/validate' } },
    usage: { status: 200, data: { calls: 3 } },
    lost: { status: 404, data: { code: 'not_found' } },
    health: { status: 200, data: { status: 'ok' } },
    ready: { status: 503, data: { store: 'ok', graph: 'ok', warm_up: 'starting' } },
    told: { status: 200, data: { genuine: true } },
    months: { status: 422, data: { errors: [{ code: 'invalid_month' }] } },
    tools: { status: 200, data: { result: { tools: [{ name: 'verify_identity' }, {}, {}, {}] } } },
  });
  expect(got.score).toBe(got.checked.data.trustworthiness_score);
});
