// Spans of a request: one for the whole request, and one for each stage of a check.
import type { RequestLine } from '../log.ts';
import { createTraceContext, randomHex } from './context.ts';
import type { TraceContext } from './context.ts';
import type { SpanExporter, TraceSpan } from './otlp.ts';

/** Trace of a request that is being served. */
export interface RequestTrace extends TraceContext {
  /** Adds the span of a stage that ends now. `started` is a time of `performance.now`. */
  stage(name: string, started: number): void;
  stages: TraceSpan[];
}

export interface RequestTracer {
  begin(traceparent: string | null): RequestTrace;
  /** Exports the spans of an answered request. */
  end(trace: RequestTrace, line: RequestLine, started: number): void;
}

/** Returns a time of `performance.now` as nanoseconds since 1970, rounded to the clock's microseconds. */
const nanoseconds = (at: number): string =>
  `${BigInt(Math.round((performance.timeOrigin + at) * 1000)) * 1000n}`;

const timesOf = (started: number, ended: number) => ({
  startTimeUnixNano: nanoseconds(started),
  endTimeUnixNano: nanoseconds(ended),
});

export function createTracer(exporter: SpanExporter, { share }: { share: number }): RequestTracer {
  return {
    begin(traceparent) {
      const context = createTraceContext(traceparent, share);
      const { traceId, spanId, sampled } = context;
      const stages: TraceSpan[] = [];
      const stage = (name: string, started: number) => {
        const times = timesOf(started, performance.now());
        if (sampled)
          stages.push({ traceId, ...times, spanId: randomHex(8), parentSpanId: spanId, name, kind: 1 });
      };
      return { ...context, stage, stages };
    },
    end(trace, line, started) {
      if (!trace.sampled) return;
      const { traceId, spanId, parentId, stages } = trace;
      exporter.add([
        ...stages,
        {
          traceId,
          ...timesOf(started, started + line.ms),
          spanId,
          ...(parentId === null ? {} : { parentSpanId: parentId }),
          name: `${line.method} ${line.route}`,
          kind: 2,
          attributes: attributesOf(line),
          status: line.status >= 500 ? { code: 2 } : {},
        },
      ]);
    },
  };
}

/**
 * Returns the attributes of a request's span, named by the OpenTelemetry semantic conventions where they
 * define a name. Contains no submitted value and no path as sent.
 */
function attributesOf({ method, route, status, requestId, code, endpoint, score }: RequestLine) {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const whole = (key: string, value: number) => ({ key, value: { intValue: String(value) } });
  return [
    text('http.request.method', method),
    text('http.route', route),
    whole('http.response.status_code', status),
    text('bonafide.request_id', requestId),
    ...(code === undefined ? [] : [text('error.type', code)]),
    ...(endpoint === undefined ? [] : [text('bonafide.endpoint', endpoint)]),
    ...(score === undefined ? [] : [whole('bonafide.score', score)]),
  ];
}
