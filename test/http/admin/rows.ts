// Hostile and careless administrative requests: each is refused with a sentence, and no input is repeated.
// The rows are used by several programs: `open` returns a server together with a program that calls it.
import { expect, test } from 'vitest';
import { toListCursor } from '../../../src/admin/paging.ts';
import type { adminApp } from './kit.ts';

const MARK = 'Zqxmarked';

const QUERIES: [path: string, code: string][] = [
  ['keys?limit=-1', 'invalid_limit'],
  ['keys?limit=0', 'invalid_limit'],
  ['keys?limit=201', 'invalid_limit'],
  ['keys?limit=1e2', 'invalid_limit'],
  ['keys?limit=NaN', 'invalid_limit'],
  ['keys?limit=1&limit=2', 'invalid_limit'],
  [`keys?state=${MARK}`, 'invalid_state'],
  [`keys?${MARK}=1`, 'unknown_parameter'],
  ['keys?__proto__=1', 'unknown_parameter'],
  ['keys?constructor=1', 'unknown_parameter'],
  [`keys?cursor=${MARK}`, 'invalid_cursor'],
  [`keys?cursor=${Buffer.from(`[0,"${MARK}"]`).toString('base64url')}.AAAAAAAAAAAA`, 'invalid_cursor'],
  [`keys?cursor=${'A'.repeat(401)}`, 'invalid_cursor'],
  // PostgreSQL can compare none of these with its columns.
  [`audit?cursor=${toListCursor({ name: 'audit', filters: {} }, [0.5])}`, 'invalid_cursor'],
  [`audit?cursor=${toListCursor({ name: 'audit', filters: {} }, [2 ** 63])}`, 'invalid_cursor'],
  [`accounts?cursor=${toListCursor({ name: 'accounts', filters: {} }, [1, '\0'])}`, 'invalid_cursor'],
  ['audit?target=%00', 'invalid_target'],
  ['watches?reference=%00', 'invalid_reference'],
  [`usage?month=${MARK}`, 'invalid_month'],
  ['usage?month=2026-13', 'invalid_month'],
  [`usage?account=${MARK}`, 'unknown_account'],
  ['invoices?account=__proto__', 'unknown_account'],
  [`invoices?format=${MARK}`, 'invalid_format'],
  ['requests?since=2026-02-30T09:00:00Z', 'invalid_since'],
  ['requests?before=2027-02-29T09:00:00%2B02:00', 'invalid_before'],
];

