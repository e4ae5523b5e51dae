import { expect, onTestFinished, test, vi } from 'vitest';
import { createPostgresHostChooser, createRenewablePool } from '../../../src/platform/postgres/pool.ts';
import type { PostgresPoolHandlers } from '../../../src/platform/postgres/pool.ts';

/** A driver that numbers its pools, and whose connections a test can end. */
function driver() {
  const made: (PostgresPoolHandlers & { ended: boolean })[] = [];
  let lost = 0;
  const host = { host: 'db.example', port: 5432 };
  const hosts = createPostgresHostChooser(async () => ({ ...host }));
  const pool = createRenewablePool({
    make: (told) => {
      const one = { ...told, ended: false };
      made.push(one);
      return { nth: made.length, end: async () => void (one.ended = true) };
    },
    hosts,
    onLost: () => lost++,
  });
  return { pool, made, host, hosts, lost: () => lost };
}

test('a pool that lost a connection is asked no more, and ended; a new one is in its place', () => {
  const { pool, made, lost } = driver();
  expect([pool.getPool().nth, pool.getPool().nth]).toEqual([1, 1]);
  made[0]?.onparameter();
  made[0]?.onclose();
  expect([made[0]?.ended, lost()]).toEqual([true, 1]);
  expect(pool.getPool().nth).toBe(2);
  // The other connections of the pool end too, without further effects.
  made[0]?.onclose();
  expect([pool.getPool().nth, lost()]).toEqual([2, 1]);
});

test('one that nobody was let into keeps its pauses between tries', () => {
  const { pool, made, lost } = driver();
  pool.getPool();
  for (let tries = 0; tries < 3; tries++) made[0]?.onclose();
  expect([pool.getPool().nth, made[0]?.ended, lost()]).toEqual([1, false, 3]);
});

test('one that is closed is made no more', async () => {
  const { pool, made, lost } = driver();
  pool.getPool();
  made[0]?.onparameter();
  await pool.close();
  made[0]?.onclose();
  expect([pool.getPool().nth, made[0]?.ended, lost()]).toEqual([1, true, 0]);
});

test('one that nobody is let into for four seconds is ended, with whoever waits for it', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { pool, made } = driver();
  pool.getPool();
  vi.advanceTimersByTime(4000);
  expect([made[0]?.ended, pool.getPool().nth]).toEqual([true, 2]);
  made[1]?.onparameter();
  vi.advanceTimersByTime(60_000);
  expect([made[1]?.ended, pool.getPool().nth]).toEqual([false, 2]);
});

test('one is left, with whoever waits for it, when another pool of its address finds another host', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { pool, made, host, hosts, lost } = driver();
  pool.getPool();
  (await made[0]?.socket())?.destroy();
  made[0]?.onparameter();
  await vi.advanceTimersByTimeAsync(200);
  await hosts.choose();
  await vi.advanceTimersByTimeAsync(200);
  expect([made[0]?.ended, lost()]).toEqual([false, 0]);
  host.host = 'promoted.example';
  await hosts.choose();
  await vi.advanceTimersByTimeAsync(0);
  expect([made[0]?.ended, lost(), pool.getPool().nth]).toEqual([true, 1, 2]);
});
