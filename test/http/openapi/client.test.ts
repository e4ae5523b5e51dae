// A client that a generator of others makes from /openapi.json: its types compile, and its calls are answered.
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { freshApp, JANE } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { ROOT } from '../../kit/pages.ts';

/** A program that uses the client as its types say. Each call's answer goes out under a name. */
const USE = `import * as api from './client.ts';
import type { CheckRequest } from './client.ts';

export async function use(fetch: typeof globalThis.fetch, key: string, sent: CheckRequest) {
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
  return { nobody, checked, score, legacy: { status, data }, enhanced, wrong, earlier, usage, lost, health, ready, told, months, tools };
}
`;

const OPTIONS =
  '--noEmit --strict --target es2024 --module nodenext --skipLibCheck --allowImportingTsExtensions --types node';
const run = (tool: string, args: string[], cwd: string) =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules', tool), ...args], { cwd, stdio: 'pipe' });

test('a generated client compiles and gets the answers of the routes', { timeout: 60_000 }, async () => {
  const it = await freshApp();
  const folder = freshFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'openapi.json'), await (await it.send('/openapi.json', { key: null })).text());
  run('oazapfts/dist/cli.js', ['openapi.json', 'client.ts'], folder);
  writeFileSync(join(folder, 'use.ts'), USE);
  run('typescript/bin/tsc', [...OPTIONS.split(' '), 'use.ts'], folder);

  const { use } = await import(pathToFileURL(join(folder, 'use.ts')).href);
  const fetched: typeof fetch = async (input, init) => it.app.http.fetch(new Request(input, init));
  const got = await use(fetched, it.key(), JANE);
  expect(got).toMatchObject({
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
    tools: { status: 200, data: { result: { tools: [{ name: 'verify_identity' }] } } },
  });
  expect(got.score).toBe(got.checked.data.trustworthiness_score);
});
