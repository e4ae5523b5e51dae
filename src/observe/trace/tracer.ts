// The spans of a request: one for all of it, one for each stage of a check.
import type { RequestLine } from '../log.ts';
import { createTraceContext, randomHex } from './context.ts';
import type { TraceContext } from './context.ts';
import type { SpanExporter, TraceSpan } from './otlp.ts';

/** A request that is traced, while it is served. */
export interface RequestTrace extends TraceContext {
  /** A stage that has ended now. `started` is on the clock of `performance.now`. */
  stage(name: string, started: number): void;
  stages: TraceSpan[];
}

export interface RequestTracer {
  begin(traceparent: string | null): RequestTrace;
  /** The request has been answered, as its log line tells. */
  end(trace: RequestTrace, line: RequestLine, started: number): void;
}

/** Microseconds are what the clock has; nanoseconds are what the format wants. */
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

/** Names of the OpenTelemetry semantic conventions where there is one; nothing that was submitted, no path as it was sent. */
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
