// Spans of a request: one for the whole request, and one for each stage of a check.
import { randomBytes } from 'node:crypto';
import type { RequestLogLine } from '../log.ts';
import type { SpanExporter, TraceSpan } from './otlp.ts';

export interface RequestTrace extends TraceContext {
  /** Adds the span of a stage that ends now. `started` is its start in milliseconds by `performance.now`. */
  stage(name: string, started: number): void;
  stages: TraceSpan[];
}

export interface RequestTracer {
  begin(traceparent: string | null): RequestTrace;
  /** Exports the spans of an answered request. */
  end(trace: RequestTrace, line: RequestLogLine, started: number): void;
}

/** Converts a time of `performance.now` (ms) to nanoseconds since 1970, rounded to microseconds. */
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

/** Returns the attributes of a request's span, with OpenTelemetry names where they exist. They contain no submitted value and no actual path. */
function attributesOf({ method, route, status, requestId, code, endpoint, score }: RequestLogLine) {
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

// W3C Trace Context: https://www.w3.org/TR/trace-context/
interface TraceContext {
  /** Trace id in 32 hexadecimal digits. Span ids have 16. */
  traceId: string;
  spanId: string;
  /** Span id of the caller; null for a new trace. */
  parentId: string | null;
  sampled: boolean;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** Returns the trace id of a `traceparent` header; undefined if the header is missing or invalid. */
export const parseTraceId = (header: string | null): string | undefined =>
  header === null ? undefined : TRACEPARENT.exec(header)?.[1];

/**
 * Creates the trace context of a request. A valid header continues the caller's trace. Otherwise a new trace begins, which is sampled with
 * probability `share` (0 to 1).
 */
export function createTraceContext(header: string | null, share: number): TraceContext {
  const [, traceId, parentId, flags = ''] = TRACEPARENT.exec(header ?? '') ?? [];
  const spanId = randomHex(8);
  if (traceId === undefined || parentId === undefined)
    return { traceId: randomHex(16), spanId, parentId: null, sampled: Math.random() < share };
  return { traceId, spanId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Formats the `traceparent` header for the request's own span. */
export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
