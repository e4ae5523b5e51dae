import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from '../../../src/platform/resilience/limiter.ts';

const open = new AbortController().signal;
const refusals = { toFullError: () => new Error('full'), toAbortedError: () => new Error('late') };

test('places go first come first served, and never beyond the bound', async () => {
  const limiter = createConcurrencyLimiter({ concurrency: 2, queue: 10, ...refusals });
  const order: number[] = [];
  let most = 0;
  const work = async (id: number): Promise<void> => {
    const leave = await limiter.acquire(open);
    order.push(id);
    most = Math.max(most, limiter.running);
    await new Promise((done) => setTimeout(done, 2));
    leave();
    leave();
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(work));
  expect(order).toEqual([1, 2, 3, 4, 5, 6]);
  expect(most).toBe(2);
  expect([limiter.running, limiter.waiting]).toEqual([0, 0]);
});

test('a full queue refuses at once', async () => {
  const limiter = createConcurrencyLimiter({ concurrency: 1, queue: 0, ...refusals });
  const leave = await limiter.acquire(open);
  await expect(limiter.acquire(open)).rejects.toThrow('full');
  leave();
  await expect(limiter.acquire(open)).resolves.toBeTypeOf('function');
});

test('one who stops waiting gives up the place in the queue, and the next one moves up', async () => {
  const limiter = createConcurrencyLimiter({ concurrency: 1, queue: 5, ...refusals });
  const leave = await limiter.acquire(open);
  const gone = new AbortController();
  const first = limiter.acquire(gone.signal);
  const second = limiter.acquire(open);
  gone.abort();
  await expect(first).rejects.toThrow('late');
  expect(limiter.waiting).toBe(1);
  leave();
  await expect(second).resolves.toBeTypeOf('function');
});
