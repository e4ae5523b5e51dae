import { H3 } from 'h3';
import type { EventHandler, H3Event, HTTPMethod, Middleware } from 'h3';
import type { Log } from '../observe/log.ts';
import type { CallersUsage } from '../accounts/billing/usage.ts';
import { isMonth } from '../accounts/billing/month.ts';
import { BonafideError } from '../errors.ts';
import type { Caller, EarlierCall } from '../accounts/model.ts';
import { traceIdOf, traceparentOf } from '../observe/trace/context.ts';
import type { Tracer } from '../observe/trace/tracer.ts';
import { requestId } from '../platform/request-id.ts';
import { requireReading, requireScope } from '../accounts/access.ts';
import { consoleRoutes } from './console/routes.ts';
import type { ConsoleDeps } from './console/sign-in.ts';
import { adminRoutes } from './admin/routes.ts';
import type { AdminDeps } from './admin/route.ts';
import { answer, answerJson, answerProblem, exchangeOf } from './answer.ts';
import type { Exchange } from './answer.ts';
import { authenticatedFreely } from './auth.ts';
import { serveDescription, serveReference, serveReferenceFile } from './docs/reference.ts';
import { servePage, toPages } from './docs/serve.ts';
import type { Route } from './openapi/operation.ts';
import { EARLIER_CALL, OUTCOME, USAGE } from './openapi/operations/calls.ts';
import { CHECK, ENHANCED } from './openapi/operations/checks.ts';
import { RESOLVE, STATS } from './openapi/operations/graph.ts';
import { MCP } from './openapi/operations/mcp.ts';
import * as AROUND from './openapi/operations/server.ts';
import { resolveRoute, statsRoute } from './graph/route.ts';
import type { GraphDeps } from './graph/route.ts';
import { mcpRoute } from './mcp/route.ts';
import { serveMetrics } from './metrics.ts';
import type { MetricsDeps } from './metrics.ts';
import { isFailure, problemPage, ProblemError, toProblem } from './problems.ts';
import { requestView, usageView } from './lookups.ts';
import { outcomeIn } from './outcome.ts';
import { validateRoute } from './validate.ts';
import type { ValidateRouteDeps } from './validate.ts';
import type { Awaitable } from '../model.ts';

/** What is told of each request. */
interface Observing {
  log: Log;
  /** Where spans are sent; without one, nothing is traced. */
  tracer?: Tracer | undefined;
}

export interface Ready {
  ready: boolean;
  parts: Record<string, string | number>;
  /** Where several graphs are asked side by side, each by its name. */
  graphs?: Record<string, string> | undefined;
}

export interface ServerDeps
  extends ValidateRouteDeps, GraphDeps, AdminDeps, MetricsDeps, ConsoleDeps, Observing {
  /** One of the account's own earlier calls. */
  callOf(account: string, requestId: string): Awaitable<EarlierCall | undefined>;
  /** Keeps how one of them turned out. */
  tellOutcome(told: { keyId: string; requestId: string; genuine: boolean }): Promise<void>;
  /** What a caller called in a month (`2026-11`); in the one of `now` (milliseconds) where none is named. */
  usageOf(caller: Caller, asked: { month: string | null; now: number }): Awaitable<CallersUsage>;
  /** Whether calls can be served now, part by part. */
  ready(): Ready;
}

/** The whole HTTP side on one screen. A request passes: guard (id, errors, log) → route → auth → body → work. */
export function createHttp(deps: ServerDeps): H3 {
  const app = new H3({ silent: true, onError: (_error, event) => malformed(event, deps) });
  app.use(guard(deps));
  const byPath = Map.groupBy(routesOf(deps), ({ operation }) => operation.path);
  for (const [path, routes] of byPath)
    route(app, path, Object.fromEntries(routes.map(({ operation, handler }) => [operation.method, handler])));
  return app;
}

/** Every route with its declaration, of which /openapi.json is made. */
export function routesOf(deps: ServerDeps): Route[] {
  const routes: Route[] = [
    { operation: CHECK, handler: (event) => validateRoute(event, 'validate', deps) },
    { operation: ENHANCED, handler: (event) => validateRoute(event, 'enhanced', deps) },
    { operation: EARLIER_CALL, handler: (event) => earlierCall(event, deps) },
    { operation: OUTCOME, handler: (event) => tellOutcome(event, deps) },
    { operation: USAGE, handler: (event) => usage(event, deps) },
    { operation: RESOLVE, handler: (event) => resolveRoute(event, deps) },
    { operation: STATS, handler: (event) => statsRoute(event, deps) },
    ...adminRoutes(deps),
    { operation: MCP, handler: (event) => mcpRoute(event, deps) },
    { operation: AROUND.ALIVE, handler: (event) => answerJson(exchangeOf(event), { status: 'ok' }) },
    { operation: AROUND.READY, handler: (event) => readiness(event, deps) },
    { operation: AROUND.METRICS, handler: (event) => serveMetrics(event, deps) },
    { operation: AROUND.PROBLEM_PAGE, handler: explain },
    { operation: AROUND.DESCRIPTION, handler: (event) => serveDescription(event, routes) },
    { operation: AROUND.ROOT, handler: toPages },
    { operation: AROUND.PAGES, handler: servePage },
    { operation: AROUND.PAGE, handler: servePage },
    ...consoleRoutes(deps),
    { operation: AROUND.REFERENCE, handler: serveReference },
    { operation: AROUND.REFERENCE_FILE, handler: serveReferenceFile },
  ];
  return routes;
}

