import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { healthOf } from '../../../src/graph/postgres/health.ts';

const never = () => new Promise<never>(() => undefined);

test('a database that hangs is away after five that were late, and back when it answers a look', async () => {
  let hangs = true;
  const health = healthOf({ look: () => (hangs ? never() : Promise.resolve()), deadlineMs: 5 });
  onTestFinished(() => health.close());
  for (let asked = 0; asked < 5; asked++)
    await expect(health.ask(never)).rejects.toMatchObject({ code: 'graph_timeout' });
  const away = { code: 'graph_unavailable', details: { retryAfterMs: expect.any(Number) } };
  await expect(health.ask(() => Promise.resolve('asked'))).rejects.toMatchObject(away);
  hangs = false;
  await expect.poll(() => health.ask(() => Promise.resolve('asked')).catch(() => null)).toBe('asked');
});

test('one that is late now and then is asked on', async () => {
  const health = healthOf({ look: () => Promise.resolve(), deadlineMs: 5 });
  onTestFinished(() => health.close());
  for (let asked = 0; asked < 12; asked++) {
    await health.ask(asked % 4 === 3 ? () => wait(0) : never).catch(() => undefined);
  }
  expect(() => health.refuse()).not.toThrow();
});