const BODIES: [path: string, body: unknown, pointer: string, code: string][] = [
  ['keys', {}, '/name', 'missing_field'],
  ['keys', { name: '' }, '/name', 'invalid_name'],
  ['keys', { name: `${MARK}\u001b[2J` }, '/name', 'invalid_name'],
  ['keys', { name: 7 }, '/name', 'invalid_name'],
  ['webhooks/endpoints', { account: 'a\0', url: 'https://x.example/' }, '/account', 'invalid_account'],
  ['keys', { name: 'x', scopes: ['root'] }, '/scopes', 'invalid_scopes'],
  ['keys', { name: 'x', scopes: [] }, '/scopes', 'invalid_scopes'],
  ['keys', { name: 'x', region: MARK }, '/region', 'invalid_region'],
  ['keys', { name: 'x', allowed_addresses: `${MARK}/24` }, '/allowed_addresses', 'invalid_allowed_addresses'],
  ['keys', { name: 'x', allowed_addresses: '' }, '/allowed_addresses', 'invalid_allowed_addresses'],
  ['keys', { name: 'x', expires: '2001-01-01T00:00:00Z' }, '/expires', 'invalid_expires'],
  ['keys', { name: 'x', expires: '2026-99-99T00:00:00Z' }, '/expires', 'invalid_expires'],
  ['keys', { name: 'x', expires: '2999-02-29T00:00:00Z' }, '/expires', 'invalid_expires'],
  ['keys', { name: 'x', expires: 1e15 }, '/expires', 'invalid_expires'],
  ['keys', { name: 'x', account: MARK }, '/account', 'unknown_account'],
  ['keys', { name: 'x', [MARK]: 1 }, '', 'unknown_field'],
  ['keys', '{"name":"x","__proto__":{"test":true}}', '', 'unknown_field'],
  ['keys', '{"name":"x","constructor":{}}', '', 'unknown_field'],
  ['keys', '{"name":"x","name":"y"}', '/name', 'duplicate_field'],
  ['keys', `{"name":${'['.repeat(40)}${']'.repeat(40)}}`, '', 'too_deep'],
  ['plans', { id: MARK }, '/id', 'invalid_id'],
  ['plans', { id: '../../x' }, '/id', 'invalid_id'],
  ['plans', { id: 'none' }, '/id', 'invalid_id'],
  ['plans', { id: 'p', price: MARK }, '/price', 'invalid_price'],
  ['plans', { id: 'p', price: '-1' }, '/price', 'invalid_price'],
  ['plans', { id: 'p', currency: 'XQX' }, '/currency', 'invalid_currency'],
  ['plans', { id: 'p', included: -1 }, '/included', 'invalid_included'],
  ['plans', { id: 'p', included: 1.5 }, '/included', 'invalid_included'],
  ['plans', { id: 'p', rate: { calls: 1 } }, '/rate', 'invalid_rate'],
  ['plans', { id: 'p', features: [MARK] }, '/features', 'invalid_features'],
  ['accounts', { name: 'x', plan: MARK }, '/plan', 'unknown_plan'],
  ['accounts', { name: 'x', plan: '__proto__' }, '/plan', 'unknown_plan'],
  ['keys/verify', { text: 'x'.repeat(1001) }, '/text', 'invalid_text'],
];

const NOWHERE: [method: string, path: string][] = [
  ['GET', 'keys/__proto__'],
  ['GET', 'keys/key_4fJ2kQx81LmZ%00'],
  ['GET', `keys/${MARK}`],
  ['GET', 'keys/%2e%2e%2f%2e%2e%2fstore.db'],
  ['GET', `keys/${'x'.repeat(5000)}`],
  ['POST', 'keys/1/revoke'],
  ['GET', 'plans/constructor'],
  ['POST', "accounts/acc_'%20OR%201=1--/close"],
];

type App = Awaited<ReturnType<typeof adminApp>>;

/**
 * Sends a request and returns status, code and broken rules as one text. Every message must be a sentence
 * without input.
 */
async function told({ refusal }: App, method: string, path: string, body?: unknown): Promise<string> {
  const { status, code, detail, errors } = await refusal(method, path, body);
  const sentences = [detail, ...errors.map(({ detail }) => detail)];
  expect(sentences.filter((text) => !/^[A-Z`][^]*\.$/.test(text) || text.includes(MARK))).toEqual([]);
  const rules = errors.map(({ pointer, code }) => `${pointer} ${code}`);
  return [status, code, ...rules].join(', ');
}

export function refusedRows(open: () => Promise<App>): void {
  test('a query that breaks a rule is refused', async () => {
    const it = await open();
    for (const [path, code] of QUERIES)
      expect([path, await told(it, 'GET', path)]).toEqual([path, `422, invalid_request,  ${code}`]);
  });

  test('a body that breaks a rule is refused', async () => {
    const it = await open();
    for (const [path, body, pointer, code] of BODIES)
      expect([path, body, await told(it, 'POST', path, body)]).toEqual([
        path,
        body,
        `422, invalid_request, ${pointer} ${code}`,
      ]);
  });

  test('an id that does not exist is not found, whatever its characters', async () => {
    const it = await open();
    for (const [method, path] of NOWHERE)
      expect([path, await told(it, method, path)]).toEqual([path, '404, not_found']);
  });
}
