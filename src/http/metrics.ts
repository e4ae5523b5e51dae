import type { H3Event } from 'h3';
import { requireScope } from '../accounts/access.ts';
import type { Caller } from '../model.ts';
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
  if (readers === 'key' || !isOfThisMachine(event, deps.addressOf)) requireReader(authenticated(event, deps));
  return answer(exchangeOf(event), await text(), { type: 'text/plain; version=0.0.4; charset=utf-8' });
}

function requireReader(caller: Caller): void {
  if (!caller.scopes.includes('admin')) requireScope(caller, 'metrics');
}

/** A proxy on this machine speaks for others: what it forwards is nobody's own until it is trusted. */
function isOfThisMachine(event: H3Event, addressOf: AddressOf): boolean {
  const address = addressOf(event);
  const peer = event.runtime?.node?.req.socket.remoteAddress?.replace(/^::ffff:/, '');
  const forwarded = event.req.headers.has('x-forwarded-for') || event.req.headers.has('forwarded');
  return /^(127\.|::1$)/.test(address) && (!forwarded || address !== (peer ?? '127.0.0.1'));
}
