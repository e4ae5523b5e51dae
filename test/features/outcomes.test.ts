import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFeatures } from '../../src/features/open.ts';
import type { AiFeatures, AiInsightsRequest } from '../../src/features/open.ts';
import { clock, marks, requestOf, solid } from '../kit/models/features.ts';
import {
  drips,
  floods,
  goodNarrative,
  hangs,
  openModelServer,
  redirects,
  says,
  status,
} from '../kit/models/server.ts';
import type { ModelServer } from '../kit/models/server.ts';

interface Block {
  ai_enabled: boolean;
  model: string;
  error?: { code: string; message: string };
}
interface Insights {
  ai_enabled: boolean;
  trust_enhancement: Block | null;
  overview: (Block & { overview: string }) | null;
  fraud_detection: Block | null;
  name_matching: Block | null;
}

const key = 'sk-test-5f1c9';
let server: ModelServer;
let features: AiFeatures;
let dir: string;
let log: string[];

async function open(narrative: object = {}, model: object = {}): Promise<void> {
  const settings = {
    features: { trust_enhancement: { model: 'local', ...narrative } },
    models: {
      local: {
        plugin: 'openai-compatible',
        options: { url: server.url, model: 'tiny-1', key_env: 'TEST_KEY' },
        ...model,
      },
    },
  };
  writeFileSync(join(dir, 'features.json'), JSON.stringify(settings));
  features = await openFeatures({
    settingsFile: join(dir, 'features.json'),
    env: { TEST_KEY: key },
    log: { info: (line) => log.push(line), warn: (line) => log.push(line) },
    now: () => clock,
  });
}
const ask = (over: Partial<AiInsightsRequest> = {}): Promise<Insights> =>
  features.insights(requestOf(solid, over)) as Promise<Insights>;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bonafide-outcomes-'));
  log = [];
  server = await openModelServer();
});
afterEach(async () => {
  await features.close();
  await server.close();
  rmSync(dir, { recursive: true });
});

