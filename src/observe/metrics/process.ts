// Memory, processor, event loop and garbage collection; measured from the first time that somebody asks.
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/** Figures of one thread, as plain data. */
export type ThreadMetrics = MetricObjectWithValues<MetricValue<string>>[];

let registry: Promise<Registry> | undefined;

const ownRegistry = () =>
  (registry ??= import('prom-client').then(({ collectDefaultMetrics, Registry }) => {
    const register = new Registry();
    collectDefaultMetrics({ register });
    return register;
  }));

/** Of a process that serves in one thread, as text. */
export const processMetrics = async (): Promise<string> => (await ownRegistry()).metrics();

/** What each thread has of its own: heap, event loop, garbage collection. */
export const threadMetrics = async (): Promise<ThreadMetrics> =>
  (await (await ownRegistry()).getMetricsAsJSON()).filter(isOfThread);

/** Of a process whose other threads serve, as text: what they have together, and what the process has. */
export async function sumThreads(threads: ThreadMetrics[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client');
  const whole = (await (await ownRegistry()).getMetricsAsJSON()).filter((metric) => !isOfThread(metric));
  const together = (all: ThreadMetrics[]) => AggregatorRegistry.aggregate(all).metrics();
  return (await together([whole])) + (await together(threads));
}

const isOfThread = ({ name }: { name: string }) => name.startsWith('nodejs_');