/** Registers a path: its methods, HEAD beside GET, OPTIONS, and 405 with Allow for every other one. */
function route(app: H3, path: string, handlers: Partial<Record<HTTPMethod, EventHandler>>): void {
  const all = { ...handlers, ...(handlers.GET ? { HEAD: handlers.GET } : {}) };
  const allow: [string, string] = ['allow', [...Object.keys(all), 'OPTIONS'].join(', ')];
  for (const [method, handler] of Object.entries(all)) app.on(method as HTTPMethod, path, handler);
  app.options(path, (event) => answer(exchangeOf(event), '', { status: 204, headers: [allow] }));
  app.all(path, () => {
    throw new ProblemError({
      code: 'method_not_allowed',
      detail: 'This address does not take this method.',
      headers: [allow],
    });
  });
}

/** Gives each request its id, turns whatever is thrown into a problem, and writes one log line. */
function guard(observing: Observing): Middleware {
  const { log, tracer } = observing;
  return async (event, next) => {
    const exchange = begin(event, tracer);
    let response: unknown;
    try {
      response = await next();
      if (!(response instanceof Response)) throw notFound('Nothing is at this address.');
    } catch (error) {
      const problem = toProblem(error);
      if (isFailure(problem)) tellFailure(exchange, error, log);
      response = answerProblem(exchange, problem);
    }
    return end(exchange, response as Response, observing);
  };
}

/** What is one of our errors, such as a store that is away, is told by the request's own line: in an outage it is one of very many. */
function tellFailure({ line, requestId }: Exchange, error: unknown, log: Log): void {
  if (error instanceof BonafideError && error.code !== 'internal_error') line.cause = error.message;
  else log.error('failed', error, requestId);
}

function begin(event: H3Event, tracer: Tracer | undefined): Exchange {
  const now = Date.now();
  const id = requestId(now);
  const traceparent = event.req.headers.get('traceparent');
  const trace = tracer?.begin(traceparent);
  const exchange: Exchange = {
    requestId: id,
    now,
    started: performance.now(),
    line: {
      time: now,
      requestId: id,
      method: event.req.method,
      route: event.context.matchedRoute?.route ?? '-',
      status: 0,
      ms: 0,
      trace: trace?.traceId ?? traceIdOf(traceparent),
    },
  };
  if (trace) exchange.trace = trace;
  const passedOn = trace ? traceparentOf(trace) : traceIdOf(traceparent) && traceparent;
  if (passedOn) exchange.traceparent = passedOn;
  event.context.exchange = exchange;
  return exchange;
}

function end(exchange: Exchange, response: Response, { log, tracer }: Observing): Response {
  exchange.line.status = response.status;
  exchange.line.ms = Math.round((performance.now() - exchange.started) * 100) / 100;
  log.request(exchange.line);
  if (exchange.trace) tracer?.end(exchange.trace, exchange.line, exchange.started);
  return response;
}

/** h3 refuses an address with a broken escape before any middleware runs. */
function malformed(event: H3Event, observing: Observing): Response {
  const exchange = begin(event, observing.tracer);
  const detail = 'The address holds an escape that is not UTF-8.';
  return end(exchange, answerProblem(exchange, { code: 'malformed_request', detail }), observing);
}

const notFound = (detail: string) => new ProblemError({ code: 'not_found', detail });

async function earlierCall(event: H3Event, deps: ServerDeps): Promise<Response> {
  const exchange = exchangeOf(event);
  const caller = await authenticatedFreely(event, deps);
  requireReading(caller);
  const found = await deps.callOf(caller.keyId, event.context.params?.id ?? '');
  if (!found) throw notFound('There is no such request of this key.');
  return answerJson(exchange, requestView(found));
}

async function tellOutcome(event: H3Event, deps: ServerDeps): Promise<Response> {
  const exchange = exchangeOf(event);
  const caller = await authenticatedFreely(event, deps);
  requireScope(caller, 'validate');
  const id = event.context.params?.id ?? '';
  if (!(await deps.callOf(caller.keyId, id))) throw notFound('There is no such request of this key.');
  const genuine = await outcomeIn(event);
  await deps.tellOutcome({ keyId: caller.keyId, requestId: id, genuine });
  return answerJson(exchange, { request_id: id, genuine });
}

async function usage(event: H3Event, deps: ServerDeps): Promise<Response> {
  const exchange = exchangeOf(event);
  const caller = await authenticatedFreely(event, deps);
  requireReading(caller);
  const month = monthAsked(event.url.searchParams.get('month'));
  return answerJson(exchange, usageView(await deps.usageOf(caller, { month, now: exchange.now })));
}

function monthAsked(text: string | null): string | null {
  if (text === null || isMonth(text)) return text;
  const detail = 'The query parameter `month` is a month such as `2026-11`.';
  throw new BonafideError('invalid_request', 'The request breaks one rule.', {
    issues: [{ pointer: '', code: 'invalid_month', detail }],
  });
}

function readiness(event: H3Event, deps: ServerDeps): Response {
  const { ready, parts, graphs } = deps.ready();
  const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', ...parts, graphs });
  return answer(exchangeOf(event), body, ready ? {} : { status: 503, headers: [['retry-after', '1']] });
}

function explain(event: H3Event): Response {
  const page = problemPage(event.context.params?.code ?? '');
  if (!page) throw notFound('There is no such problem.');
  return answer(exchangeOf(event), page, { type: 'text/html; charset=utf-8' });
}
