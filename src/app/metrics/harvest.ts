// Metrics of suspected harvesting (keys that enumerate who is on record). No metric names a key.
import { setTimeout as pause } from 'node:timers/promises';
import { assessApiKeysForHarvesting, getHarvestingPeriodStart } from '../../admin/keys.ts';
import { type MetricFamily, createCounter, createGauge } from '../../observe/metrics/text.ts';
import type { StoreEngine } from '../../store/engine.ts';
import type { AppComponents } from '../parts.ts';
import type { WatchThread } from '../watches/thread.ts';

export function toSuspiciousCheckMetrics({ probes }: Pick<AppComponents, 'probes'>): MetricFamily[] {
  const { checks, nameOnly, oneValue, withoutRecord, fresh, runs, refused } = probes.total();
  return toHarvestMetricFamilies({
    probes: {
      checks,
      name_only: nameOnly,
      one_value: oneValue,
      without_record: withoutRecord,
      different: fresh,
      in_runs: runs,
    },
    refused,
  });
}

const NO_JOBS = { queued: 0, running: 0, finished: 0, failed: 0 };

/** Maximum time (ms) that a request for metrics waits for the store. */
const MAX_WAIT_MS = 1000;

interface StoreMetricsSources {
  engine: Pick<StoreEngine, 'sumSuspiciousChecksSince' | 'notices' | 'jobs'>;
  /** Thread that re-checks watches; null or missing if the server has no watches. */
  watchThread?: Pick<WatchThread, 'families'> | null | undefined;
}

/**
 * Creates a function that reads the metrics of suspected harvesting in the last day from the store. If the store fails or is slow, a metric
 * reports this, and the store is not queried again before it has answered.
 */
export function createStoreMetricsReader({
  engine: { sumSuspiciousChecksSince, notices, jobs },
  watchThread,
}: StoreMetricsSources): (now: number) => Promise<MetricFamily[]> {
  let pendingRead: Promise<MetricFamily[] | null> | null = null;
  const ask = async (now: number) => {
    const all = assessApiKeysForHarvesting(await sumSuspiciousChecksSince(getHarvestingPeriodStart(now)));
    const like = (wanted: string) => all.filter(({ suspicion }) => suspicion === wanted).length;
    const { pending, failed, delivered } = await notices.countMessages(now);
    const figures = toStoreMetricFamilies({
      suspected: { look: like('look'), harvesting: like('harvesting') },
      messages: { pending, failed, delivered },
      jobs: { ...NO_JOBS, ...(await jobs.count()) },
    });
    return [...figures, ...((await watchThread?.families(now)) ?? [])];
  };
  return async (now) => {
    pendingRead ??= ask(now)
      .catch(() => null)
      .finally(() => (pendingRead = null));
    const late = pause(MAX_WAIT_MS, null, { ref: false });
    return (await Promise.race([pendingRead, late])) ?? toStoreMetricFamilies(null);
  };
}

interface HarvestCounts {
  /** Number of checks and values that look like harvesting, by kind, since the server started. */
  probes: Record<string, number>;
  /** Number of checks refused because the plan's limit of harvesting-like checks (probes) was reached. */
  refused: number;
}

const toHarvestMetricFamilies = ({ probes, refused }: HarvestCounts): MetricFamily[] => [
  {
    name: 'bonafide_probes_total',
    help: 'Since the start: checks, and checks or values that show who is on record.',
    type: 'counter',
    samples: Object.entries(probes).map(([kind, value]) => ({ labels: { kind }, value })),
  },
  createCounter(
    'bonafide_probes_refused_total',
    'Checks refused because the plan had no probes left.',
    refused,
  ),
];

/**
 * Metrics that are read from the store: numbers of API keys suspected of harvesting (enumerating who is on record), of webhook messages and of
 * jobs.
 */
interface StoreMetricValues {
  suspected: Record<'look' | 'harvesting', number>;
  messages: Record<'pending' | 'failed' | 'delivered', number>;
  jobs: Partial<Record<string, number>>;
}

const toStoreMetricFamilies = (figures: StoreMetricValues | null): MetricFamily[] => [
  createGauge('bonafide_store_answers', '1 if the store answered the queries for these metrics.', [
    { value: figures ? 1 : 0 },
  ]),
  createGauge(
    'bonafide_keys_suspected',
    'Keys whose calls of the last day look like harvesting.',
    Object.entries(figures?.suspected ?? {}).map(([suspicion, value]) => ({ labels: { suspicion }, value })),
  ),
  createGauge(
    'bonafide_webhook_messages',
    'Webhook messages by state: waiting, given up in the last week, delivered.',
    Object.entries(figures?.messages ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  ),
  createGauge(
    'bonafide_jobs',
    'Jobs that are kept, by state.',
    Object.entries(figures?.jobs ?? {}).map(([state, value]) => ({ labels: { state }, value: value ?? 0 })),
  ),
];
