import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startHeartbeatOfThisServer, type PostgresClient } from '../../../src/store/postgres/client.ts';

/** Starts the heartbeat on a PostgreSQL that answers, refuses, or hangs. */
async function startTestHeartbeat() {
  const way = { is: 'well' as 'well' | 'gone' | 'hanging', asked: 0, renewed: 0 };
  const unsafe = async () => {
    way.asked++;
    if (way.is === 'gone') throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    if (way.is === 'hanging') await new Promise<never>(() => undefined);
    return [{ result: 'told' }];
  };
  const client = { unsafe, renew: () => void way.renewed++ } as unknown as PostgresClient;
  const it = await startHeartbeatOfThisServer(client, () => null);
  onTestFinished(it.close);
  return { way, ...it };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test('the first requests to a store that hangs wait; later ones are refused at once, until it answers', async () => {
  const { way, ask, isHealthy } = await startTestHeartbeat();
  way.is = 'hanging';
  const late = ask('admit_1()', []).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(7000);
  expect(await late).toMatchObject({ code: 'store_unavailable' });
  expect(isHealthy()).toBe(false);
  const before = way.asked;
  await expect(ask('admit_1()', [])).rejects.toMatchObject({ code: 'store_unavailable' });
  expect([way.asked, way.renewed]).toEqual([before, 1]);
  way.is = 'well';
  await vi.advanceTimersByTimeAsync(1000);
  expect([isHealthy(), await ask('admit_1()', [])]).toEqual([true, 'told']);
});

test('one failed heartbeat, as after a lost connection, refuses no request', async () => {
  const { way, ask } = await startTestHeartbeat();
  way.is = 'gone';
  await vi.advanceTimersByTimeAsync(1000);
  way.is = 'well';
  expect(await ask('admit_1()', [])).toBe('told');
});
