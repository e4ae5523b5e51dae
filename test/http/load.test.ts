// A server under overload, and before its first request.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freshApp, JANE, json } from '../kit/app.ts';
import { openModelServer, says } from '../kit/models/server.ts';

it('of 300 concurrent calls of one key 256 are served, and the others are told at once to retry', async () => {
  const test = await freshApp();
  const answers = await Promise.all(Array.from({ length: 300 }, () => test.post('/v1/validate', JANE)));
  const refused = answers.filter(({ status }) => status === 503);
  expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([256, 44]);
  expect(refused[0]!.headers.get('retry-after')).toBe('1');
  expect(await json(refused[0]!)).toMatchObject({ code: 'overloaded' });
  expect(await json(test.send('/v1/usage'))).toMatchObject({ calls: 256 });
  expect((await test.post('/v1/validate', JANE)).status).toBe(200);
  // Overload is answered by design: it is no failure of the server, and has no stack in the log.
  expect(test.logged()).not.toMatch(/failed|BonafideError/);
});

it('the warm-up calls no model', async () => {
  const server = await openModelServer();
  onTestFinished(() => server.close());
  server.answer(says('{}'));
  const test = await freshApp({ settings: { warmUp: '1s' } });
  const asking = { model: 'local' };
  writeFileSync(
    join(test.folder, 'features.json'),
    JSON.stringify({
      features: { trust_enhancement: asking, fraud_detection: asking, name_matching: asking },
      models: { local: { plugin: 'openai-compatible', options: { url: server.url, model: 'tiny-1' } } },
    }),
  );
  await new Promise((done) => setTimeout(done, 550));
  await test.app.listen();
  expect(server.asked).toEqual([]);
  // The first call notices that the settings changed, the next call uses them.
  for (let i = 0; i < 2; i++) await test.post('/v1/validate/enhanced', JANE);
  expect(server.asked.length).toBeGreaterThan(0);
});
