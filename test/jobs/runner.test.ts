import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { Caller } from '../../src/accounts/model.ts';
import { createJobCipher, type JobLine } from '../../src/jobs/job.ts';
import { type JobRunnerOptions, startJobRunner } from '../../src/jobs/runner.ts';
import { openLog } from '../../src/observe/log.ts';
import type { JobProgress, LeasedJob } from '../../src/store/serving/jobs.ts';
import { freshApp, JANE, json, type TestApp } from '../kit/app.ts';
import { hangs, openModelServer, status } from '../kit/models/server.ts';
import { callsOf, shopOf } from './kit.ts';

const cipher = createJobCipher('secret');
const PROBLEM = { status: 422, code: 'invalid_request', detail: 'x' };

/** Works on one job, for which the store names these keys one after another, and returns what is saved. Only the
 * keys `new` and `moved` are valid; `moved` belongs to another account than the job. */
async function runWithKeys(...keys: string[]): Promise<JobProgress[]> {
  const lines: JobLine[] = [{ line: 1, reference: null, problem: PROBLEM as never }];
  const saved: JobProgress[] = [];
  const take = async () => {
    const job = { id: 'job_1', done: 0, total: 1, endpoint: 'validate' };
    const requests = { first: 0, lines: 1, sealed: cipher.seal(lines) };
    return { job, key: keys.shift(), owner: 'shop', requests } as unknown as LeasedJob;
  };
  const runner = startJobRunner({
    queue: {
      hasWork: () => !saved.some(({ end }) => end),
      take,
      renew: async () => undefined,
      save: async (progress: JobProgress) => saved.push(progress) > 0,
    },
    cipher,
    idempotencySecret: Buffer.alloc(32),
    lease: 'a',
    keepMs: 1000,
    findCaller: (key: string) => {
      const account = { new: 'shop', moved: 'other' }[key];
      return account === undefined ? null : ({ keyId: key, account } as Caller);
    },
    formatProblem: () => '{}',
    onLine: () => undefined,
  } as unknown as JobRunnerOptions);
  runner.wake();
  await vi.waitFor(() => expect(saved.some(({ end }) => end)).toBe(true), 120_000);
  await runner.close();
  return saved;
}

it('a job whose key is replaced while the job is taken goes on with the new key', async () => {
  const [released, finished] = await runWithKeys('old', 'new');
  expect(released).toMatchObject({ lines: 0, end: null, next: expect.any(Number) });
  expect(finished).toMatchObject({ lines: 1, end: { state: 'finished', problem: null } });
});

it('a job whose newest key is not valid fails', async () => {
  const [, failed] = await runWithKeys('old', 'old');
  expect(failed).toMatchObject({ end: { state: 'failed', problem: 'invalid_api_key' } });
});

it('jobs with different invalid keys, taken in turns, fail', async () => {
  const [, , failed] = await runWithKeys('old', 'older', 'old');
  expect(failed).toMatchObject({ end: { state: 'failed', problem: 'invalid_api_key' } });
});

it('a job whose key moved to another account fails, and none of its lines is counted there', async () => {
  const [, failed] = await runWithKeys('moved', 'moved');
  expect(failed).toMatchObject({ lines: 0, end: { state: 'failed', problem: 'invalid_api_key' } });
});

it('an AI check that the stop of the server interrupts gets its explanation later, and counts once', async () => {
  const provider = await openModelServer();
  onTestFinished(() => provider.close());
  provider.answer(status(400, '{}'));
  const test = await freshApp();
  const options = { url: provider.url, model: 'tiny-1', response_format: 'none' };
  const settings = {
    features: { trust_enhancement: { model: 'local' } },
    models: { local: { plugin: 'openai-compatible', options } },
  };
  writeFileSync(join(test.folder, 'features.json'), JSON.stringify(settings));
  // Settings are checked twice a second; the first call notices that they changed.
  await pause(550);
  await test.post('/v1/validate?ai=true', JANE);
  const { create, usual: key } = await shopOf(freshApp)({}, test);
  const asked = provider.asked.length;
  provider.answer(hangs);
  const { job_id: id } = await json(create({ requests: [JANE] }, { query: '?ai=true' }));
  await vi.waitFor(() => expect(provider.asked.length).toBeGreaterThan(asked), 120_000);
  await test.app.close();
  rmSync(join(test.folder, 'features.json'));
  const again = await openApp(test.app.config, openLog('silent'));
  onTestFinished(() => again.close());
  again.store.raw.prepare('UPDATE jobs SET next = 0').run();
  const send: TestApp['send'] = async (path, { key = '' } = {}) =>
    again.http.fetch(new Request(`http://localhost${path}`, { headers: { 'x-api-key': key ?? '' } }));
  const { end, results, usage } = callsOf({ send }, key);
  await end(id);
  expect(await results(id)).toMatchObject([{ status: 200, answer: { ai_insights: { ai_enabled: true } } }]);
  expect(await usage()).toBe(1);
}, 120_000);