test('a good answer becomes both blocks, under the model’s name', async () => {
  await open();
  server.answer(says(goodNarrative));
  const insights = await ask();
  expect(insights.ai_enabled).toBe(true);
  expect(insights.trust_enhancement).toMatchObject({
    ai_enabled: true,
    feature: 'trust_enhancement',
    model: 'tiny-1',
    ai_trust_analysis: { summary: goodNarrative.summary },
  });
  expect(insights.overview).toMatchObject({
    overview: goodNarrative.overview,
    review_priority: 'AUTO_APPROVE',
  });
  expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test('a caller who leaves the narrative out gets an overview of the rules, and no model is asked', async () => {
  await open();
  server.answer(says(goodNarrative));
  const none = { trust_enhancement: false, fraud_detection: false, name_matching: false };
  const insights = await ask({ include: none });
  expect(insights.ai_enabled).toBe(false);
  expect(insights.overview).toHaveProperty('review_priority', 'AUTO_APPROVE');
  expect(insights.overview?.overview).not.toBe(goodNarrative.overview);
  expect(await ask({ include: { ...none, fraud_detection: true } })).toHaveProperty('ai_enabled', true);
  expect(server.asked).toEqual([]);
});

test('a model that fails is told in the log, with the request that it failed', async () => {
  const told: (string | undefined)[] = [];
  await open();
  await features.close();
  const settingsFile = join(dir, 'features.json');
  const warn = (_: string, requestId?: string) => told.push(requestId);
  features = await openFeatures({
    settingsFile,
    env: { TEST_KEY: key },
    log: { info: () => undefined, warn },
  });
  server.answer(status(400, '{}'));
  await ask({ requestId: 'req_1' });
  expect(told).toEqual(['req_1']);
});

const falsehood = (over: object) => says({ ...goodNarrative, ...over });
const failures: [
  what: string,
  reply: Parameters<ModelServer['answer']>[0],
  code: string,
  questions: number,
][] = [
  ['broken JSON', says('{"summary": "so'), 'model_bad_answer', 2],
  ['prose instead of JSON', says('I would rather talk about it.'), 'model_bad_answer', 2],
  ['the wrong schema', says({ verdict: 'fine' }), 'model_bad_answer', 2],
  ['a completion of another form', status(200, '{"result":"hello"}'), 'model_bad_answer', 1],
  ['an answer that is not JSON at all', status(200, '<html>'), 'model_bad_answer', 1],
  ['a false score', falsehood({ summary: 'Trust is fair with a score of 61.' }), 'answer_rejected', 2],
  ['a false count', falsehood({ key_factors: ['3 of 4 emails match.'] }), 'answer_rejected', 2],
  [
    'a false conflict',
    falsehood({ key_factors: ['The phone is on record for a different identity.'] }),
    'answer_rejected',
    2,
  ],
  ['a red flag without a fact', falsehood({ red_flags: ['Something feels odd.'] }), 'answer_rejected', 2],
  ['a claim about crime', falsehood({ key_factors: ['There is no criminal record.'] }), 'answer_rejected', 2],
  ['status 500', status(500), 'model_unavailable', 1],
  ['status 429', status(429), 'model_rate_limited', 1],
  ['status 401', status(401), 'model_key_refused', 1],
  ['status 404', status(404), 'model_not_found', 1],
  ['a hang', hangs, 'model_timeout', 1],
  ['a slow drip', drips, 'model_timeout', 1],
  ['an endless stream', floods, 'model_answer_too_large', 1],
  ['a redirect', redirects('http://127.0.0.1:9/v1/chat/completions'), 'model_redirected', 1],
];

describe.each(failures)('%s', (_, reply, code, questions) => {
  // Only a model that never ends its answer must reach the deadline.
  const patience = code === 'model_timeout' ? { deadline_ms: 800 } : {};

  test(`fails the block with ${code}, and leaves the other blocks whole`, async () => {
    await open(patience);
    server.answer(reply);
    const insights = await ask();
    expect(insights.trust_enhancement).toEqual({
      ai_enabled: true,
      feature: 'trust_enhancement',
      model: 'tiny-1',
      error: { code, message: expect.stringMatching(/^[A-Z][^\n]*\.$/) },
    });
    expect(insights.overview).toHaveProperty('review_priority', 'AUTO_APPROVE');
    expect(insights.ai_enabled).toBe(true);
    expect(insights.fraud_detection).toMatchObject({ ai_enabled: true, model: 'rules' });
    expect(insights.fraud_detection?.error).toBeUndefined();
    expect(insights.name_matching?.error).toBeUndefined();
    expect(server.asked).toHaveLength(questions);
    expect(JSON.stringify(insights) + log.join()).not.toMatch(/provider|sk-/);
  });

  test('on ai=true both blocks are null and ai_enabled is false', async () => {
    await open(patience);
    server.answer(reply);
    expect(await ask({ endpoint: 'validate_ai' })).toEqual({
      ai_enabled: false,
      trust_enhancement: null,
      overview: null,
      fraud_detection: null,
      name_matching: null,
    });
  });
});

test('a rejected answer is asked for once more, with what was wrong with it', async () => {
  await open();
  server.answer(falsehood({ summary: 'The score is 12.' }), says(goodNarrative));
  const insights = await ask();
  expect(insights.trust_enhancement?.error).toBeUndefined();
  expect(server.asked).toHaveLength(2);
  expect(server.asked[1]?.body).toContain('the number 12 is not among the facts');
  expect(server.asked[1]?.body).toContain('The score is 12.');
});

test('with fallback: rules the rules answer, and model says so', async () => {
  await open({ fallback: 'rules' });
  server.answer(status(500));
  const { trust_enhancement: trust, overview } = await ask();
  expect(trust).toMatchObject({ ai_enabled: true, model: 'rules (fallback for tiny-1)' });
  expect(trust?.error).toBeUndefined();
  expect(overview?.overview).toContain('94 out of 100');
});

test('a server without response formats is asked in a plainer way, and that is remembered', async () => {
  await open();
  server.answer((response, asked) => {
    if (asked.body.includes('response_format')) status(400)(response, asked);
    else says(goodNarrative)(response, asked);
  });
  expect((await ask()).trust_enhancement?.error).toBeUndefined();
  expect(server.asked).toHaveLength(3);
  expect((await ask()).trust_enhancement?.error).toBeUndefined();
  expect(server.asked).toHaveLength(4);
});

test('a model that keeps failing is left alone, and asked again after the pause', async () => {
  let time = clock;
  await open({}, { breaker: { failures: 3, pause_ms: 10_000 } });
  await features.close();
  features = await openFeatures({
    settingsFile: join(dir, 'features.json'),
    env: { TEST_KEY: key },
    now: () => time,
  });
  server.answer(status(500));
  for (let i = 0; i < 3; i += 1) await ask();
  expect((await ask()).trust_enhancement?.error?.code).toBe('model_skipped');
  expect(server.asked).toHaveLength(3);
  expect(features.list()[0]?.breaker).toBe('open');
  time += 10_001;
  server.answer(says(goodNarrative));
  expect((await ask()).trust_enhancement?.error).toBeUndefined();
  expect(features.list()[0]?.breaker).toBe('closed');
});

test('questions beyond concurrency wait, and those beyond the queue are told that the model is busy', async () => {
  await open({}, { concurrency: 1, queue: 1 });
  let open1 = 0;
  let most = 0;
  server.answer((response, asked) => {
    open1 += 1;
    most = Math.max(most, open1);
    setTimeout(() => {
      open1 -= 1;
      says(goodNarrative)(response, asked);
    }, 50);
  });
  const codes = (await Promise.all([ask(), ask(), ask()])).map((one) => one.trust_enhancement?.error?.code);
  expect(codes).toEqual([undefined, undefined, 'model_busy']);
  expect(most).toBe(1);
});

test('a caller who goes away ends the question at once, and the model is not blamed', async () => {
  await open({ deadline_ms: 5_000 }, { breaker: { failures: 1, pause_ms: 10_000 } });
  server.answer(hangs);
  const gone = new AbortController();
  setTimeout(() => gone.abort(), 50);
  const insights = await ask({ signal: gone.signal });
  expect(insights.trust_enhancement?.error?.code).toBe('cancelled');
  expect(features.list()[0]?.breaker).toBe('closed');
});

test('no submitted value reaches a model that writes the narrative or the fraud analysis', async () => {
  await open();
  writeFileSync(
    join(dir, 'features.json'),
    JSON.stringify({
      features: {
        trust_enhancement: { model: 'local' },
        fraud_detection: { model: 'local' },
      },
      models: { local: { plugin: 'openai-compatible', options: { url: server.url, model: 'tiny-1' } } },
    }),
  );
  await features.reload();
  server.answer(says({}));
  await ask();
  const sent = server.asked.map(({ body }) => body).join('\n');
  expect(server.asked.length).toBeGreaterThanOrEqual(4);
  for (const mark of Object.values(marks)) expect(sent.toLowerCase()).not.toContain(mark.toLowerCase());
  expect(sent).not.toMatch(/markworth|req_test|key_test/i);
});

test('calls are counted and timed per feature and model, by outcome', async () => {
  await open();
  server.answer(status(500));
  await ask();
  server.answer(says(goodNarrative));
  await ask();
  const { counts, timings } = features.metrics();
  const ofNarrative = counts.filter(({ feature }) => feature === 'trust_enhancement');
  expect(ofNarrative.map(({ model, outcome, count }) => [model, outcome, count])).toEqual([
    ['local', 'model_unavailable', 1],
    ['rules', 'ok', 1],
    ['local', 'ok', 1],
  ]);
  expect(timings.find(({ feature }) => feature === 'trust_enhancement')?.count).toBe(2);
});
