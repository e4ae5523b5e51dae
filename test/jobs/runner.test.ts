import { expect, it, vi } from 'vitest';
import type { Caller } from '../../src/accounts/model.ts';
import { createJobCipher, type JobLine } from '../../src/jobs/job.ts';
import { type JobRunnerOptions, startJobRunner } from '../../src/jobs/runner.ts';
import type { JobProgress, LeasedJob } from '../../src/store/serving/jobs.ts';

const cipher = createJobCipher('secret');
const PROBLEM = { status: 422, code: 'invalid_request', detail: 'x' };

/** Works on one job, for which the store names these keys one after another, and returns what is saved. Only the key `new` is valid. */
async function runWithKeys(...keys: string[]): Promise<JobProgress[]> {
  const lines: JobLine[] = [{ line: 1, reference: null, problem: PROBLEM as never }];
  const saved: JobProgress[] = [];
  const take = async () => {
    const job = { id: 'job_1', done: 0, total: 1, endpoint: 'validate' };
    const requests = { first: 0, lines: 1, sealed: cipher.seal(lines) };
    return { job, key: keys.shift(), requests } as unknown as LeasedJob;
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
    findCaller: (key: string) => (key === 'new' ? ({ keyId: key } as Caller) : null),
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
