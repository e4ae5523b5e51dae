import { expect, it } from 'vitest';
import { createUploadPlaces, createUploadReader } from '../../src/jobs/uploads.ts';
import { freshApp } from '../kit/app.ts';
import { callsOf } from './kit.ts';

const noCpu = async () => 0;

it('a file that is read for too long is refused, and files that wait behind it are read', async () => {
  const stopped: string[] = [];
  const readUpload = createUploadReader({
    read: (upload: string) => (upload === 'slow' ? new Promise<string>(() => {}) : Promise.resolve(upload)),
    stop: async () => void stopped.push('slow'),
    getCpuMs: noCpu,
    maxMs: 20,
  });
  const [slow, next, last] = await Promise.allSettled(
    ['slow', 'next', 'last'].map((upload) => readUpload(upload, 'a')),
  );
  // Without a measured CPU time, as after the end of the thread, it counts as one refusal.
  expect(slow).toMatchObject({
    status: 'rejected',
    reason: { code: 'invalid_request', details: { refusals: 1 } },
  });
  expect([next, last]).toMatchObject([{ value: 'next' }, { value: 'last' }]);
  expect(stopped).toEqual(['slow']);
});

it('a file that takes too much CPU time is refused, and counts as refusals by this time', async () => {
  let cpuMs = 5000;
  const readUpload = createUploadReader({
    read: () => new Promise<string>(() => {}),
    stop: async () => undefined,
    getCpuMs: async () => (cpuMs += 400),
    maxCpuMs: 1000,
  });
  const error = await readUpload('hostile', 'a').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid_request', details: { issues: [{ code: 'too_large' }] } });
  expect((error as { details: { refusals: number } }).details.refusals).toBeGreaterThanOrEqual(120);
});

it('the second waiting upload of an owner is read after the uploads of other owners', async () => {
  const order: string[] = [];
  const readUpload = createUploadReader({
    read: async (upload: string) => order.push(upload),
    stop: async () => undefined,
    getCpuMs: noCpu,
  });
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((upload) => readUpload(upload, upload.charAt(0)));
  await Promise.all(all);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('uploads of two owners leave places for others, and a retry of one in progress is told so', () => {
  const takePlace = createUploadPlaces();
  const take = (owner: string, idempotencyKey: string | null = null) => takePlace({ owner, idempotencyKey });
  const leave = take('a', 'key');
  expect(() => take('a', 'key')).toThrow(expect.objectContaining({ code: 'idempotency_in_progress' }));
  take('a');
  take('b', 'key');
  take('b');
  for (const owner of ['a', 'b'])
    expect(() => take(owner)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  for (const owner of ['c', 'd', 'e', 'f']) take(owner);
  expect(() => take('c')).toThrow(expect.objectContaining({ code: 'overloaded' }));
  expect(() => take('g')).toThrow(expect.objectContaining({ code: 'overloaded' }));
  leave();
  take('g');
});

it('parallel retries of one job get 409 while the first is being read, and create one job', async () => {
  const test = await freshApp();
  const { create } = callsOf(test, test.key());
  const body = { requests: [{ name: 'Ada Quill' }] };
  const headers = { 'idempotency-key': 'once' };
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(body, { headers })));
  expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([202, 409]);
  const made = answers.filter(({ status }) => status === 202);
  const ids = await Promise.all(
    made.map(async (answer) => ((await answer.json()) as { job_id: string }).job_id),
  );
  expect(new Set(ids).size).toBe(1);
});
