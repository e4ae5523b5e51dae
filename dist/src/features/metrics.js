const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2, 4, 8, 16];
export function createCounters() {
    const counts = new Map();
    const timings = new Map();
    return {
        record({ feature, model, outcome, seconds }) {
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
            for (const bucket of timing.buckets)
                if (seconds <= bucket.le)
                    bucket.count += 1;
            timings.set(place, timing);
        },
        snapshot: () => ({
            counts: structuredClone([...counts.values()]),
            timings: structuredClone([...timings.values()]),
        }),
    };
}
/** The same figures in Prometheus' text form, ready to be appended to `/metrics`. */
export function metricsText({ counts, timings, models }) {
    const lines = [
        '# HELP bonafide_feature_calls_total AI feature runs by outcome.',
        '# TYPE bonafide_feature_calls_total counter',
        ...counts.map((c) => `bonafide_feature_calls_total{feature="${c.feature}",model="${c.model}",outcome="${c.outcome}"} ${c.count}`),
        '# HELP bonafide_feature_seconds Time an AI feature took.',
        '# TYPE bonafide_feature_seconds histogram',
        ...timings.flatMap(histogramLines),
        '# HELP bonafide_model_circuit_open 1 while a model is left alone after repeated failures.',
        '# TYPE bonafide_model_circuit_open gauge',
        ...models.map((m) => `bonafide_model_circuit_open{model="${m.model}"} ${m.breaker === 'open' ? 1 : 0}`),
        '# HELP bonafide_model_questions Questions a model is answering, or that wait for it.',
        '# TYPE bonafide_model_questions gauge',
        ...models.flatMap((m) => [
            `bonafide_model_questions{model="${m.model}",state="running"} ${m.running}`,
            `bonafide_model_questions{model="${m.model}",state="waiting"} ${m.waiting}`,
        ]),
    ];
    return `${lines.join('\n')}\n`;
}
function histogramLines({ feature, model, count, sumSeconds, buckets }) {
    const labels = `feature="${feature}",model="${model}"`;
    return [
        ...buckets.map((b) => `bonafide_feature_seconds_bucket{${labels},le="${b.le}"} ${b.count}`),
        `bonafide_feature_seconds_bucket{${labels},le="+Inf"} ${count}`,
        `bonafide_feature_seconds_sum{${labels}} ${sumSeconds}`,
        `bonafide_feature_seconds_count{${labels}} ${count}`,
    ];
}
