import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import {
  releaseLockOfEndedThread,
  createThreadLock,
  allocateThreadLockMemory,
} from '../../../src/platform/threads/lock.ts';

const LOCK = new URL('../../../src/platform/threads/lock.ts', import.meta.url).href;

/** Runs threads that each increment a number `times` times, with separate reads and writes. Returns the sum. */
async function addTogether(threads: number, times: number): Promise<number> {
  const [room, sum] = [allocateThreadLockMemory(), new SharedArrayBuffer(4)];
  const text = `
    const { workerData: { room, sum, times } } = require('node:worker_threads');
    import(${JSON.stringify(LOCK)}).then(({ createThreadLock }) => {
      const [alone, total] = [createThreadLock(room, 60_000), new Int32Array(sum)];
      for (let i = 0; i < times; i++)
        alone(() => {
          const before = total[0];
          for (let spent = 0; spent < 200; spent++) Atomics.load(total, 0);
          total[0] = before + 1;
        });
    });`;
  const ended = Array.from({ length: threads }, () => {
    const worker = new Worker(text, { eval: true, workerData: { room, sum, times } });
    return new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject));
  });
  await Promise.all(ended);
  return new Int32Array(sum)[0] ?? 0;
}

describe('a lock between threads', () => {
  it('lets one work at a time', async () => {
    expect(await addTogether(3, 4000)).toBe(12_000);
  });

  it('gives what the work gives, and is free after one that throws', () => {
    const alone = createThreadLock(allocateThreadLockMemory());
    const thrown = () => {
      throw new Error('thrown');
    };
    expect(() => alone(thrown)).toThrow('thrown');
    expect(alone(() => 7)).toBe(7);
  });

  it('is waited for no longer than a moment where its thread has ended, and freed for good by whoever notices', () => {
    const room = allocateThreadLockMemory();
    const alone = createThreadLock(room);
    const state = new Int32Array(room);
    state[0] = 1;
    expect(alone(() => 'went on')).toBe('went on');
    state[0] = 2;
    releaseLockOfEndedThread(room);
    expect(state[0]).toBe(0);
    expect(alone(() => state[0])).toBe(1);
  });
});
