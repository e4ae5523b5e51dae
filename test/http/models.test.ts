// The request ids that a provider of a model and the log receive.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { administered } from './admin/kit.ts';
import { freshApp, JANE } from '../kit/app.ts';
import { openModelServer, status } from '../kit/models/server.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLERS = `00-${TRACE}-b7ad6b7169203331-00`;

/** Returns an app whose narrative is made by a provider that refuses every request. */
async function refused(settings: Record<string, string> = {}) {
  const provider = await openModelServer();
  onTestFinished(() => provider.close());
  provider.answer(status(400, '{}'));
  const it = await freshApp({ settings });
  writeFileSync(
    join(it.folder, 'features.json'),
    JSON.stringify({
      features: { trust_enhancement: { model: 'local' } },
      models: {
        local: {
          plugin: 'openai-compatible',
          options: { url: provider.url, model: 'tiny-1', response_format: 'none' },
        },
      },
    }),
  );
  // Settings are checked twice a second; the first call notices that they changed.
  await pause(550);
  await it.post('/v1/validate?ai=true', JANE);
  provider.asked.length = 0;
  const explain = (headers: Record<string, string> = {}) => it.post('/v1/validate?ai=true', JANE, headers);
  const sent = () => provider.asked.at(-1)?.headers.traceparent;
  return { ...it, explain, sent };
}

test('a provider gets the trace context of the caller, and none if it is missing or malformed', async () => {
  const { explain, sent } = await refused();
  await explain({ traceparent: CALLERS, tracestate: 'vendor=zqx' });
  expect(sent()).toBe(CALLERS);
  await explain();
  expect(sent()).toBeUndefined();
  await explain({ traceparent: '00-Marked-1-01' });
  expect(sent()).toBeUndefined();
});

test('with tracing, a provider gets the span of the request', async () => {
  const { explain, sent } = await refused({ tracing: 'endpoint=http://127.0.0.1:1,share=0' });
  const answer = await explain({ traceparent: CALLERS });
  expect(sent()).toBe(answer.headers.get('traceparent'));
  expect(sent()).toMatch(new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[\\da-f]{16}-00$`));
  const alone = await explain();
  expect(sent()).toBe(alone.headers.get('traceparent'));
});

test('a warning about a model names the request', async () => {
  const { explain, logged } = await refused();
  const answer = await explain();
  const warnings = logged()
    .split('\n')
    .filter((line) => line.includes('model local'))
    .map((line) => JSON.parse(line));
  expect(warnings.at(-1)).toMatchObject({
    request_id: answer.headers.get('x-request-id'),
    message: expect.stringContaining('feature trust_enhancement, model local: model_bad_request'),
  });
});

test('a call that a model did not answer is listed for the operator, with its code', async () => {
  const it = await refused();
  const { get } = administered(it);
  const before = (await get('features/failures')).items.length;
  await it.explain();
  const { items } = await get('features/failures');
  expect(items).toHaveLength(before + 1);
  expect(items[0]).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    feature: 'trust_enhancement',
    model: 'local',
    code: expect.stringMatching(/^(fallback|model_\w+)$/),
  });
});
