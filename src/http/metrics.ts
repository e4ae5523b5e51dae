import type { H3Event } from 'h3';
import { requireScope } from '../accounts/access.ts';
import type { Caller } from '../accounts/model.ts';
import { textResponse, contextOf } from './response.ts';
import { authenticated } from './auth.ts';
import type { AddressOf, AuthDeps } from './auth.ts';
import { KEY_ERRORS, openRoute } from './openapi/operation.ts';
import { notFound } from './problems.ts';

export interface MetricsDeps extends AuthDeps {
  metrics: {
    /** Who may read them: this machine and keys with the scope, such keys alone, or nobody. */
    readers: 'loopback' | 'key' | 'off';
    /** All figures in the text format of Prometheus. */
    text(): Promise<string>;
  };
}

export const METRICS_ROUTE = openRoute<MetricsDeps>({
  path: '/metrics',
  id: 'getMetrics',
  summary: 'Figures for Prometheus',
  about:
    'Counts and durations in the text format of Prometheus. From this machine without a key unless the setting `metrics` says otherwise; else with a key that has the scope `metrics` or `admin`.',
  answers: [{ status: 200, about: 'The figures.', types: ['text/plain'] }],
  errors: ['forbidden', 'not_found', ...KEY_ERRORS],
  handle: serveMetrics,
});

/** `/metrics`. Errors: not_found where nobody may read them, those of `authenticated`, forbidden. */
async function serveMetrics(event: H3Event, deps: MetricsDeps): Promise<Response> {
  const { readers, text } = deps.metrics;
  if (readers === 'off') throw notFound();
  if (readers === 'key' || !isOfThisMachine(event, deps.addressOf))
    requireReader(await authenticated(event, deps));
  return textResponse(contextOf(event), await text(), { type: 'text/plain; version=0.0.4; charset=utf-8' });
}

function requireReader(caller: Caller): void {
  if (!caller.scopes.includes('admin')) requireScope(caller, 'metrics');
}

/** Headers that proxies add, beside all that begin with `x-forwarded`. */
const FORWARDING = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'];

const LOOPBACK_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * A proxy on this machine speaks for others: what carries a mark of one, or asks for another machine, is not this machine's own. Neither is
 * what comes over a socket file, which has no address: that is where proxies ask.
 */
function isOfThisMachine(event: H3Event, addressOf: AddressOf): boolean {
  const { headers, url } = event.req;
  const { node } = event.runtime ?? {};
  if (node && node.req.socket.remoteAddress === undefined) return false;
  if (!/^(127\.|::1$)/.test(addressOf(event))) return false;
  if (!LOOPBACK_HOST.test(headers.get('host') ?? new URL(url).host)) return false;
  return !Array.from(headers.keys()).some(
    (name) => name.startsWith('x-forwarded') || FORWARDING.includes(name),
  );
}
