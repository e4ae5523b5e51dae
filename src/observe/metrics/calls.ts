// Metrics of requests and checks, counted while requests are served.
import type { RequestLogLine } from '../log.ts';
import type { MetricFamily, HistogramMetric } from './text.ts';

/** Stages of a check whose duration is measured. */
const CALL_STAGES = ['read', 'graph', 'insights', 'answer', 'record'] as const;
export type CallStage = (typeof CALL_STAGES)[number];

const CALL_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STAGE_BOUNDS = [0.000_05, 0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 10];

export interface CallMetrics {
  /** Counts one HTTP request by the fields of its log line. */
  request(line: RequestLogLine): void;
  /** Records the duration (ms) of one stage of a check. */
  stage(stage: CallStage, ms: number): void;
  families(): MetricFamily[];
}

export function createCallMetrics(): CallMetrics {
  const requests = tally(['method', 'route', 'status']);
  const problems = tally(['code']);
  const checks = tally(['endpoint', 'band', 'verdict']);
  const testChecks = tally(['endpoint']);
  const calls = new Map<string, DistributionCounter>();
  const stages = new Map<CallStage, DistributionCounter>(
    CALL_STAGES.map((stage) => [stage, createDistributionCounter(STAGE_BOUNDS)]),
  );
  return {
    request({ method, route, status, ms, code, endpoint, band, verdict, test, replay }) {
      requests.add(`${METHODS.has(method) ? method : 'other'}\n${route}\n${status}`);
      if (code !== undefined) problems.add(code);
      if (endpoint === undefined || band === undefined || replay) return;
      if (test) testChecks.add(endpoint);
      else checks.add(`${endpoint}\n${band}\n${verdict ?? ''}`);
      let call = calls.get(endpoint);
      if (call === undefined) calls.set(endpoint, (call = createDistributionCounter(CALL_BOUNDS)));
      call.add(ms / 1000);
    },
    stage: (stage, ms) => stages.get(stage)?.add(ms / 1000),
    families: () => [
      counter('bonafide_requests_total', 'HTTP requests by route and status.', requests),
      counter('bonafide_problems_total', 'Error answers by code.', problems),
      counter('bonafide_checks_total', 'Answered checks of live keys. Each is in the call log.', checks),
      counter('bonafide_test_checks_total', 'Answered checks of test keys.', testChecks),
      histogram('bonafide_call_seconds', 'Time from a check’s arrival to its answer.', 'endpoint', calls),
      histogram('bonafide_stage_seconds', 'Duration of a stage of a check.', 'stage', stages),
    ],
  };
}

/** HTTP methods that become metric labels. Others are counted as `other`, because callers can send any text. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface Tally {
  /** Adds one to the count for a combination of label values, one per line of `labels`. */
  add(labels: string): void;
  samples(): { labels: Record<string, string>; value: number }[];
}

function tally(labels: string[]): Tally {
  const counts = new Map<string, number>();
  return {
    add: (place) => void counts.set(place, (counts.get(place) ?? 0) + 1),
    samples: () =>
      Array.from(counts, ([place, value]) => {
        const values = place.split('\n');
        return { labels: Object.fromEntries(labels.map((label, i) => [label, values[i] ?? ''])), value };
      }),
  };
}

export function createJobLineCounter(): { add(status: number): void; family(): MetricFamily } {
  const lines = tally(['status']);
  return {
    add: (status) => lines.add(String(status)),
    family: () => counter('bonafide_job_lines_total', 'Lines of jobs that are done, by status.', lines),
  };
}

/** Creates the metric of requests with status 429 because of earlier refused requests, by the limit that was reached. */
export const toThrottledRequestsMetric = (slowed: Readonly<Record<string, number>>): MetricFamily => ({
  name: 'bonafide_slowed_requests_total',
  help: 'Requests refused before their body was read because of earlier refusals, by the limit reached.',
  type: 'counter',
  samples: Object.entries(slowed).map(([limit, value]) => ({ labels: { limit }, value })),
});

const counter = (name: string, help: string, counted: Tally): MetricFamily => ({
  name,
  help,
  type: 'counter',
  samples: counted.samples(),
});

const histogram = (
  name: string,
  help: string,
  label: string,
  of: Map<string, DistributionCounter>,
): MetricFamily => ({
  name,
  help,
  type: 'histogram',
  samples: Array.from(of, ([value, gathered]) => ({ labels: { [label]: value }, value: gathered.read() })),
});

interface DistributionCounter {
  add(seconds: number): void;
  read(): HistogramMetric;
}

/** Creates a counter of durations by histogram bucket. */
function createDistributionCounter(bounds: readonly number[]): DistributionCounter {
  const counts = new Float64Array(bounds.length);
  let beyond = 0;
  let sum = 0;
  return {
    add(seconds) {
      sum += seconds;
      for (let i = 0; i < bounds.length; i++) {
        if (seconds > (bounds[i] ?? 0)) continue;
        counts[i] = (counts[i] ?? 0) + 1;
        return;
      }
      beyond++;
    },
    read: () => ({ bounds, counts: counts.slice(), beyond, sum }),
  };
}
