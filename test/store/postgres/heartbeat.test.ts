import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startHeartbeat, type PostgresClient } from '../../../src/store/postgres/client.ts';

/** A PostgreSQL that answers, refuses, or takes questions and says nothing. */
async function life() {
  const way = { is: 'well' as 'well' | 'gone' | 'hanging', asked: 0, renewed: 0 };
  const unsafe = async () => {
    way.asked++;
    if (way.is === 'gone') throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    if (way.is === 'hanging') await new Promise<never>(() => undefined);
    return [{ result: 'told' }];
  };
  const client = { unsafe, renew: () => void way.renewed++ } as unknown as PostgresClient;
  const it = await startHeartbeat(client, () => null);
  onTestFinished(it.close);
  return { way, ...it };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test('a store that hangs is waited for by those who ask first; then each is refused at once, until it says something', async () => {
  const { way, ask, isHealthy } = await life();
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

test('one sign of life that fails, as where its connection is lost, refuses nobody', async () => {
  const { way, ask } = await life();
  way.is = 'gone';
  await vi.advanceTimersByTimeAsync(1000);
  way.is = 'well';
  expect(await ask('admit_1()', [])).toBe('told');
});
