// What the features of several threads count, as one.
import type { FeatureCount, FeatureMetrics, FeatureTiming, ModelGauge } from './metrics.ts';

/** Counts and times added; a model is as badly off as in the worst thread. */
export function sumFeatures(all: FeatureMetrics[]): FeatureMetrics {
  return {
    counts: together(
      all.flatMap(({ counts }) => counts),
      ({ feature, model, outcome }) => `${feature} ${model} ${outcome}`,
      (one, other): FeatureCount => ({ ...one, count: one.count + other.count }),
    ),
    timings: together(
      all.flatMap(({ timings }) => timings),
      ({ feature, model }) => `${feature} ${model}`,
      addTimings,
    ),
    models: together(
      all.flatMap(({ models }) => models),
      ({ model }) => model,
      addModels,
    ),
  };
}

function together<T>(all: T[], place: (one: T) => string, add: (one: T, other: T) => T): T[] {
  return Array.from(Map.groupBy(all, place).values(), (alike) => alike.reduce(add));
}

const addTimings = (one: FeatureTiming, other: FeatureTiming): FeatureTiming => ({
  ...one,
  count: one.count + other.count,
  sumSeconds: one.sumSeconds + other.sumSeconds,
  buckets: one.buckets.map(({ le, count }, i) => ({ le, count: count + (other.buckets[i]?.count ?? 0) })),
});

const WORST: ModelGauge['breaker'][] = ['open', 'half_open', 'closed'];

const addModels = (one: ModelGauge, other: ModelGauge): ModelGauge => ({
  model: one.model,
  breaker: WORST.find((state) => state === one.breaker || state === other.breaker) ?? one.breaker,
  running: one.running + other.running,
  waiting: one.waiting + other.waiting,
});
