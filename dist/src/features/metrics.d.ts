import type { FeatureErrorCode } from './plugin/errors.ts';
export type Outcome = 'ok' | 'fallback' | FeatureErrorCode;
export interface FeatureCount {
    feature: string;
    model: string;
    outcome: Outcome;
    count: number;
}
export interface FeatureTiming {
    feature: string;
    model: string;
    count: number;
    sumSeconds: number;
    /** How many answers took at most so many seconds; cumulative, as Prometheus counts. */
    buckets: {
        le: number;
        count: number;
    }[];
}
export interface ModelGauge {
    model: string;
    breaker: 'closed' | 'open' | 'half_open';
    running: number;
    waiting: number;
}
export interface FeatureMetrics {
    counts: FeatureCount[];
    timings: FeatureTiming[];
    models: ModelGauge[];
}
export interface Counters {
    record(call: {
        feature: string;
        model: string;
        outcome: Outcome;
        seconds: number;
    }): void;
    snapshot(): Pick<FeatureMetrics, 'counts' | 'timings'>;
}
export declare function createCounters(): Counters;
/** The same figures in Prometheus' text form, ready to be appended to `/metrics`. */
export declare function metricsText({ counts, timings, models }: FeatureMetrics): string;
