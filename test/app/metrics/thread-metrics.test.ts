import { expect, it } from 'vitest';
import {
  formatServerMetrics,
  toCountersOfEndedThread,
  sumThreadMetricCounts,
} from '../../../src/app/metrics/thread-metrics.ts';
import type { ThreadMetricCounts } from '../../../src/app/metrics/thread-metrics.ts';
import { createCallMetrics } from '../../../src/observe/metrics/calls.ts';
import type { ServerState } from '../../../src/observe/metrics/server.ts';
import type { MetricFamily } from '../../../src/observe/metrics/text.ts';

const WELL: ServerState = {
  ready: true,
  parts: { store: 'ok', log: 'ok' },
  workers: 1,
  replaced: 0,
  inFlight: 2,
  waiting: 1,
  logLinesLost: 0,
  spansLost: 3,
};
const NONE: MetricFamily = { name: 'bonafide_none', help: 'None.', type: 'gauge', samples: [] };
const feature = { feature: 'fraud', model: 'rules' };

/** Returns the metrics of a thread after `requests` requests. */
function figures(requests: number, state: Partial<ServerState> = {}): ThreadMetricCounts {
  const calls = createCallMetrics();
  const line = { time: 0, requestId: 'req_x', method: 'GET', route: '/healthz', status: 200, ms: 1 };
  for (let i = 0; i < requests; i++) calls.request(line);
  calls.request({ ...line, endpoint: 'validate', band: 'HIGH', verdict: 'verified', ms: 20 });
  const timing = { ...feature, count: 1, sumSeconds: 0.5, buckets: [{ le: 1, count: 1 }] };
  return {
    families: calls.families(),
    features: {
      counts: [{ ...feature, outcome: 'ok', count: requests }],
      timings: [timing],
      models: [{ model: 'm', breaker: requests > 1 ? 'open' : 'closed', running: 1, waiting: 0 }],
    },
    state: { ...WELL, ...state },
  };
}

const linesOf = (all: ThreadMetricCounts[]) =>
  formatServerMetrics(sumThreadMetricCounts(all), { storeFamilies: [NONE], processText: '' })
    .split('\n')
    .filter((line) => !line.startsWith('#'));

it('figures of threads are added, and a part is well where it is in each', () => {
  const unwell = { ready: false, parts: { store: 'failed', log: 'ok' } };
  const lines = linesOf([figures(1), figures(4, unwell), figures(0)]);
  expect(lines).toEqual(
    expect.arrayContaining([
      'bonafide_requests_total{method="GET",route="/healthz",status="200"} 8',
      'bonafide_checks_total{endpoint="validate",band="HIGH",verdict="verified"} 3',
      'bonafide_call_seconds_bucket{endpoint="validate",le="0.01"} 0',
      'bonafide_call_seconds_bucket{endpoint="validate",le="0.025"} 3',
      'bonafide_call_seconds_count{endpoint="validate"} 3',
      'bonafide_call_seconds_sum{endpoint="validate"} 0.06',
      'bonafide_feature_calls_total{feature="fraud",model="rules",outcome="ok"} 5',
      'bonafide_feature_seconds_sum{feature="fraud",model="rules"} 1.5',
      'bonafide_feature_seconds_bucket{feature="fraud",model="rules",le="1"} 3',
      'bonafide_model_circuit_open{model="m"} 1',
      'bonafide_model_questions{model="m",state="running"} 3',
      'bonafide_ready 0',
      'bonafide_part_ok{part="store"} 0',
      'bonafide_part_ok{part="log"} 1',
      'bonafide_workers 3',
      'bonafide_calls_in_flight 6',
      'bonafide_spans_lost_total 9',
    ]),
  );
});

it('a graph is left out where a thread leaves it out', () => {
  const well = { graphs: { sqlite: 'ok', upstream: 'ok' } };
  const away = { graphs: { sqlite: 'ok', upstream: 'left_out' } };
  const own = (all: Partial<ServerState>[]) =>
    linesOf(all.map((state) => figures(1, state))).filter((line) => line.startsWith('bonafide_graph_ok'));
  const told = ['bonafide_graph_ok{graph="sqlite"} 1', 'bonafide_graph_ok{graph="upstream"} 0'];
  expect(own([well, away, well])).toEqual(told);
  expect(own([away, well])).toEqual(told);
  expect(own([{}])).toEqual([]);
});

it('of one thread they are its own', () => {
  expect(sumThreadMetricCounts([figures(2)])).toEqual(figures(2));
});

it('of a thread that has ended what it counted stays, and nothing of how it was', () => {
  const lines = linesOf([
    figures(1),
    toCountersOfEndedThread(figures(4, { ready: false, parts: { store: 'failed' } })),
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      'bonafide_checks_total{endpoint="validate",band="HIGH",verdict="verified"} 2',
      'bonafide_feature_calls_total{feature="fraud",model="rules",outcome="ok"} 5',
      'bonafide_model_circuit_open{model="m"} 0',
      'bonafide_ready 1',
      'bonafide_part_ok{part="store"} 1',
      'bonafide_workers 1',
      'bonafide_calls_in_flight 2',
      'bonafide_spans_lost_total 6',
    ]),
  );
});
