// Spans that a collector receives over HTTP.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTraceContext, parseTraceId, formatTraceparent } from '../../src/observe/trace/tracer.ts';
import { freshApp, JANE } from '../kit/app.ts';

interface Sent {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: { key: string; value: Record<string, string> }[];
  status?: { code?: number };
}

/** Starts a collector that records its requests. */
async function collector(status = 200) {
  const asked: { path: string; headers: Record<string, unknown>; text: string }[] = [];
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (data) => (text += data));
    req.on('end', () => {
      asked.push({ path: req.url ?? '', headers: req.headers, text });
      res.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const spans = () =>
    asked.flatMap(({ text }) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans as Sent[]);
  return { asked, spans, endpoint: `http://127.0.0.1:${port}` };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SAMPLED = { traceparent: `00-${TRACE}-${PARENT}-01` };

async function tracedApp(settings: string, status?: number) {
  const to = await collector(status);
  const app = await freshApp({ settings: { tracing: `endpoint=${to.endpoint},${settings}` } });
  return { ...app, ...to };
}

describe('where an endpoint is configured, a call', () => {
  it('is sent as a span of the caller’s trace, with a span for each stage', async () => {
    const { post, app, asked, spans } = await tracedApp('header=Authorization: Bearer hush');
    const response = await post('/v1/validate', JANE, SAMPLED);
    await app.close();
    expect(asked[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer hush' } });
    const root = spans().find(({ kind }) => kind === 2);
    expect(root).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'POST /v1/validate' });
    expect(response.headers.get('traceparent')).toBe(`00-${TRACE}-${root?.spanId}-01`);
    const stages = spans().filter(({ kind }) => kind === 1);
    expect(stages.map(({ name }) => name)).toEqual(['read', 'graph', 'answer', 'record']);
    for (const { traceId, parentSpanId, spanId, startTimeUnixNano, endTimeUnixNano } of stages) {
      expect([traceId, parentSpanId]).toEqual([TRACE, root?.spanId]);
      expect(spanId).toMatch(/^[\da-f]{16}$/);
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    }
    const near = Math.abs(Number(root?.startTimeUnixNano) / 1e6 - Date.now());
    expect(near).toBeLessThan(60_000);
    const id = { key: 'bonafide.request_id', value: { stringValue: response.headers.get('x-request-id') } };
    expect(root?.attributes).toContainEqual(id);
  });

  it('says nothing of a person or a key', async () => {
    const { post, send, app, asked, key } = await tracedApp('share=1');
    await post('/v1/validate/enhanced', JANE);
    await post('/v1/validate', { name: 'Quimby', emails: ['Quimby'] });
    await send('/v1/requests/req_Quimby?Quimby=1');
    const mine = key();
    await app.close();
    const text = asked.map((one) => one.text).join();
    expect(text).toContain('insights');
    expect(text).not.toMatch(/Jane|Quimby|example\.com|555.?0134|Larch|bf_live/);
    expect(text).not.toContain(mine);
  });

  it('is not sent where its caller does not sample it, and begins a trace where none comes', async () => {
    const { post, app, spans, logged } = await tracedApp('share=1');
    const quiet = await post('/v1/validate', JANE, { traceparent: `00-${TRACE}-${PARENT}-00` });
    expect(quiet.headers.get('traceparent')).toMatch(new RegExp(`^00-${TRACE}-[\\da-f]{16}-00$`));
    await post('/v1/validate', JANE);
    await app.close();
    const roots = spans().filter(({ kind }) => kind === 2);
    expect(roots).toHaveLength(1);
    expect(roots[0]?.parentSpanId).toBeUndefined();
    expect(logged()).toContain(`"trace":"${roots[0]?.traceId}"`);
  });

  it('is answered all the same where the collector takes nothing; that is told once, and counted', async () => {
    const { post, send, logged } = await tracedApp('share=1', 503);
    expect((await post('/v1/validate', JANE)).status).toBe(200);
    const lost = async () =>
      /^bonafide_spans_lost_total (\d+)$/m.exec(await (await send('/metrics')).text())?.[1];
    for (let i = 0; i < 2400 && (await lost()) === '0'; i++) await pause(50);
    expect(Number(await lost())).toBeGreaterThan(4);
    expect(logged().match(/spans are lost/g)).toHaveLength(1);
  });
});

it('without an endpoint nothing is traced, and no header tells of it', async () => {
  const { post } = await freshApp();
  expect((await post('/v1/validate', JANE, SAMPLED)).headers.get('traceparent')).toBeNull();
});

describe('traceparent', () => {
  it.each([
    ['', 'empty'],
    [`ff-${TRACE}-${PARENT}-01`, 'of a version that cannot be'],
    [`00-${'0'.repeat(32)}-${PARENT}-01`, 'without a trace'],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, 'without a parent'],
    [`00-${TRACE.toUpperCase()}-${PARENT}-01`, 'in capitals'],
    [`00-${TRACE}-${PARENT}-01-more`, 'that goes on'],
  ])('%s: one %s is none', (header) => {
    expect(parseTraceId(header)).toBeUndefined();
    expect(createTraceContext(header, 0)).toMatchObject({ parentId: null, sampled: false });
  });

  it('is read and written', () => {
    const context = createTraceContext(SAMPLED.traceparent, 0);
    expect(context).toMatchObject({ traceId: TRACE, parentId: PARENT, sampled: true });
    expect(parseTraceId(formatTraceparent(context))).toBe(TRACE);
  });
});
