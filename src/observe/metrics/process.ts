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

/** Returns the metrics of a single-threaded server process in the Prometheus text format. */
export const getProcessMetrics = async (): Promise<string> => (await ownRegistry()).metrics();

/** Returns the metrics of the calling thread only: heap, event loop, garbage collection. */
export const getThreadMetrics = async (): Promise<ThreadMetrics> =>
  (await (await ownRegistry()).getMetricsAsJSON()).filter(isOfThread);

/**
 * Returns the metrics of a server process with serving threads in the Prometheus text format: those of the process, and sums over the threads.
 */
export async function sumThreadMetrics(threads: ThreadMetrics[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client');
  const whole = (await (await ownRegistry()).getMetricsAsJSON()).filter((metric) => !isOfThread(metric));
  const together = (all: ThreadMetrics[]) => AggregatorRegistry.aggregate(all).metrics();
  return (await together([whole])) + (await together(threads));
}

const isOfThread = ({ name }: { name: string }) => name.startsWith('nodejs_');
