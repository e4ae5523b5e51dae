// Counters and timings per feature and model. Labels come from settings and a fixed list of outcomes, never from a request.
import type { FeatureErrorCode } from './plugin/errors.ts';
import type { AiInsightsPartName } from './plugin/facts.ts';

export type FeatureRunOutcome = 'ok' | 'fallback' | FeatureErrorCode;

interface FeatureOutcomeCount {
  feature: string;
  model: string;
  outcome: FeatureRunOutcome;
  count: number;
}
interface FeatureTiming {
  feature: string;
  model: string;
  count: number;
  sumSeconds: number;
  /** Cumulative histogram buckets: number of answers that took at most `le` seconds. */
  buckets: { le: number; count: number }[];
}
interface ModelLoad {
  model: string;
  breaker: 'closed' | 'open' | 'half_open';
  running: number;
  waiting: number;
}
export interface FeatureMetrics {
  counts: FeatureOutcomeCount[];
  timings: FeatureTiming[];
  models: ModelLoad[];
}

const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2, 4, 8, 16];

/** Report of one failed call of a model. `code` is `fallback` if rules answered instead. */
export interface FailedModelCall {
  feature: AiInsightsPartName;
  model: string;
  code: FeatureRunOutcome;
}

export interface FeatureCounters {
  record(call: {
    feature: AiInsightsPartName;
    model: string;
    outcome: FeatureRunOutcome;
    seconds: number;
  }): void;
  snapshot(): Pick<FeatureMetrics, 'counts' | 'timings'>;
}

/** Creates the counters of all features. @param onFailure called for each failed call of a model */
export function createFeatureCounters(
  onFailure: (failure: FailedModelCall) => void = () => undefined,
): FeatureCounters {
  const counts = new Map<string, FeatureOutcomeCount>();
  const timings = new Map<string, FeatureTiming>();

  return {
    record({ feature, model, outcome, seconds }) {
      if (outcome !== 'ok' && outcome !== 'cancelled') onFailure({ feature, model, code: outcome });
      const place = `${feature} ${model}`;
      const count = counts.get(`${place} ${outcome}`) ?? { feature, model, outcome, count: 0 };
      count.count += 1;
      counts.set(`${place} ${outcome}`, count);
      const timing = timings.get(place) ?? {
        feature,
        model,
        count: 0,
        sumSeconds: 0,
        buckets: BOUNDS.map((le) => ({ le, count: 0 })),
      };
      timing.count += 1;
      timing.sumSeconds += seconds;
      for (const bucket of timing.buckets) if (seconds <= bucket.le) bucket.count += 1;
      timings.set(place, timing);
    },
    snapshot: () => ({
      counts: structuredClone([...counts.values()]),
      timings: structuredClone([...timings.values()]),
    }),
  };
}

export function formatFeatureMetrics({ counts, timings, models }: FeatureMetrics): string {
  const lines = [
    '# HELP bonafide_feature_calls_total AI feature runs by outcome.',
    '# TYPE bonafide_feature_calls_total counter',
    ...counts.map(
      (c) =>
        `bonafide_feature_calls_total{feature="${c.feature}",model="${c.model}",outcome="${c.outcome}"} ${c.count}`,
    ),
    '# HELP bonafide_feature_seconds Time an AI feature took.',
    '# TYPE bonafide_feature_seconds histogram',
    ...timings.flatMap(histogramLines),
    '# HELP bonafide_model_circuit_open 1 while a model is not called because of repeated failures.',
    '# TYPE bonafide_model_circuit_open gauge',
    ...models.map((m) => `bonafide_model_circuit_open{model="${m.model}"} ${m.breaker === 'open' ? 1 : 0}`),
    '# HELP bonafide_model_questions Questions to a model, running or waiting.',
    '# TYPE bonafide_model_questions gauge',
    ...models.flatMap((m) => [
      `bonafide_model_questions{model="${m.model}",state="running"} ${m.running}`,
      `bonafide_model_questions{model="${m.model}",state="waiting"} ${m.waiting}`,
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function histogramLines({ feature, model, count, sumSeconds, buckets }: FeatureTiming): string[] {
  const labels = `feature="${feature}",model="${model}"`;
  return [
    ...buckets.map((b) => `bonafide_feature_seconds_bucket{${labels},le="${b.le}"} ${b.count}`),
    `bonafide_feature_seconds_bucket{${labels},le="+Inf"} ${count}`,
    `bonafide_feature_seconds_sum{${labels}} ${sumSeconds}`,
    `bonafide_feature_seconds_count{${labels}} ${count}`,
  ];
}

/** Adds up the feature metrics of several threads. The circuit breaker state is the worst one of any thread. */
export function sumFeatureMetrics(all: FeatureMetrics[]): FeatureMetrics {
  return {
    counts: groupAndAdd(
      all.flatMap(({ counts }) => counts),
      ({ feature, model, outcome }) => `${feature} ${model} ${outcome}`,
      (one, other): FeatureOutcomeCount => ({ ...one, count: one.count + other.count }),
    ),
    timings: groupAndAdd(
      all.flatMap(({ timings }) => timings),
      ({ feature, model }) => `${feature} ${model}`,
      addTimings,
    ),
    models: groupAndAdd(
      all.flatMap(({ models }) => models),
      ({ model }) => model,
      addModels,
    ),
  };
}

function groupAndAdd<T>(all: T[], place: (one: T) => string, add: (one: T, other: T) => T): T[] {
  return Array.from(Map.groupBy(all, place).values(), (alike) => alike.reduce(add));
}

const addTimings = (one: FeatureTiming, other: FeatureTiming): FeatureTiming => ({
  ...one,
  count: one.count + other.count,
  sumSeconds: one.sumSeconds + other.sumSeconds,
  buckets: one.buckets.map(({ le, count }, i) => ({ le, count: count + (other.buckets[i]?.count ?? 0) })),
});

const WORST: ModelLoad['breaker'][] = ['open', 'half_open', 'closed'];

const addModels = (one: ModelLoad, other: ModelLoad): ModelLoad => ({
  model: one.model,
  breaker: WORST.find((state) => state === one.breaker || state === other.breaker) ?? one.breaker,
  running: one.running + other.running,
  waiting: one.waiting + other.waiting,
});
