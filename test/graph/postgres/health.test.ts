import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDatabaseHealthMonitor } from '../../../src/graph/postgres/health.ts';

const never = () => new Promise<never>(() => undefined);

test('a database that hangs is unavailable after five late answers, and available when it answers a probe', async () => {
  let hangs = true;
  const health = createDatabaseHealthMonitor({
    probe: () => (hangs ? never() : Promise.resolve()),
    deadlineMs: 5,
  });
  onTestFinished(() => health.close());
  for (let asked = 0; asked < 5; asked++)
    await expect(health.run(never)).rejects.toMatchObject({ code: 'graph_timeout' });
  const away = { code: 'graph_unavailable', details: { retryAfterMs: expect.any(Number) } };
  await expect(health.run(() => Promise.resolve('asked'))).rejects.toMatchObject(away);
  hangs = false;
  await expect.poll(() => health.run(() => Promise.resolve('asked')).catch(() => null)).toBe('asked');
});

test('a database that is sometimes late stays available', async () => {
  const health = createDatabaseHealthMonitor({ probe: () => Promise.resolve(), deadlineMs: 5 });
  onTestFinished(() => health.close());
  for (let asked = 0; asked < 12; asked++) {
    await health.run(asked % 4 === 3 ? () => wait(0) : never).catch(() => undefined);
  }
  expect(() => health.refuse()).not.toThrow();
});

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Returns whether a database with this probe is unavailable at each of these times, in milliseconds. */
async function awayAt(look: () => Promise<unknown>, times: number[]): Promise<boolean[]> {
  vi.useFakeTimers();
  const health = createDatabaseHealthMonitor({ probe: look, deadlineMs: 2250 });
  onTestFinished(() => (health.close(), void vi.useRealTimers()));
  const told: boolean[] = [];
  let now = 0;
  for (const time of times) {
    await vi.advanceTimersByTimeAsync(time - now);
    now = time;
    try {
      health.refuse();
      told.push(false);
    } catch {
      told.push(true);
    }
  }
  return told;
}

test('a database that answers no probe is unavailable after three seconds, without any query', async () => {
  expect(await awayAt(never, [2400, 3000])).toEqual([false, true]);
});

test('a slow database that answers within two seconds or with an error stays available', async () => {
  expect(await awayAt(() => later(2000), [2400, 3000, 9000, 30_000])).toEqual(Array(4).fill(false));
  const slowError = () => later(2000).then(() => Promise.reject(new Error('busy')));
  expect(await awayAt(slowError, [3000, 30_000])).toEqual([false, false]);
});
