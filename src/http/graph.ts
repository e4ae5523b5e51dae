// Routes by which another Bonafide server queries the identity graph of this server.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { requireScope } from '../accounts/access.ts';
import type { Caller } from '../accounts/model.ts';
import type { FinishedGraphReport } from '../admin/graph/report-worker.ts';
import { parseJsonObject, type ParsedBody } from '../claim/json.ts';
import { GRAPH_ANSWER_SCHEMA, GRAPH_QUESTION_SCHEMA } from '../graph/wire/schema.ts';
import { graphStatsSchema, toGraphStatsJson } from './admin/graph/overview.ts';
import { createTextResponse, getRequestContext, TEST_MODE_HEADER_PAIR } from './response.ts';
import { authenticate, runWithinCallerLimits, type AuthDeps } from './auth.ts';
import { readBody } from './body.ts';
import { declareRoute, JSON_BODY_ERROR_CODES, GRAPH_ERROR_CODES, type Route } from './openapi/operation.ts';
import { createNotFoundProblemError } from './problems.ts';
import * as s from './schema/builders.ts';

export interface GraphQueryRouteDeps extends AuthDeps {
  /** Graph that other servers may query; null if this server does not offer its graph. Errors: invalid_request, and errors of the graph. */
  served: GraphQueriesForOtherServers | null;
}

/** Queries that other servers may send to this server's graph. `hops` is the number of servers that a query has passed through. */
export interface GraphQueriesForOtherServers {
  resolve(caller: Caller, sent: ParsedBody, hops: number): Promise<object>;
  stats(caller: Caller, hops: number): Promise<FinishedGraphReport<'stats'>>;
}

/** Name of the request header with the number of servers that a query has passed through. */
const HOPS = 'Bonafide-Hops';

const SERVED =
  'Needs the scope `graph`, and a server whose setting `graph` has `serve`; 404 from any other. It counts against no quota.';

const LOOKED_UP = {
  nameAddresses: [
    {
      fullName: 'Nora Ellingsworth',
      address: { line1: '418 Alder Creek Road', city: 'Portland', region: 'OR', postalCode: '97219' },
    },
  ],
  emailAddresses: ['nora.ellingsworth@example.com'],
  phoneNumbers: ['5035550101'],
  region: 'US',
};

const headers = {
  [HOPS]: v.optional(
    s.string('Through how many servers the question came: after three it is refused.', {
      pattern: /^[0-9]$/,
    }),
  ),
};

export const GRAPH_QUERY_ROUTES: Route<GraphQueryRouteDeps>[] = [
  declareRoute('POST /graph/v1/resolve', 'resolveInGraph', {
    tag: 'Graph',
    summary: 'Look values up in the identity graph',
    about: `What a server asks whose \`graph.engine\` is \`upstream\`; see [In front of another graph](/docs/upstream). The answer holds names of people on record. ${SERVED}`,
    headers,
    body: {
      schemas: [GRAPH_QUESTION_SCHEMA],
      examples: () => ({ person: { summary: 'A name and three contacts', value: LOOKED_UP } }),
    },
    answers: [
      {
        status: 200,
        about: 'What the graph holds on them.',
        schemas: [GRAPH_ANSWER_SCHEMA],
        headers: ['Bonafide-Mode'],
      },
    ],
    errors: [
      'forbidden',
      'not_found',
      ...JSON_BODY_ERROR_CODES,
      'overloaded',
      ...GRAPH_ERROR_CODES,
      'graph_circle',
    ],
    handle: (event, deps) =>
      answerQuery(event, deps, async (graph, caller) => {
        const sent = parseJsonObject(await readBody(event));
        return graph.resolve(caller, sent, readHops(event));
      }),
  }),
  declareRoute('GET /graph/v1/stats', 'getGraphStats', {
    tag: 'Graph',
    summary: 'What the identity graph holds',
    about: `In counts. ${SERVED}`,
    headers,
    answers: [{ status: 200, about: 'The counts.', schemas: [graphStatsSchema] }],
    errors: ['forbidden', 'not_found', 'overloaded', ...GRAPH_ERROR_CODES, 'graph_circle'],
    handle: (event, deps) =>
      answerQuery(event, deps, async (graph, caller) =>
        toGraphStatsJson(await graph.stats(caller, readHops(event))),
      ),
  }),
];

async function answerQuery(
  event: H3Event,
  deps: GraphQueryRouteDeps,
  query: (graph: GraphQueriesForOtherServers, caller: Caller) => Promise<object>,
): Promise<Response> {
  const { served } = deps;
  if (!served) throw createNotFoundProblemError();
  const caller = await authenticate(event, deps, { entering: true });
  const work = async () => {
    requireScope(caller, 'graph');
    const body = JSON.stringify(await query(served, caller));
    return createTextResponse(getRequestContext(event), body, {
      headers: caller.test ? [TEST_MODE_HEADER_PAIR] : [],
    });
  };
  return runWithinCallerLimits(event, deps, { caller, work });
}

/** Returns the number of servers that a query has passed through. A header that is not one digit counts as too many. */
const readHops = (event: H3Event): number => {
  const header = event.req.headers.get(HOPS);
  if (header === null) return 0;
  return /^\d$/.test(header) ? Number(header) : Infinity;
};
