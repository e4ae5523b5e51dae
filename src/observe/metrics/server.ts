// Gauges of the server's state.
import { getPackageVersion } from '../../platform/assets.ts';
import { createCounter, type MetricFamily, createGauge } from './text.ts';

export interface ServerState {
  /** State of each server part, as in /readyz; `ok` if it works. */
  parts: Record<string, string | number>;
  ready: boolean;
  graphs?: Record<string, string> | undefined;
  /** Database hosts that answer look-ups, as each serving thread sees them. */
  graphHosts?: readonly HostSample[] | undefined;
  workers: number;
  replaced: number;
  inFlight: number;
  waiting: number;
  logLinesLost: number;
  spansLost: number;
}

/** Database host that answers look-ups of the graph. */
interface HostSample {
  host: string;
  role: string;
  /** Maximum delay of the host's data behind the primary, in seconds; null if unknown. */
  lagSeconds: number | null;
  lookups: number;
}

export const toLookupMetricFamily = (hosts: readonly HostSample[]): MetricFamily => ({
  name: 'bonafide_graph_lookups_total',
  help: 'Look-ups of checks that a database host answered.',
  type: 'counter',
  samples: hosts.map(({ host, lookups }) => ({ labels: { host }, value: lookups })),
});

/**
 * Creates the metrics of role and lag for each database host of the graph. If the threads differ, a host is `unreachable` if one thread cannot
 * reach it, and its lag is the highest.
 */
function toHostFamilies(samples: readonly HostSample[]): MetricFamily[] {
  const hosts = [...Map.groupBy(samples, ({ host }) => host)];
  const worst = hosts.map(([host, same]) => ({
    host,
    role: same.find(({ role }) => role === 'unreachable')?.role ?? same[0]?.role ?? '',
    lag: Math.max(...same.map(({ lagSeconds }) => lagSeconds ?? Infinity)),
  }));
  return [
    createGauge(
      'bonafide_graph_host_role',
      'Always 1; the role of a database host is a label.',
      worst.map(({ host, role }) => ({ labels: { host, role }, value: 1 })),
    ),
    createGauge(
      'bonafide_graph_host_lag_seconds',
      'Seconds by which answers of a database host may be older than those of the primary.',
      worst
        .filter(({ lag }) => Number.isFinite(lag))
        .map(({ host, lag }) => ({ labels: { host }, value: lag })),
    ),
  ];
}

export function toServerMetricFamilies({
  parts,
  ready,
  graphs = {},
  graphHosts = [],
  workers,
  replaced,
  inFlight,
  waiting,
  logLinesLost,
  spansLost,
}: ServerState): MetricFamily[] {
  const wellBeing = Object.entries(parts).filter(([, state]) => typeof state === 'string');
  return [
    createGauge('bonafide_info', 'Always 1; the version is its label.', [
      { labels: { version: getPackageVersion() }, value: 1 },
    ]),
    createGauge('bonafide_ready', '1 if /readyz answers 200.', [{ value: ready ? 1 : 0 }]),
    createGauge(
      'bonafide_part_ok',
      '1 if a part of the server works.',
      wellBeing.map(([part, state]) => ({ labels: { part }, value: state === 'ok' ? 1 : 0 })),
    ),
    createGauge(
      'bonafide_graph_ok',
      '1 if one of several graphs takes part in checks.',
      Object.entries(graphs).map(([graph, state]) => ({ labels: { graph }, value: state === 'ok' ? 1 : 0 })),
    ),
    ...toHostFamilies(graphHosts),
    createGauge('bonafide_workers', 'Threads that serve.', [{ value: workers }]),
    createCounter('bonafide_workers_replaced_total', 'Threads that ended and were replaced.', replaced),
    createGauge('bonafide_calls_in_flight', 'Checks in progress.', [{ value: inFlight }]),
    createGauge('bonafide_calls_waiting', 'Calls that are not yet on disk.', [{ value: waiting }]),
    createCounter(
      'bonafide_log_lines_lost_total',
      'Log lines that were not written since the start.',
      logLinesLost,
    ),
    createCounter(
      'bonafide_spans_lost_total',
      'Trace spans that the collector did not accept since the start.',
      spansLost,
    ),
  ];
}
