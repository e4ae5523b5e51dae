import type { H3Event } from 'h3';
import { requireScope } from '../accounts/access.ts';
import type { Caller } from '../accounts/model.ts';
import type { AddressOf } from './address.ts';
import { answer, exchangeOf } from './answer.ts';
import { authenticated } from './auth.ts';
import type { AuthDeps } from './auth.ts';
import { ProblemError } from './problems.ts';

export interface MetricsDeps extends AuthDeps {
  metrics: {
    /** Who may read them: this machine and keys with the scope, such keys alone, or nobody. */
    readers: 'loopback' | 'key' | 'off';
    /** All figures in the text format of Prometheus. */
    text(): Promise<string>;
  };
}

/** `/metrics`. Errors: not_found where nobody may read them, those of `authenticated`, forbidden. */
export async function serveMetrics(event: H3Event, deps: MetricsDeps): Promise<Response> {
  const { readers, text } = deps.metrics;
  if (readers === 'off') throw new ProblemError({ code: 'not_found', detail: 'Nothing is at this address.' });
  if (readers === 'key' || !isOfThisMachine(event, deps.addressOf))
    requireReader(await authenticated(event, deps));
  return answer(exchangeOf(event), await text(), { type: 'text/plain; version=0.0.4; charset=utf-8' });
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
