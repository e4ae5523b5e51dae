import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import {
  combineUploadReaders,
  createTooLargeJobError,
  createUploadLimiter,
  createUploadReader,
} from '../../src/jobs/uploads.ts';
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
    ['slow', 'next', 'last'].map((upload) => readUpload(upload, { owner: 'a', bytes: 0 })),
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
  const error = await readUpload('hostile', { owner: 'a', bytes: 0 }).catch((thrown: unknown) => thrown);
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
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((upload) =>
    readUpload(upload, { owner: upload.charAt(0), bytes: 0 }),
  );
  await Promise.all(all);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('owners whose uploads took little CPU time, and small uploads, are read first', async () => {
  const order: string[] = [];
  let cpuMs = 0;
  const readUpload = createUploadReader({
    async read(upload: string) {
      cpuMs += upload.startsWith('costly') ? 5000 : 1;
      order.push(upload);
    },
    stop: async () => undefined,
    getCpuMs: async () => cpuMs,
  });
  const send = (upload: string, owner: string, bytes: number) => readUpload(upload, { owner, bytes });
  await Promise.all([send('costly 1', 'a', 600_000), send('costly 2', 'b', 600_000)]);
  const all = [
    send('costly 3', 'a', 600_000),
    send('costly 4', 'b', 600_000),
    send('large', 'c', 8_000_000),
    send('small', 'd', 300),
  ];
  await Promise.all(all);
  expect(order.slice(2)).toEqual(['small', 'large', 'costly 3', 'costly 4']);
});

it('small uploads do not wait for those of other owners that are large or hostile', async () => {
  const order: string[] = [];
  const forever = new Promise<string>(() => {});
  const read = combineUploadReaders({
    quick: async (upload: string) => {
      order.push(`quick ${upload}`);
      if (upload.startsWith('hostile')) throw createTooLargeJobError();
      return upload;
    },
    patient: async (upload) => {
      order.push(`patient ${upload}`);
      return upload === 'large' ? forever : upload;
    },
  });
  void read('large', { owner: 'a', bytes: 8_000_000 });
  expect(await read('hostile 1', { owner: 'b', bytes: 300 })).toBe('hostile 1');
  await read('hostile 2', { owner: 'b', bytes: 300 });
  expect(await read('small', { owner: 'c', bytes: 300 })).toBe('small');
  const ofB = ['quick hostile 1', 'patient hostile 1', 'patient hostile 2'];
  expect(order).toEqual(['patient large', ...ofB, 'quick small']);
});

it('the thread of a reader is started for each upload, and ended with its memory when none comes', async () => {
  const order: string[] = [];
  const readUpload = createUploadReader({
    start: async () => void order.push('start'),
    read: async (upload: string) => order.push(upload),
    stop: async () => void order.push('stop'),
    getCpuMs: noCpu,
    idleMs: 20,
  });
  const send = (upload: string) => readUpload(upload, { owner: 'a', bytes: 0 });
  await Promise.all([send('1'), send('2')]);
  await expect.poll(() => order).toEqual(['start', '1', 'start', '2', 'stop']);
  await send('3');
  expect(order.slice(5)).toEqual(['start', '3']);
});

const overloaded = expect.objectContaining({ code: 'overloaded' });
const MIB = 1024 * 1024;

it('an owner has two places, and a retry of an upload in progress is told so', () => {
  const takeSlot = createUploadLimiter();
  const take = (owner: string, idempotencyKey: string | null = null) => takeSlot({ owner, idempotencyKey });
  const slot = take('a', 'key');
  expect(() => take('a', 'key')).toThrow(expect.objectContaining({ code: 'idempotency_in_progress' }));
  take('a');
  expect(() => take('a')).toThrow(overloaded);
  slot.release();
  take('a');
});

it('slow uploads of many owners take no space from others, and small uploads are received without space', () => {
  const takeSlot = createUploadLimiter();
  const take = (owner: string) => takeSlot({ owner, idempotencyKey: null });
  // A few bytes of 16 MiB have arrived.
  for (let i = 0; i < 40; i++) take(`slow ${i}`).add(2000);
  const large = Array.from({ length: 9 }, (_, i) => take(`large ${i}`));
  for (const slot of large.slice(0, 8)) slot.add(16 * MIB);
  expect(() => large[8]?.add(16 * MIB)).toThrow(overloaded);
  large[8]?.release();
  // Half of the space is taken, so that each owner has one slot.
  expect(() => take('large 1')).toThrow(overloaded);
  take('small').add(60_000);
  large[0]?.release();
  take('next').add(16 * MIB);
});

it('slow uploads of twenty keys refuse no job of another key', async () => {
  const test = await freshApp();
  const { url } = await test.app.listen();
  const sockets = Array.from({ length: 20 }, () => {
    const key = test.key();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `POST /v1/jobs HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: text/csv\r\nContent-Length: 9000000\r\n\r\nname`,
    );
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await setTimeout(200);
  const { create } = callsOf(test, test.key());
  const { status } = await create({ requests: [{ name: 'Ada Quill' }] });
  expect(status).toBe(202);
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
