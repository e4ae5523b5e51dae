import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshApp, JANE } from '../kit/app.ts';
import type { TestApp } from '../kit/app.ts';
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

let server: ModelServer;
beforeAll(async () => {
  server = await openModelServer();
});
afterAll(() => server.close());

const deadline = 150;
const onModel = { model: 'local', deadline_ms: deadline };

async function appWith(features: object): Promise<TestApp> {
  const app = await freshApp();
  const settings = {
    features,
    models: {
      local: {
        plugin: 'openai-compatible',
        options: { url: server.url, model: 'tiny-1' },
        breaker: { failures: 1_000, pause_ms: 1 },
      },
    },
  };
  writeFileSync(join(app.folder, 'features.json'), JSON.stringify(settings));
  // The server checks its settings every half second.
  await new Promise((done) => setTimeout(done, 550));
  return app;
}

interface Answer {
  /** Body of the answer without the request id and the AI fields. */
  base: string;
  insights: { trust_enhancement: { ai_enabled: boolean; error?: { code: string } } | null } | null;
}

async function post(app: TestApp, path: string, body: object, headers = {}): Promise<Answer> {
  const response = await app.post(path, body, headers);
  const text = await response.text();
  expect(response.status).toBe(200);
  const { request_id: id, ai_insights: insights } = JSON.parse(text) as {
    request_id: string;
    ai_insights: Answer['insights'];
  };
  const base = text
    .replace(JSON.stringify(id), '""')
    .replace(`"ai_insights":${JSON.stringify(insights)}`, '"ai_insights":0');
  return { base, insights };
}

const bodies: [who: string, body: object][] = [
  ['a person who is on record', { ...JANE, intent: 'sending-money' }],
  ['somebody else’s contacts', { name: 'Otto Zweistein', emails: JANE.emails, phones: ['2125550177'] }],
  ['a name only', { name: 'Nobody Known' }],
];

const lies = says({ ...goodNarrative, summary: 'The score is 3 and the person has a criminal record.' });
const outcomes: [what: string, reply: Parameters<ModelServer['answer']>[0]][] = [
  ['a good answer', says(goodNarrative)],
  ['broken JSON', says('{"summary":')],
  ['the wrong schema', says({ trustworthiness_score: 100, status: 'HIGH' })],
  ['lies', lies],
  ['status 500', status(500)],
  ['status 429', status(429)],
  ['a hang', hangs],
  ['a slow drip', drips],
  ['an endless stream', floods],
  ['a redirect', redirects('http://127.0.0.1:9/')],
];

describe('the base response is the same bytes', () => {
  test('with AI off, on with rules, and enhanced; in v1 and in v2', async () => {
    const app = await appWith({});
    for (const [, body] of bodies) {
      for (const headers of [{}, { 'accept-version': 'v2' }]) {
        const { base, insights } = await post(app, '/v1/validate', body, headers);
        expect(insights).toBeNull();
        for (const path of ['/v1/validate?ai=true', '/v1/validate/enhanced']) {
          const answer = await post(app, path, body, headers);
          expect(answer.base).toBe(base);
          expect(answer.insights?.trust_enhancement?.ai_enabled).toBe(true);
        }
      }
    }
  });

  test('with every feature turned off', async () => {
    const off = { on: false };
    const app = await appWith({ trust_enhancement: off, fraud_detection: off, name_matching: off });
    for (const [, body] of bodies) {
      const { base } = await post(app, '/v1/validate', body);
      const enhanced = await post(app, '/v1/validate/enhanced', body);
      expect(enhanced.base).toBe(base);
      expect(enhanced.insights).toMatchObject({ ai_enabled: false, fraud_detection: { reason: 'Disabled' } });
    }
  });

  test('whatever the model does, also where it never ends its answer', async () => {
    const app = await appWith({
      trust_enhancement: onModel,
      fraud_detection: onModel,
      name_matching: onModel,
    });
    for (const [who, body] of bodies) {
      const { base } = await post(app, '/v1/validate', body);
      for (const [what, reply] of outcomes) {
        server.answer(reply);
        for (const path of ['/v1/validate?ai=true', '/v1/validate/enhanced']) {
          const answer = await post(app, path, body);
          expect(answer.base, `${who}, ${what}, ${path}`).toBe(base);
        }
      }
    }
  });
});

test('without fraud detection the store’s history is not read', async () => {
  const app = await freshApp();
  const { raw } = app.app.store;
  const prepare = raw.prepare.bind(raw);
  const prepared: string[] = [];
  raw.prepare = ((sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  }) as typeof raw.prepare;
  const reads = (): number => prepared.filter((sql) => /from "?calls/i.test(sql)).length;
  await post(app, '/v1/validate/enhanced', { ...JANE, include_fraud_detection: false });
  await post(app, '/v1/validate?ai=true', JANE);
  expect(reads()).toBe(0);
  await post(app, '/v1/validate/enhanced', JANE);
  // The newest calls, and the counts per span.
  expect(reads()).toBe(2);
});

test('the fraud analysis sees the caller’s earlier calls, and not the one it is part of', async () => {
  const app = await freshApp();
  for (let i = 0; i < 3; i += 1) await post(app, '/v1/validate', JANE);
  await new Promise((done) => setTimeout(done, 5));
  const { insights } = await post(app, '/v1/validate/enhanced', JANE);
  expect(insights).toMatchObject({
    fraud_detection: { history_analyzed: 3, request_stream: { records_in_window: 3, catfish_flag_count: 0 } },
  });
});

test('no submitted value is in the log when models fail', async () => {
  server.answer(says({ summary: 'Jane Quimby lives at 12 Larch Street, jane.quimby@example.com' }));
  // The model answers at once, so the test does not wait for the deadline. On a busy machine, 150 ms pass before the request.
  const patient = { ...onModel, deadline_ms: 10_000 };
  const app = await appWith({ trust_enhancement: patient, fraud_detection: patient, name_matching: patient });
  await post(app, '/v1/validate/enhanced', JANE);
  expect(app.logged()).toContain('model_bad_answer');
  expect(app.logged()).not.toMatch(/quimby|larch|4155550134/i);
});
