// Whether the server lives and can serve, and the pages of its problems.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { textResponse, jsonResponse, contextOf } from './response.ts';
import { openRoute } from './openapi/operation.ts';
import type { Route } from './openapi/operation.ts';
import { notFound, problemPage } from './problems.ts';
import { namedObject, integer, oneOf } from './schema/parts.ts';

/** State of the server, part by part. */
export interface Ready {
  ready: boolean;
  parts: Record<string, string | number>;
  /** States of the graphs by name, if several graphs are queried in parallel. */
  graphs?: Record<string, string> | undefined;
}

export interface HealthDeps {
  /** Returns whether calls can be served now. */
  ready(): Ready;
}

const alive = namedObject(
  'Alive',
  { status: v.pipe(v.literal('ok'), v.description('The process lives.')) },
  'The process lives.',
);

const part = (of: string) => oneOf(['ok', 'failed'], of);
export const readinessSchema = namedObject(
  'Readiness',
  {
    status: oneOf(['ready', 'not ready'], 'Whether traffic can be sent.'),
    store: part('Calls can be counted and keys be looked up.'),
    graph: part('The identity graph answers.'),
    warm_up: oneOf(['ok', 'starting'], 'The first calls would be as fast as later ones.'),
    log: part('Log lines arrive. Calls are served without them.'),
    log_lines_lost: integer('Log lines that were not written since the start.'),
    graphs: v.optional(
      v.pipe(
        v.record(v.string(), v.picklist(['ok', 'left_out', 'failed'])),
        v.description(
          'Only where several graphs are asked side by side, each by its name: `left_out` of checks, which are answered without it where they can be, or `failed`, which refuses them.',
        ),
      ),
    ),
  },
  'How the server is, part by part.',
);

export const HEALTH_ROUTES: Route<HealthDeps>[] = [
  openRoute({
    path: '/healthz',
    id: 'getHealth',
    summary: 'Does it live?',
    about: 'Whether the process answers.',
    answers: [{ status: 200, about: 'It lives.', schemas: [alive] }],
    handle: (event) => jsonResponse(contextOf(event), { status: 'ok' }),
  }),
  openRoute({
    path: '/readyz',
    id: 'getReadiness',
    summary: 'Is it ready?',
    about: 'Whether store and graph answer and the server is warm. Send traffic when it says 200.',
    answers: [
      { status: 200, about: 'It is ready.', schemas: [readinessSchema] },
      {
        status: 503,
        about: 'It is not ready; the parts tell why.',
        schemas: [readinessSchema],
        headers: ['Retry-After'],
      },
    ],
    handle: serveReadiness,
  }),
];

export const PROBLEM_PAGE_ROUTE = openRoute({
  path: '/problems/:code',
  id: 'getProblemPage',
  summary: 'A page about an error',
  about: 'What an error code means and what to do; `type` of a problem leads here.',
  pathParts: { code: v.pipe(v.string(), v.regex(/^[a-z_-]+$/), v.description('Code of the error.')) },
  answers: [{ status: 200, about: 'The page.', types: ['text/html'] }],
  errors: ['not_found'],
  handle: serveProblemPage,
});

function serveReadiness(event: H3Event, deps: HealthDeps): Response {
  const { ready, parts, graphs } = deps.ready();
  const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', ...parts, graphs });
  return textResponse(contextOf(event), body, ready ? {} : { status: 503, headers: [['retry-after', '1']] });
}

function serveProblemPage(event: H3Event): Response {
  const page = problemPage(event.context.params?.code ?? '');
  if (!page) throw notFound('There is no such problem.');
  return textResponse(contextOf(event), page, { type: 'text/html; charset=utf-8' });
}
