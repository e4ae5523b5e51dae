// Process metrics of prom-client: memory, CPU, event loop, garbage collection. The measurement starts with
// the first request for them.
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/** Metrics of one thread as plain data, which can be sent between threads. */
export type ThreadMetrics = MetricObjectWithValues<MetricValue<string>>[];

let registry: Promise<Registry> | undefined;

const ownRegistry = () =>
  (registry ??= import('prom-client').then(({ collectDefaultMetrics, Registry }) => {
    const register = new Registry();
    collectDefaultMetrics({ register });
    return register;
  }));

/**
 * Returns the metrics of the calling thread and its process. The delay of the event loop is left out if it was not sampled since the last call:
 * prom-client would report `Nan` and a minimum of 292 years.
 */
async function readMetrics(): Promise<ThreadMetrics> {
  const metrics = await (await ownRegistry()).getMetricsAsJSON();
  const isSampled = metrics.every(({ values }) => values.every(({ value }) => !Number.isNaN(value)));
  return isSampled ? metrics : metrics.filter(({ name }) => !name.startsWith('nodejs_eventloop_lag'));
}

/** Returns the metrics of a single-threaded server process in the Prometheus text format. */
export const formatProcessMetrics = async (): Promise<string> => formatSums([await readMetrics()]);

/** Returns the metrics of the calling thread only: heap, event loop, garbage collection. */
export const getThreadMetrics = async (): Promise<ThreadMetrics> => (await readMetrics()).filter(isOfThread);

/**
 * Returns the metrics of a server process with serving threads in the Prometheus text format: those of the process, and sums over the threads.
 */
export async function formatMetricsOfAllThreads(threads: ThreadMetrics[]): Promise<string> {
  const whole = (await readMetrics()).filter((metric) => !isOfThread(metric));
  return (await formatSums([whole])) + (await formatSums(threads));
}

async function formatSums(threads: ThreadMetrics[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate(threads).metrics();
}

const isOfThread = ({ name }: { name: string }) => name.startsWith('nodejs_');
