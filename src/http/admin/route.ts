// How an administrative request is served: who asks → what → the desk → the answer. Who may not is refused before anything is read.
import type { H3Event } from 'h3';
import type * as v from 'valibot';
import type { Desk } from '../../admin/desk.ts';
import type { Asked, Done, Duty } from '../../admin/duties.ts';
import type { Machine } from '../../admin/machine.ts';
import { requireAdmin } from '../../accounts/access.ts';
import { answer, exchangeOf } from '../answer.ts';
import { authenticatedFreely } from '../auth.ts';
import type { AuthDeps } from '../auth.ts';
import type { Route } from '../openapi/operation.ts';
import type { AdminOperation, Body } from '../openapi/operations/admin/parts.ts';
import { bodyIn, queryIn } from './read.ts';
import { toAdminProblem } from './trouble.ts';

export interface AdminDeps extends AuthDeps {
  admin: Pick<Desk, 'ask'>;
  machine: Machine;
}

/** What an administrative request asks. */
export interface AdminRequest<Q extends v.ObjectEntries, B extends Body> {
  /** What stands in the path. */
  id: string;
  query: v.InferOutput<v.ObjectSchema<Q, undefined>>;
  body: v.InferOutput<B>;
  event: H3Event;
  /** Milliseconds since 1970. */
  now: number;
  /** Who asks: the id of the key. */
  actor: string;
  /** Has a duty done by the desk, in the name of whoever asks. */
  ask<D extends Duty>(duty: D, asked: Asked<D>): Promise<Done<D>>;
}

/** An answer that is no JSON, or has headers of its own. */
export interface Shaped {
  text: string;
  type: string;
  headers: [string, string][];
}

/** An operation with what works on it. */
export type AdminRoute = (deps: AdminDeps) => Route;

/** A route; what `work` gives is its answer, as JSON or in a shape of its own. */
export function at<Q extends v.ObjectEntries, B extends Body>(
  operation: AdminOperation<Q, B>,
  work: (request: AdminRequest<Q, B>, deps: AdminDeps) => Promise<object> | object,
): AdminRoute {
  const [{ status } = { status: 200 }] = operation.answers;
  return (deps) => ({
    operation,
    handler: async (event) => {
      const exchange = exchangeOf(event);
      const caller = await authenticatedFreely(event, deps);
      requireAdmin(caller);
      const actor = caller.key ?? caller.keyId;
      try {
        const request = {
          id: event.context.params?.id ?? '',
          query: queryIn(event.url, operation.reads.query),
          body: operation.reads.own ? {} : await bodyIn(event, operation.reads.body),
          event,
          actor,
          now: exchange.now,
          ask: <D extends Duty>(duty: D, asked: Asked<D>) => deps.admin.ask(duty, asked, actor),
        };
        const done = await work(request, deps);
        if (isShaped(done)) return answer(exchange, done.text, done);
        return answer(exchange, JSON.stringify(done), { status });
      } catch (error) {
        throw toAdminProblem(error, operation);
      }
    },
  });
}

const isShaped = (done: object): done is Shaped => 'text' in done && 'type' in done && 'headers' in done;
