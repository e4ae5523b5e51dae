// Metrics of suspected harvesting (keys that enumerate who is on record). No metric names a key.
import { setTimeout as pause } from 'node:timers/promises';
import { assessKeysForHarvesting, getHarvestPeriodStart } from '../../admin/keys.ts';
import { type MetricFamily, createCounter, createGauge } from '../../observe/metrics/text.ts';
import type { StoreEngine } from '../../store/engine.ts';
import type { AppParts } from '../parts.ts';
import type { WatchThread } from '../watches/thread.ts';

export function toHarvestProbeMetrics({ probes }: Pick<AppParts, 'probes'>): MetricFamily[] {
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

/** Maximum time that a request for metrics waits for the store, in milliseconds. */
const MAX_WAIT_MS = 1000;

interface StoreMetricsSources {
  engine: Pick<StoreEngine, 'sumProbesSince' | 'notices' | 'jobs'>;
  /** Thread that re-checks watches; null or missing if the server has no watches. */
  watchThread?: Pick<WatchThread, 'families'> | null | undefined;
}

/**
 * Returns a function that reads the harvesting metrics of the last day from the store, for a time in milliseconds since 1970. If the store
 * fails or does not answer within a second, a metric reports the failure, and the store is queried again only after its late answer.
 */
export function createHarvestMetricsReader({
  engine: { sumProbesSince, notices, jobs },
  watchThread,
}: StoreMetricsSources): (now: number) => Promise<MetricFamily[]> {
  let pendingRead: Promise<MetricFamily[] | null> | null = null;
  const ask = async (now: number) => {
    const all = assessKeysForHarvesting(await sumProbesSince(getHarvestPeriodStart(now)));
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
  /** Counts of suspected harvesting since the start, by kind: checks, and checks or values that reveal who is on record. */
  probes: Record<string, number>;
  /** Number of checks rejected because the plan's probe limit was reached. */
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

/** Metrics that are read from the store: suspected keys by suspicion, webhook messages and jobs by state. */
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
