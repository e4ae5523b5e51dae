// W3C Trace Context: https://www.w3.org/TR/trace-context/
import { randomBytes } from 'node:crypto';

/** One request of a trace, as far as it goes on beyond this process. */
export interface TraceContext {
  /** 32 hexadecimal digits, and 16 for the spans. */
  traceId: string;
  spanId: string;
  /** The caller's span; null where the trace begins here. */
  parentId: string | null;
  /** Whether its spans are to be sent. */
  sampled: boolean;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** The trace id of a valid `traceparent`; undefined where there is none. */
export const parseTraceId = (header: string | null): string | undefined =>
  header === null ? undefined : TRACEPARENT.exec(header)?.[1];

/** The context of a request: within the caller's trace where the header is valid, else at the beginning of one, of which `share` (0–1) are sampled. */
export function createTraceContext(header: string | null, share: number): TraceContext {
  const [, traceId, parentId, flags = ''] = TRACEPARENT.exec(header ?? '') ?? [];
  const spanId = randomHex(8);
  if (traceId === undefined || parentId === undefined)
    return { traceId: randomHex(16), spanId, parentId: null, sampled: Math.random() < share };
  return { traceId, spanId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header that tells of this request's own span. */
export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
