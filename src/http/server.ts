// The HTTP application with all its routes. A request passes through: guard (id, errors, log line), route, authentication, input, handler.
import { H3, type EventHandler, type H3Event, type HTTPMethod, type Middleware } from 'h3';
import type { UnwrittenRefusal } from '../accounts/model.ts';
import { BonafideError } from '../errors.ts';
import { openLog, type Log } from '../observe/log.ts';
import { parseTraceId, formatTraceparent, type RequestTracer } from '../observe/trace/tracer.ts';
import { createRequestId } from '../platform/request-id.ts';
import { postWarmUpCalls } from '../platform/warm-up.ts';
import { ACCOUNT_ROUTES } from './admin/accounts.ts';
import { EVALUATION_ROUTES } from './admin/evaluations.ts';
import { FEATURE_ROUTES } from './admin/features.ts';
import { FORGET_ROUTES } from './admin/graph/forget.ts';
import { IMPORT_ROUTES } from './admin/graph/imports.ts';
import { MANUAL_LINK_ROUTES } from './admin/graph/manual-links.ts';
import { GRAPH_REPORT_ROUTES } from './admin/graph/overview.ts';
import { PEOPLE_ROUTES } from './admin/graph/people.ts';
import { RECORD_ROUTES } from './admin/graph/records.ts';
import { GRAPH_MAINTENANCE_ROUTES } from './admin/graph/maintenance.ts';
import { API_KEY_ROUTES } from './admin/keys.ts';
import { LOG_ROUTES } from './admin/logs.ts';
import { MAINTENANCE_ROUTES } from './admin/maintenance.ts';
import { PLAN_ROUTES } from './admin/plans.ts';
import type { AdminRouteDeps } from './admin/route.ts';
import { USAGE_ROUTES } from './admin/usage.ts';
import { WATCH_ADMIN_ROUTES } from './admin/watches.ts';
import { WEBHOOK_ROUTES } from './admin/webhooks.ts';
import {
  createTextResponse,
  createProblemResponse,
  getRequestContext,
  type RequestContext,
  TextResponse,
  toFailedRequest,
} from './response.ts';
import { countRefusedRequest, type AuthDeps } from './auth.ts';
import { CALL_HISTORY_AND_USAGE_ROUTES, type CallHistoryAndUsageRouteDeps } from './calls.ts';
import { JOB_ROUTES, type JobsDeps } from './check/jobs.ts';
import { CHECK_ROUTES, type CheckDeps } from './check/route.ts';
import { LIVE_METRICS_ROUTE, type LiveMetricsDeps } from './console/live.ts';
import { CONSOLE_PAGE_ROUTES } from './console/page.ts';
import { CONSOLE_SESSION_ROUTES, type ConsoleSessionDeps } from './console/sign-in.ts';
import { GRAPH_QUERY_ROUTES, type GraphQueryRouteDeps } from './graph.ts';
import { HEALTH_ROUTES, PROBLEM_PAGE_ROUTE, type HealthDeps } from './health.ts';
import { MCP_ROUTE } from './mcp/route.ts';
import { METRICS_ROUTE, type MetricsDeps } from './metrics.ts';
import type { Route } from './openapi/operation.ts';
import { DOCUMENTATION_ROUTES } from './pages.ts';
import { isServerFailure, createNotFoundProblemError, ProblemError, toProblem } from './problems.ts';
import { recordRefusalInContext, toRefusalLogEntry } from './check/refusals.ts';
import { declareApiDescriptionRoute, API_REFERENCE_ROUTES } from './reference.ts';
import { WATCH_ROUTES, type WatchesDeps } from './check/watches.ts';

interface ObserveDeps {
  log: Log;
  /** Receives the tracing spans of requests; undefined if tracing is off. */
  tracer?: RequestTracer | undefined;
  /** Receives each refused call; undefined if refused calls are not logged. */
  addRefusal?: ((refusal: UnwrittenRefusal) => void) | undefined;
}

/** Server parts that every request needs. */
type GuardDeps = ObserveDeps & Pick<AuthDeps, 'failures' | 'addressOf'>;

export type ServerDeps = CheckDeps &
  CallHistoryAndUsageRouteDeps &
  JobsDeps &
  WatchesDeps &
  GraphQueryRouteDeps &
  AdminRouteDeps &
  MetricsDeps &
  HealthDeps &
  ConsoleSessionDeps &
  LiveMetricsDeps &
  ObserveDeps;

export const ROUTES: Route<ServerDeps>[] = [
  ...CHECK_ROUTES,
  ...CALL_HISTORY_AND_USAGE_ROUTES,
  ...JOB_ROUTES,
  ...WATCH_ROUTES,
  ...GRAPH_QUERY_ROUTES,
  ...API_KEY_ROUTES,
  ...PLAN_ROUTES,
  ...ACCOUNT_ROUTES,
  ...USAGE_ROUTES,
  ...LOG_ROUTES,
  ...FEATURE_ROUTES,
  ...MAINTENANCE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...WATCH_ADMIN_ROUTES,
  ...GRAPH_REPORT_ROUTES,
  ...PEOPLE_ROUTES,
  ...FORGET_ROUTES,
  ...MANUAL_LINK_ROUTES,
  ...GRAPH_MAINTENANCE_ROUTES,
  ...RECORD_ROUTES,
  ...IMPORT_ROUTES,
  ...EVALUATION_ROUTES,
  MCP_ROUTE,
  ...HEALTH_ROUTES,
  METRICS_ROUTE,
  PROBLEM_PAGE_ROUTE,
  declareApiDescriptionRoute(() => ROUTES),
  ...DOCUMENTATION_ROUTES,
  ...CONSOLE_PAGE_ROUTES,
  LIVE_METRICS_ROUTE,
  ...CONSOLE_SESSION_ROUTES,
  ...API_REFERENCE_ROUTES,
];

