// The graph behind this server, for servers that have it as their upstream.
import type { H3Event } from 'h3';
import { requireScope } from '../../accounts/access.ts';
import type { Caller } from '../../accounts/model.ts';
import type { Found } from '../../admin/graph/desk.ts';
import { parseJsonObject } from '../../claim/json.ts';
import type { ParsedBody } from '../../claim/json.ts';
import { answer, exchangeOf } from '../answer.ts';
import { authenticated } from '../auth.ts';
import type { AuthDeps } from '../auth.ts';
import { readBytes } from '../body.ts';
import { ProblemError } from '../problems.ts';

export interface GraphDeps extends AuthDeps {
  /** What answers servers that ask for the graph; null where it is not served. Errors: those of the graph; invalid_request. */
  served: Served | null;
}

/** `hops` are the servers that a question came through. */
export interface Served {
  resolve(caller: Caller, sent: ParsedBody, hops: number): Promise<object>;
  stats(caller: Caller, hops: number): Promise<Found<'stats'>>;
}

/** In a question from one server to another: through how many it came. */
export const HOPS = 'bonafide-hops';

/** Answers a question; it counts against no quota. */
export function resolveRoute(event: H3Event, deps: GraphDeps): Promise<Response> {
  return served(event, deps, async (graph, caller) => {
    const sent = parseJsonObject(await readBytes(event));
    return graph.resolve(caller, sent, hopsOf(event));
  });
}

/** Tells what the graph holds in all. */
export const statsRoute = (event: H3Event, deps: GraphDeps): Promise<Response> =>
  served(event, deps, async (graph, caller) => statsView(await graph.stats(caller, hopsOf(event))));

export function statsView({ found, at }: Found<'stats'>) {
  const { linkedAt, ...rest } = found;
  return { ...rest, linked_at: linkedAt, counted: new Date(at).toISOString() };
}

async function served(
  event: H3Event,
  deps: GraphDeps,
  work: (graph: Served, caller: Caller) => Promise<object>,
): Promise<Response> {
  if (!deps.served) throw new ProblemError({ code: 'not_found', detail: 'Nothing is at this address.' });
  const caller = await authenticated(event, deps, true);
  const exchange = exchangeOf(event);
  const { policies, refused, leave } = await deps.limiter.enter(caller, exchange.now);
  exchange.policies = policies;
  try {
    if (refused) throw refused;
    requireScope(caller, 'graph');
    const body = JSON.stringify(await work(deps.served, caller));
    return answer(exchange, body, { headers: caller.test ? [TEST] : [] });
  } finally {
    leave();
  }
}

/** Says that the answer is about invented people. */
const TEST: [string, string] = ['bonafide-mode', 'test'];

/** What is no number counts as many: who writes it otherwise is no server of ours. */
const hopsOf = (event: H3Event): number => {
  const header = event.req.headers.get(HOPS);
  if (header === null) return 0;
  return /^\d$/.test(header) ? Number(header) : Infinity;
};
