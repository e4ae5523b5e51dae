// Routes about the health and readiness of the server, and the pages that explain error codes.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { declareHtmlAnswers, declarePublicRoute, type Route } from './openapi/operation.ts';
import { createNotFoundProblemError, renderProblemPage } from './problems.ts';
import { getRequestContext, createJsonResponse, createTextResponse } from './response.ts';
import * as s from './schema/builders.ts';

/** State of each server part that is needed to answer calls. */
interface ServerReadiness {
  ready: boolean;
  parts: Record<string, string | number>;
  /** State of each graph by its name; undefined if the server has only one graph. */
  graphs?: Record<string, string> | undefined;
  /** State of each AI feature that is off because its plugin is missing; undefined if no feature is off. */
  features?: Record<string, string> | undefined;
}

export interface HealthDeps {
  ready(): ServerReadiness;
}

const healthSchema = s.openApiObject('Alive', 'The process answers.', {
  status: v.pipe(v.literal('ok'), v.description('The process answers.')),
});

const part = (about: string) => s.oneOf(['ok', 'failed'], about);
export const readinessSchema = s.openApiObject('Readiness', 'State of the server, part by part.', {
  status: s.oneOf(['ready', 'not ready'], 'Whether traffic can be sent.'),
  store: part('`ok` if calls can be counted and keys can be looked up.'),
  graph: part('`ok` if the identity graph answers.'),
  warm_up: s.oneOf(['ok', 'starting'], '`ok` if the first calls will be as fast as later ones.'),
  log: part('`ok` if log lines are written. Calls are served without them.'),
  log_lines_lost: s.integer('Number of log lines that could not be written since the start.'),
  graphs: v.optional(
    s.record(
      v.picklist(['ok', 'left_out', 'failed']),
      'Only if several graphs are queried in parallel: their states by name. `left_out`: checks are answered without the graph if possible. `failed`: checks are refused.',
    ),
  ),
  features: v.optional(
    s.record(
      v.picklist(['plugin_missing']),
      'Only if an AI feature is off because its plugin is missing. Checks are answered without the feature.',
    ),
  ),
});

export const HEALTH_ROUTES: Route<HealthDeps>[] = [
  declarePublicRoute('GET /healthz', 'getHealth', {
    summary: 'Check liveness',
    about: 'Whether the process answers.',
    answers: [{ status: 200, about: 'The process answers.', schemas: [healthSchema] }],
    handle: (event) => createJsonResponse(getRequestContext(event), { status: 'ok' }),
  }),
  declarePublicRoute('GET /readyz', 'getReadiness', {
    summary: 'Check readiness',
    about: 'Whether store and graph answer and the server is warm. Send traffic when the status is 200.',
    answers: [
      { status: 200, about: 'The server is ready.', schemas: [readinessSchema] },
      {
        status: 503,
        about: 'The server is not ready; the parts tell why.',
        schemas: [readinessSchema],
        headers: ['Retry-After'],
      },
    ],
    handle: serveReadiness,
  }),
];

export const PROBLEM_PAGE_ROUTE = declarePublicRoute('GET /problems/:code', 'getProblemPage', {
  summary: 'A page about an error code',
  about: 'What an error code means and what to do. `type` of a problem is the address of its page.',
  pathParts: { code: s.string('The error code.', { pattern: /^[a-z_-]+$/ }) },
  answers: declareHtmlAnswers('The page.'),
  errors: ['not_found'],
  handle: serveProblemPage,
});

function serveReadiness(event: H3Event, deps: HealthDeps): Response {
  const { ready, parts, graphs, features } = deps.ready();
  const context = getRequestContext(event);
  // A starting server is not ready, but it is not faulty either.
  const isStarting = parts['warm_up'] !== 'ok' && parts['store'] !== 'failed' && parts['graph'] !== 'failed';
  if (!ready && isStarting) context.line.level = 'info';
  const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', ...parts, graphs, features });
  return createTextResponse(context, body, ready ? {} : { status: 503, headers: [['retry-after', '1']] });
}

function serveProblemPage(event: H3Event): Response {
  const page = renderProblemPage(event.context.params?.code ?? '');
  if (!page) throw createNotFoundProblemError('There is no error code of this name.');
  return createTextResponse(getRequestContext(event), page, { type: 'text/html; charset=utf-8' });
}
