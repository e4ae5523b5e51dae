// Console sessions: signing in, and requests that a session is accepted for.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createConsoleSignInLink } from '../../../src/commands/serve/console.ts';
import { createKey, revokeKey } from '../../../src/store/keys.ts';
import type { Scope } from '../../../src/accounts/model.ts';
import { freshApp, sharedApp, JANE, json } from '../../kit/app.ts';
import type { TestApp } from '../../kit/app.ts';

const open = sharedApp();

const HOST = 'http://localhost';
const PAGE = { 'bonafide-console': '1', 'sec-fetch-site': 'same-origin', host: 'localhost', origin: HOST };

const asJson = (body: object, headers: Record<string, string> = PAGE) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
  key: null,
});

const signIn = ({ send }: TestApp, body: object, headers?: Record<string, string>) =>
  send('/console/session', asJson(body, headers));

const tokenOf = (response: Response) =>
  /^bonafide_console=(\w{40}); Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/.exec(
    response.headers.get('set-cookie') ?? '',
  )?.[1] ?? '';

const linkOf = ({ folder }: TestApp) =>
  createConsoleSignInLink({ dataDir: folder }, HOST).split('#link=')[1] ?? '';

async function signedIn(app: TestApp): Promise<Record<string, string>> {
  return { ...PAGE, cookie: `bonafide_console=${tokenOf(await signIn(app, { link: linkOf(app) }))}` };
}

const keyWith = ({ app }: TestApp, scopes: Scope[], more = {}) =>
  createKey(app.store, { name: 'x', scopes, ...more }, Date.now());

test('servers on two ports of one machine have separate cookies', async () => {
  const app = await open();
  const at = { ...PAGE, host: 'localhost:18787', origin: 'http://localhost:18787' };
  const [cookie = ''] =
    (await signIn(app, { link: linkOf(app) }, at)).headers.get('set-cookie')?.split(';') ?? [];
  expect(cookie).toMatch(/^bonafide_console_18787=\w{40}$/);
  const other = { ...PAGE, host: '[::1]:8787' };
  const statuses = [at, other, PAGE].map(async (headers) => {
    const both = { ...headers, cookie: `${cookie}; bonafide_console_8787=${'x'.repeat(40)}` };
    return (await app.send('/console/session', { headers: both, key: null })).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 401, 401]);
});

test('a link signs in once, as the operator of the machine', async () => {
  const app = await open();
  const link = linkOf(app);
  const first = await signIn(app, { link });
  expect([first.status, (await json(first)).key, tokenOf(first).length]).toEqual([201, null, 40]);
  const second = await signIn(app, { link });
  expect([second.status, second.headers.get('set-cookie')]).toEqual([401, null]);
});

test('a live key with the scope admin signs in, and the session works until the key is revoked', async () => {
  const app = await open();
  const { key, info } = keyWith(app, ['admin', 'validate']);
  const response = await signIn(app, { key: ` ${key}\n` });
  expect([response.status, (await json(response)).key]).toEqual([201, info.id]);
  const headers = { ...PAGE, cookie: `a=b; bonafide_console=${tokenOf(response)}` };
  const { request_id: id } = await json(app.send('/v1/validate', asJson(JANE, headers)));
  const call = await json(app.send(`/admin/v1/requests/${id}`, { headers, key: null }));
  expect(call.key).toBe(info.id);
  revokeKey(app.app.store, info.id, Date.now());
  expect((await app.send('/admin/v1/keys', { headers, key: null })).status).toBe(401);
});

test.each([
  ['may only check', ['validate'], {}, 403],
  ['is a test key', ['admin'], { test: true }, 403],
  ['has ended', ['admin'], { expires: 1 }, 401],
  ['may be used from elsewhere', ['admin'], { allowedAddresses: '192.0.2.0/24' }, 403],
] as [string, Scope[], object, number][])('a key that %s does not', async (_, scopes, more, status) => {
  const app = await open();
  const response = await signIn(app, { key: keyWith(app, scopes, more).key });
  expect([response.status, response.headers.get('set-cookie')]).toEqual([status, null]);
});

test.each([[{}], [{ key: 'x', link: 'y' }], [{ name: 'x' }]])('%j does not sign in', async (body) => {
  expect((await signIn(await open(), body)).status).toBe(422);
});

const { 'bonafide-console': _, ...UNMARKED } = PAGE;
const { 'sec-fetch-site': __, ...OLD } = PAGE;

