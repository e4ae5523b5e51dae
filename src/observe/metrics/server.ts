// How the server is, as gauges.
import { getPackageVersion } from '../../platform/assets.ts';
import { createCounter, type MetricFamily, createGauge } from './text.ts';

export interface ServerState {
  /** Part by part, `ok` where it is well; as /readyz tells. */
  parts: Record<string, string | number>;
  ready: boolean;
  /** Where several graphs are asked side by side, each by its name. */
  graphs?: Record<string, string> | undefined;
  /** Threads that serve. */
  workers: number;
  /** How many of them ended by themselves since the start, and were replaced. */
  replaced: number;
  inFlight: number;
  /** Calls that wait for the disk. */
  waiting: number;
  logLinesLost: number;
  spansLost: number;
}

export function toServerFamilies({
  parts,
  ready,
  graphs = {},
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
    createGauge('bonafide_ready', '1 where /readyz says 200.', [{ value: ready ? 1 : 0 }]),
    createGauge(
      'bonafide_part_ok',
      '1 where a part of the server is well.',
      wellBeing.map(([part, state]) => ({ labels: { part }, value: state === 'ok' ? 1 : 0 })),
    ),
    createGauge(
      'bonafide_graph_ok',
      '1 where one of several graphs takes part in checks.',
      Object.entries(graphs).map(([graph, state]) => ({ labels: { graph }, value: state === 'ok' ? 1 : 0 })),
    ),
    createGauge('bonafide_workers', 'Threads that serve.', [{ value: workers }]),
    createCounter('bonafide_workers_replaced_total', 'Threads that ended and were replaced.', replaced),
    createGauge('bonafide_calls_in_flight', 'Checks that are being worked on.', [{ value: inFlight }]),
    createGauge('bonafide_calls_waiting', 'Calls that wait to be on disk.', [{ value: waiting }]),
    createCounter(
      'bonafide_log_lines_lost_total',
      'Log lines that were not written since the start.',
      logLinesLost,
    ),
    createCounter(
      'bonafide_spans_lost_total',
      'Spans that the collector did not take since the start.',
      spansLost,
    ),
  ];
}
