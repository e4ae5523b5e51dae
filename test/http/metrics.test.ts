import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { freshApp, sharedApp, JANE } from '../kit/app.ts';
import { freshFolder } from '../kit/folder.ts';
import { codeIn, pageText, rows } from '../kit/pages.ts';

const SAMPLE_LINE = /^[a-z_0-9]+(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? (NaN|[+-]?[\d.e+-]+|\+Inf)$/;

const open = sharedApp();
const openWatching = sharedApp({ settings: { watches: 'true' } });
const openByKey = sharedApp({ settings: { metrics: 'key' } });

let once: ReturnType<typeof scrape> | undefined;
/** Returns the metrics of a server after the same few requests. */
const scraped = () => (once ??= scrape());

async function scrape() {
  const it = await openWatching();
  await it.post('/v1/validate', JANE);
  await it.post('/v1/validate?ai=true', JANE);
  await it.post('/v1/validate', { name: '' });
  await it.send('/nowhere/Quimby');
  const text = await (await it.send('/metrics', { key: null })).text();
  const value = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    );
  return { ...it, text, value };
}

test('every metric is on its page with type and labels, and every metric of the page exists', async () => {
  const { text } = await scraped();
  const types = Array.from(text.matchAll(/^# TYPE (bonafide_\w+) (\w+)$/gm), ([, name, type]) => [
    name,
    type,
  ]);
  const listed = rows(pageText('metrics'));
  expect(listed.map(([name, type]) => [name, type]).toSorted()).toEqual(types.toSorted());
  const labels = (name: string) => {
    const series = new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `, 'gm');
    const found = Array.from(text.matchAll(series), ([, inside = '']) => inside.matchAll(/(\w+)="/g));
    return new Set(found.flatMap((pairs) => Array.from(pairs, ([, label = '']) => label)));
  };
  const said = new Map(
    listed.map(([name = '', , cell = '']) => [name, codeIn(cell).concat(/^\w+$/.exec(cell) ?? [])]),
  );
  const differing = [...said].filter(([name, listed]) => {
    const { le: _, ...found } = Object.fromEntries([...labels(name)].map((label) => [label, true]));
    return Object.keys(found).length > 0 && Object.keys(found).toSorted().join() !== listed.toSorted().join();
  });
  expect(differing).toEqual([]);
  for (const [, , , tells = ''] of listed) expect(tells).toMatch(/\w/);
});

describe('the metrics', () => {
  it('count requests and answers', async () => {
    const { value } = await scraped();
    expect(value('bonafide_requests_total{method="POST",route="/v1/validate",status="200"}')).toBe(2);
    expect(value('bonafide_requests_total{method="POST",route="/v1/validate",status="422"}')).toBe(1);
    expect(value('bonafide_requests_total{method="GET",route="-",status="404"}')).toBe(1);
    expect(value('bonafide_problems_total{code="invalid_request"}')).toBe(1);
    expect(value('bonafide_checks_total{endpoint="validate_ai",band="HIGH",verdict="verified"}')).toBe(1);
    expect(value('bonafide_call_seconds_count{endpoint="validate"}')).toBe(1);
    expect(value('bonafide_stage_seconds_count{stage="graph"}')).toBe(2);
    expect(value('bonafide_stage_seconds_count{stage="insights"}')).toBe(1);
    expect(value('bonafide_stage_seconds_count{stage="record"}')).toBe(2);
    expect(value('bonafide_stage_seconds_bucket{stage="record",le="+Inf"}')).toBe(2);
    expect(
      value('bonafide_feature_calls_total{feature="trust_enhancement",model="rules",outcome="ok"}'),
    ).toBe(1);
    expect(value('bonafide_calls_in_flight')).toBe(0);
    expect(value('bonafide_log_lines_lost_total')).toBe(0);
    expect(value('bonafide_part_ok{part="warm_up"}')).toBe(0);
  });

  it('are well-formed, and name no person and no key', async () => {
    const { text, key } = await scraped();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.filter((line) => !SAMPLE_LINE.test(line))).toEqual([]);
    expect(text).toContain('process_cpu_seconds_total');
    const said = text.replace(/ \S+$/gm, '');
    expect(said).not.toMatch(/Jane|Quimby|example\.com|555|Larch|bf_|key_/i);
    expect(text).not.toContain(key());
  });

  it('do not count the warm-up', async () => {
    const { app, send } = await freshApp({ settings: { warmUp: '1s' } });
    await app.listen();
    const text = await (await send('/metrics', { key: null })).text();
    expect(text).toContain('bonafide_stage_seconds_count{stage="graph"} 0');
    expect(text).toContain('bonafide_ready 1');
  });
});

describe('may be read', () => {
  const KEYS = [
    ['without a key', null, 401],
    ['with a key for checks', ['validate', 'raw'], 403],
    ['with a key for metrics', ['metrics'], 200],
    ['with a key of an administrator', ['admin'], 200],
  ] as const;

  it.each(KEYS)('with keys only: %s %j, %i', async (_, scopes, status) => {
    const { app, key, send } = await openByKey();
    expect(app.config.metrics).toBe('key');
    const response = await send('/metrics', { key: scopes && key([...scopes]) });
    expect(response.status).toBe(status);
  });

  it.each(KEYS)('behind a proxy on this machine: %s %j, %i', async (_, scopes, status) => {
    const { key, send } = await open();
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await send('/metrics', { key: scopes && key([...scopes]), headers })).status).toBe(status);
  });

  it.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-host', 'bonafide.example'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '443'],
    ['forwarded', 'for=203.0.113.9'],
    ['x-real-ip', '203.0.113.9'],
    ['via', '1.1 proxy'],
    ['host', 'bonafide.example'],
    ['host', 'localhost.example'],
    ['host', '203.0.113.9:8787'],
  ])('not without a key behind a proxy: %s: %s', async (name, value) => {
    const { send } = await open();
    expect((await send('/metrics', { key: null, headers: { [name]: value } })).status).toBe(401);
  });

  it.each(['localhost', 'LOCALHOST:8787', 'bonafide.localhost', '127.0.0.1:8787', '127.1.2.3', '[::1]:8787'])(
    'from this machine, asked for as %s',
    async (host) => {
      const { send } = await open();
      expect((await send('/metrics', { key: null, headers: { host } })).status).toBe(200);
    },
  );

  it('over a socket file only with a key, since a proxy may use it', async () => {
    const path = join(freshFolder(), 'bonafide.sock');
    const { app, key } = await freshApp({ settings: { listen: `unix:${path}` } });
    await app.listen();
    const status = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request({
          socketPath: path,
          path: '/metrics',
          headers: { host: 'localhost', ...headers },
        });
        asked.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
        asked.end();
      });
    expect(await status({})).toBe(401);
    expect(await status({ 'x-api-key': key(['metrics']) })).toBe(200);
  });

  it('by nobody if they are off', async () => {
    const { key, send } = await freshApp({ settings: { metrics: 'off' } });
    expect((await send('/metrics', { key: key(['metrics']) })).status).toBe(404);
  });
});

test('a key with the scope metrics may not check', async () => {
  const { key, post } = await open();
  expect((await post('/v1/validate', JANE, { 'x-api-key': key(['metrics']) })).status).toBe(403);
});
