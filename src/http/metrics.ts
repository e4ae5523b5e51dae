import type { H3Event } from 'h3';
import { requireScope } from '../accounts/access.ts';
import { authenticate, type FindClientIpAddress, type AuthDeps } from './auth.ts';
import { AUTHENTICATION_ERROR_CODES, declarePublicRoute } from './openapi/operation.ts';
import { createNotFoundProblemError } from './problems.ts';
import { getRequestContext, createTextResponse } from './response.ts';

export interface MetricsDeps extends AuthDeps {
  metrics: {
    /**
     * Clients that may read the metrics. `loopback`: this machine, and API keys with the scope `metrics` or `admin`. `key`: only such keys. `off`:
     * no client.
     */
    readers: 'loopback' | 'key' | 'off';
    text(): Promise<string>;
  };
}

export const METRICS_ROUTE = declarePublicRoute<MetricsDeps>('GET /metrics', 'getMetrics', {
  summary: 'Metrics for Prometheus',
  about:
    'Counts and durations in the text format of Prometheus. From this machine without a key, unless the setting `metrics` says otherwise; else with a key that has the scope `metrics` or `admin`.',
  answers: [{ status: 200, about: 'The metrics.', types: ['text/plain'] }],
  errors: ['forbidden', 'not_found', ...AUTHENTICATION_ERROR_CODES],
  handle: serveMetrics,
});

async function serveMetrics(event: H3Event, deps: MetricsDeps): Promise<Response> {
  const { readers, text } = deps.metrics;
  if (readers === 'off') throw createNotFoundProblemError();
  if (readers === 'key' || !isFromThisMachine(event, deps.addressOf)) {
    const caller = await authenticate(event, deps);
    if (!caller.scopes.includes('admin')) requireScope(caller, 'metrics');
  }
  return createTextResponse(getRequestContext(event), await text(), {
    type: 'text/plain; version=0.0.4; charset=utf-8',
  });
}

/** Headers that proxies add, besides those that begin with `x-forwarded`. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'];

const LOOPBACK_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * True if a process of this machine sent the request itself. Requests that a proxy on this machine may have forwarded do not count: with proxy
 * headers, for another host name, or over a socket file.
 */
function isFromThisMachine(event: H3Event, addressOf: FindClientIpAddress): boolean {
  const { headers, url } = event.req;
  const { node } = event.runtime ?? {};
  if (node && node.req.socket.remoteAddress === undefined) return false;
  if (!/^(127\.|::1$)/.test(addressOf(event))) return false;
  if (!LOOPBACK_HOST.test(headers.get('host') ?? new URL(url).host)) return false;
  return !Array.from(headers.keys()).some(
    (name) => name.startsWith('x-forwarded') || PROXY_HEADERS.includes(name),
  );
}