test.each([
  ['without the header of the pages', UNMARKED],
  ['from another site', { ...PAGE, 'sec-fetch-site': 'cross-site' }],
  ['from a neighbour of the site', { ...PAGE, 'sec-fetch-site': 'same-site' }],
  ['typed into the address bar', { ...PAGE, 'sec-fetch-site': 'none' }],
  ['of an older browser from another origin', { ...OLD, origin: 'http://elsewhere.example' }],
  ['of an older browser that hides where it comes from', { ...OLD, origin: 'null' }],
])('a change is refused %s', async (_, headers) => {
  const app = await open();
  const { cookie = '' } = await signedIn(app);
  const link = linkOf(app);
  expect((await signIn(app, { link }, headers)).status).toBe(403);
  expect((await app.send('/admin/v1/keys', asJson({ name: 'x' }, { ...headers, cookie }))).status).toBe(401);
  expect((await app.send('/v1/validate', asJson(JANE, { ...headers, cookie }))).status).toBe(401);
  expect(
    (await app.send('/console/session', { method: 'DELETE', headers: { ...headers, cookie }, key: null }))
      .status,
  ).toBe(403);
  expect((await signIn(app, { link }, OLD)).status).toBe(201);
});

test('without the header of the console a cookie cannot read either', async () => {
  const app = await open();
  const { cookie = '' } = await signedIn(app);
  expect((await app.send('/admin/v1/keys', { headers: { cookie }, key: null })).status).toBe(401);
});

test('a key in a header overrides any cookie', async () => {
  const app = await open();
  const headers = await signedIn(app);
  expect((await app.send('/admin/v1/keys', { headers })).status).toBe(403);
});

test('signing out ends the session in every browser', async () => {
  const app = await open();
  const headers = await signedIn(app);
  const who = () => app.send('/console/session', { headers, key: null });
  expect((await json(who())).key).toBeNull();
  const out = await app.send('/console/session', { method: 'DELETE', headers, key: null });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  expect((await who()).status).toBe(401);
});

test('a cookie from TLS is sent over TLS only', async () => {
  const app = await open();
  const response = await signIn(app, { link: linkOf(app) }, { ...PAGE, origin: 'https://localhost' });
  expect(response.headers.get('set-cookie')).toContain('; Secure');
});

test('after a hundred wrong links from one address the answer is 429', async () => {
  const app = await freshApp();
  const statuses = new Set<number>();
  for (let i = 0; i < 101; i++) statuses.add((await signIn(app, { link: 'x' })).status);
  expect([...statuses]).toEqual([401, 429]);
});

test('neither links nor sessions are on disk or in the log', async () => {
  const app = await open();
  const link = linkOf(app);
  const token = tokenOf(await signIn(app, { link }));
  expect(token).toHaveLength(40);
  for (const text of [link, token])
    for (const where of [app.everyByte(), app.logged()]) expect(where).not.toContain(text);
});

test('all sessions of a key share its streams of live metrics', async () => {
  const app = await freshApp();
  const { key } = keyWith(app, ['admin']);
  const open = async (headers: Record<string, string>) =>
    (await app.send('/console/live', { headers, key: null })).status;
  const sessions = [];
  for (let i = 0; i < 6; i++)
    sessions.push({ ...PAGE, cookie: `bonafide_console=${tokenOf(await signIn(app, { key }))}` });
  const statuses = [];
  for (const session of sessions) statuses.push(await open(session));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 503]);
  expect([await open(await signedIn(app)), await open(await signedIn(app))]).toEqual([200, 200]);
});

test.each([
  [
    'signing out',
    (app: TestApp, headers: Record<string, string>) =>
      app.send('/console/session', { method: 'DELETE', headers, key: null }),
  ],
  ['twelve hours', () => void vi.setSystemTime(Date.now() + 12 * 3_600_000)],
])('a stream of live metrics ends within a second after %s', async (_, end) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = await freshApp();
  const headers = await signedIn(app);
  const stream = (await app.send('/console/live', { headers, key: null })).body?.getReader();
  await vi.advanceTimersByTimeAsync(1000);
  expect((await stream?.read())?.done).toBe(false);
  await end(app, headers);
  await vi.advanceTimersByTimeAsync(60_000);
  const rest = async (): Promise<void> => ((await stream?.read())?.done ? undefined : rest());
  await rest();
  expect((await app.send('/console/live', { headers, key: null })).status).toBe(401);
});
