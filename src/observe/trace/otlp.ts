// Export of spans to an OpenTelemetry collector: OTLP 1.x over HTTP, in JSON.
// https://opentelemetry.io/docs/specs/otlp/
import { getPackageVersion } from '../../platform/assets.ts';

export interface TraceSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** OTLP span kind: 1 is internal, 2 is server. */
  kind: 1 | 2;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: { key: string; value: Record<string, string> }[];
  status?: { code?: number };
}

export interface SpanExporter {
  add(spans: TraceSpan[]): void;
  lost(): number;
  /** Sends the pending spans, for at most two seconds. Remaining spans count as lost. */
  close(): Promise<void>;
}

export interface SpanExporterOptions {
  endpoint: string;
  /** Additional HTTP header for the collector, in the form `Name: value`. */
  header?: string | undefined;
  log: { warn(text: string): void };
}

const SEND_EVERY_MS = 1000;
const MAX_AT_ONCE = 512;
/** Maximum number of pending spans. Further spans are lost. */
const MAX_WAITING = 8192;
const SEND_WITHIN_MS = 5000;
const CLOSE_WITHIN_MS = 2000;

/** Opens an exporter that sends spans once a second. Spans that the collector does not accept are lost; the first such failure is logged. */
export function openSpanExporter({ endpoint, header, log }: SpanExporterOptions): SpanExporter {
  const url = toTracesUrl(endpoint);
  const headers = { 'content-type': 'application/json', ...parseHeader(header) };
  let waiting: TraceSpan[] = [];
  let lost = 0;
  let failing = false;

  const send = async (withinMs: number) => {
    const batch = waiting.slice(0, MAX_AT_ONCE);
    if (batch.length === 0) return;
    waiting = waiting.slice(batch.length);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(toExportRequest(batch)),
      signal: AbortSignal.timeout(Math.ceil(withinMs)),
      redirect: 'error',
    }).then(
      async (response) => (await response.arrayBuffer(), response.ok),
      () => false,
    );
    if (!response) lost += batch.length;
    if (!response && !failing)
      log.warn('spans are lost: the collector in the setting `tracing` does not accept them');
    failing = !response;
  };

  let sending: Promise<void> = Promise.resolve();
  const timer = setInterval(
    () => (sending = sending.then(() => send(SEND_WITHIN_MS))),
    SEND_EVERY_MS,
  ).unref();
  return {
    add(spans) {
      if (waiting.length + spans.length > MAX_WAITING) lost += spans.length;
      else waiting.push(...spans);
    },
    lost: () => lost,
    async close() {
      clearInterval(timer);
      await sending;
      const end = performance.now() + CLOSE_WITHIN_MS;
      while (waiting.length > 0 && performance.now() < end) await send(end - performance.now());
      lost += waiting.length;
    },
  };
}

/** Returns the URL for traces: `/v1/traces` is added to an endpoint without a path. */
function toTracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}

function parseHeader(header: string | undefined): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(header ?? '') ?? [];
  return name === undefined || value === undefined ? {} : { [name]: value };
}

function toExportRequest(spans: TraceSpan[]): object {
  const attributes = [
    { key: 'service.name', value: { stringValue: 'bonafide' } },
    { key: 'service.version', value: { stringValue: getPackageVersion() } },
  ];
  return {
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'bonafide' }, spans }] }],
  };
}
