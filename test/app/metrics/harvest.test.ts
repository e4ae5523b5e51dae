import { expect, it, onTestFinished, vi } from 'vitest';
import { createStoreMetricsReader } from '../../../src/app/metrics/harvest.ts';
import { openWebhookMessageQueue } from '../../../src/store/serving/notices.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { freshFolder } from '../../kit/folder.ts';
import { formatMetricFamilies } from '../../../src/observe/metrics/text.ts';

const linesOf = (families: Parameters<typeof formatMetricFamilies>[0]) =>
  formatMetricFamilies(families)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const openNotices = () => openWebhookMessageQueue(openSqliteStore({ file: `${freshFolder()}/store.db` }).raw);

const NO_JOBS = { hasWork: () => false, hasLeased: () => false, count: () => ({ queued: 2 }) };

it('a store that says nothing is told after a second, and asked once for all who want to know', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { promise, resolve } = Promise.withResolvers<[]>();
  const probesSince = vi.fn<() => Promise<[]>>(() => promise);
  const ask = createStoreMetricsReader({
    engine: { sumSuspiciousChecksSince: probesSince, notices: openNotices(), jobs: NO_JOBS },
  });
  const all = Promise.all([ask(0), ask(0)]);
  await vi.advanceTimersByTimeAsync(1000);
  for (const told of await all) expect(linesOf(told)).toEqual(['bonafide_store_answers 0']);
  expect(probesSince).toHaveBeenCalledTimes(1);
  resolve([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(linesOf(await ask(0))).toEqual([
    'bonafide_store_answers 1',
    'bonafide_keys_suspected{suspicion="look"} 0',
    'bonafide_keys_suspected{suspicion="harvesting"} 0',
    'bonafide_webhook_messages{state="pending"} 0',
    'bonafide_webhook_messages{state="failed"} 0',
    'bonafide_webhook_messages{state="delivered"} 0',
    'bonafide_jobs{state="queued"} 2',
    'bonafide_jobs{state="running"} 0',
    'bonafide_jobs{state="finished"} 0',
    'bonafide_jobs{state="failed"} 0',
  ]);
  expect(probesSince).toHaveBeenCalledTimes(2);
});

it('a store that fails leaves the other figures', async () => {
  const ask = createStoreMetricsReader({
    engine: {
      sumSuspiciousChecksSince: () => {
        throw new Error('away');
      },
      notices: openNotices(),
      jobs: NO_JOBS,
    },
  });
  expect(linesOf(await ask(0))).toEqual(['bonafide_store_answers 0']);
});