export function createHttpApp(deps: ServerDeps): H3 {
  const app = new H3({ silent: true, onError: (_error, event) => malformed(event, deps) });
  app.use(guard(deps));
  for (const [path, routes] of Map.groupBy(ROUTES, ({ path }) => path)) {
    const handlers = routes.map(({ method, handle }): [string, EventHandler] => [
      method,
      (event) => handle(event, deps),
    ]);
    registerPath(app, path, Object.fromEntries(handlers));
  }
  return app;
}

/** Registers the handlers of a path by method. Adds HEAD for GET, and OPTIONS. Other methods get 405 with the header Allow. */
function registerPath(app: H3, path: string, handlers: Partial<Record<HTTPMethod, EventHandler>>): void {
  const all = { ...handlers, ...(handlers.GET ? { HEAD: toHeadHandler(handlers.GET) } : {}) };
  const allow: [string, string] = ['allow', [...Object.keys(all), 'OPTIONS'].join(', ')];
  for (const [method, handler] of Object.entries(all)) app.on(method as HTTPMethod, path, handler);
  app.options(path, (event) =>
    createTextResponse(getRequestContext(event), '', { status: 204, headers: [allow] }),
  );
  app.all(path, () => {
    throw new ProblemError({
      code: 'method_not_allowed',
      detail:
        'This address does not support the HTTP method of the request. The header Allow lists the supported methods.',
      headers: [allow],
    });
  });
}

/** Returns the handler of HEAD. It cancels the stream that GET would send; an open stream counts against the maximum of streams. */
const toHeadHandler =
  (get: EventHandler): EventHandler =>
  async (event) => {
    const response: unknown = await get(event);
    if (response instanceof Response && !(response instanceof TextResponse)) await response.body?.cancel();
    return response;
  };

/** Creates the middleware that gives each request an id, answers errors as problems, and writes one log line. */
function guard(observe: GuardDeps): Middleware {
  const { log, tracer } = observe;
  return async (event, next) => {
    const context = begin(event, tracer);
    let response: unknown;
    try {
      response = await next();
      if (!(response instanceof Response)) throw createNotFoundProblemError();
    } catch (error) {
      const problem = toProblem(error, toFailedRequest(event));
      if (isServerFailure(problem)) logFailure(context, error, log);
      recordRefusalInContext(context, problem, error);
      response = createProblemResponse(context, problem);
    }
    countRefusedRequest(event, observe);
    return end(context, response as Response, observe);
  };
}

/**
 * Logs a failed request. Errors with a known code, such as an unreachable store, appear only in the request's log line, because an outage causes
 * very many.
 */
function logFailure({ line, requestId }: RequestContext, error: unknown, log: Log): void {
  const known = error instanceof ProblemError ? error.cause : error;
  if (known instanceof BonafideError && known.code !== 'internal_error') line.cause = known.message;
  else log.error('failed', error, requestId);
}

function begin(event: H3Event, tracer: RequestTracer | undefined): RequestContext {
  const now = Date.now();
  const id = createRequestId(now);
  const traceparent = event.req.headers.get('traceparent');
  const trace = tracer?.begin(traceparent);
  const context: RequestContext = {
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
      trace: trace?.traceId ?? parseTraceId(traceparent),
    },
  };
  if (trace) context.trace = trace;
  const forwarded = trace ? formatTraceparent(trace) : parseTraceId(traceparent) && traceparent;
  if (forwarded) context.traceparent = forwarded;
  event.context.requestContext = context;
  return context;
}

function end(
  context: RequestContext,
  response: Response,
  { log, tracer, addRefusal }: ObserveDeps,
): Response {
  context.line.status = response.status;
  context.line.ms = Math.round((performance.now() - context.started) * 100) / 100;
  log.request(context.line);
  const refusal = addRefusal && toRefusalLogEntry(context);
  if (refusal) addRefusal(refusal);
  if (context.trace) tracer?.end(context.trace, context.line, context.started);
  return response;
}

/** Answers an address with an invalid escape such as `%zz`, which h3 refuses before any middleware runs. */
function malformed(event: H3Event, observe: ObserveDeps): Response {
  const context = begin(event, observe.tracer);
  const detail = 'The address has a percent-encoding that is not UTF-8. Encode it as UTF-8.';
  return end(context, createProblemResponse(context, { code: 'malformed_request', detail }), observe);
}

const WARM_UP_KEY = 'warm-up';

/**
 * Warms up the server: sends checks of invented people through its routes for at most `maxMs` milliseconds. `deps.validate` must not write the
 * call log.
 */
export async function warmUpServer(deps: ServerDeps, maxMs: number): Promise<void> {
  const app = createHttpApp({
    ...deps,
    findKey: () => ({ keyId: WARM_UP_KEY, account: null, scopes: ['validate'], test: false, plan: null }),
    limiter: {
      enter: () => ({ policies: [], refused: null, quotaUsage: null, leave: () => undefined }),
      getPolicies: () => [],
      abandon: () => undefined,
    },
    log: openLog('silent'),
    addRefusal: undefined,
  });
  const headers = { 'x-api-key': WARM_UP_KEY, 'content-type': 'application/json' };
  await postWarmUpCalls(async (path, body) => {
    await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }));
  }, maxMs);
}
