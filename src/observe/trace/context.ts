// W3C Trace Context: https://www.w3.org/TR/trace-context/
import { randomBytes } from 'node:crypto';

/** Trace context of one request. */
export interface TraceContext {
  /** Trace id: 32 hexadecimal digits. Span ids have 16. */
  traceId: string;
  spanId: string;
  /** Span id of the caller; null if the trace begins here. */
  parentId: string | null;
  /** True if the spans of the request are exported. */
  sampled: boolean;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** Returns the trace id of a valid `traceparent` header, otherwise undefined. */
export const parseTraceId = (header: string | null): string | undefined =>
  header === null ? undefined : TRACEPARENT.exec(header)?.[1];

/**
 * Returns the trace context of a request. A valid header continues the caller's trace; otherwise a new trace
 * begins, which is sampled with probability `share` (0 to 1).
 */
export function createTraceContext(header: string | null, share: number): TraceContext {
  const [, traceId, parentId, flags = ''] = TRACEPARENT.exec(header ?? '') ?? [];
  const spanId = randomHex(8);
  if (traceId === undefined || parentId === undefined)
    return { traceId: randomHex(16), spanId, parentId: null, sampled: Math.random() < share };
  return { traceId, spanId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Returns the `traceparent` header for the request's own span. */
export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
