// Limits of one server also apply to two workers: each test opens many connections, which the system spreads over the workers.
import { expect, it } from 'vitest';
import { startWorkers } from './kit.ts';

const POLL = { interval: 50 };
const statusesOf = async (calls: Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status);
const count = (statuses: (number | null)[], wanted: number | null) =>
  statuses.filter((status) => status === wanted).length;

it('quotas, rates, calls in flight and Idempotency-Keys are exact over two workers, and /metrics tells of both', async () => {
  const server = await startWorkers({
    quota: { included: 1, overage: 'block' },
    rate: { included: 1000, rate: { calls: 1, seconds: 3600, burst: 20 } },
    few: { included: 1000, concurrency: 5 },
  });
  const { ask, begin, get } = server;
  const many = (number: number, plan: string) => Array.from({ length: number }, () => ask({ plan }));

  const ofQuota = await statusesOf(many(200, 'quota'));
  expect([count(ofQuota, 200), count(ofQuota, 429)]).toEqual([1, 199]);

  const ofRate = await statusesOf(many(60, 'rate'));
  expect([count(ofRate, 200), count(ofRate, 429)]).toEqual([20, 40]);

  const begun = Array.from({ length: 40 }, () => begin({ plan: 'few' }));
  const refused = () => Promise.race([...begun.map(({ status }) => status), null]);
  await expect.poll(async () => (await refused()) ?? 0, POLL).toBe(503);
  await expect.poll(async () => (await get('/metrics')).text(), POLL).toContain('calls_in_flight 5\n');
  for (const { finish } of begun) finish();
  const ofFew = await Promise.all(begun.map(({ status }) => status));
  expect([count(ofFew, 200), count(ofFew, 503)]).toEqual([5, 35]);

  const retried = Array.from({ length: 20 }, (_, i) => `key ${i}`);
  const tried = await Promise.all(
    retried.flatMap((idempotencyKey) => Array.from({ length: 6 }, () => ask({ idempotencyKey }))),
  );
  expect(tried.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  const again = await Promise.all(retried.map((idempotencyKey) => ask({ idempotencyKey })));
  const ids = new Set([...tried, ...again].flatMap(({ status, id }) => (status === 200 ? [id] : [])));
  expect(ids.size).toBe(20);
  expect(server.counted().calls).toBe(1 + 20 + 5 + 20);

  const metrics = await (await get('/metrics')).text();
  const value = (series: string) => Number(new RegExp(`^${series} (.*)$`, 'm').exec(metrics)?.[1]);
  expect(value('bonafide_workers')).toBe(2);
  expect(value('bonafide_checks_total\\{endpoint="validate",band="HIGH",verdict="verified"\\}')).toBe(
    server.counted().calls,
  );
  expect(value('bonafide_problems_total\\{code="quota_exhausted"\\}')).toBe(199);
  expect(metrics.match(/^process_resident_memory_bytes \d+$/gm)).toHaveLength(1);
  expect(metrics.match(/^nodejs_heap_size_used_bytes \d+$/gm)).toHaveLength(1);
});

it('calls of a key without a plan are bounded over both workers together', async () => {
  const { begin, ask, get } = await startWorkers();
  const begun = Array.from({ length: 256 }, () => begin());
  await expect.poll(async () => (await get('/metrics')).text(), POLL).toContain('calls_in_flight 256\n');
  expect((await ask()).status).toBe(503);
  for (const { finish } of begun) finish();
  const statuses = await Promise.all(begun.map(({ status }) => status));
  expect([count(statuses, 200), count(statuses, 503)]).toEqual([256, 0]);
  expect((await ask()).status).toBe(200);
});
