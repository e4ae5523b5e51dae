// Types and helpers to declare HTTP operations. Each is declared once, together with its handler: the server serves the declaration, and
// /openapi.json describes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { H3Event } from 'h3';
import type { GenericSchema } from 'valibot';
import { SAMPLE_FOLDER } from '../../platform/assets.ts';
import type { ProblemCode } from '../problems.ts';
import type { OPERATION_SPECIFIC_HEADER_SCHEMAS } from './headers.ts';

/** Declaration of one HTTP operation: parameters, body, answers and errors. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** OpenAPI operation id; generated clients use it as a function name. */
  id: string;
  tag: OperationTag;
  summary: string;
  about: string;
  key: boolean;
  pathParts?: Record<string, GenericSchema>;
  query?: Record<string, GenericSchema>;
  headers?: Record<string, GenericSchema>;
  /** Request body. Its media type is JSON unless `types` lists others. */
  body?: {
    schemas: GenericSchema[];
    examples: () => Record<string, OpenApiExample>;
    types?: readonly string[];
    files?: { schema: GenericSchema; types: readonly string[] };
  };
  answers: AnswerDeclaration[];
  /** Error codes of this operation, besides the codes that all operations have. */
  errors: ProblemCode[];
}

/** HTTP operation with its handler. `Deps` is the type of the server parts that the handler needs. */
export interface Route<Deps = unknown> extends Operation {
  handle(event: H3Event, deps: Deps): Response | Promise<Response>;
}

export interface AnswerDeclaration {
  status: number;
  about: string;
  /** Media types of the answer besides JSON. An answer with `schemas` can be JSON. */
  types?: string[] | undefined;
  /** Schemas of a JSON answer, of which the answer fits at least one. Undefined if the answer is not JSON. */
  schemas?: GenericSchema[];
  lines?: GenericSchema;
  /** Names of the answer's headers, besides those of every answer. */
  headers?: readonly (keyof typeof OPERATION_SPECIFIC_HEADER_SCHEMAS)[] | undefined;
  examples?: () => Record<string, OpenApiExample>;
}

export interface OpenApiExample {
  summary: string;
  value: unknown;
}

export const JSON_BODY_ERROR_CODES = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
] as const satisfies readonly ProblemCode[];

export const AUTHENTICATION_ERROR_CODES = [
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'store_unavailable',
] as const satisfies readonly ProblemCode[];

export const GRAPH_ERROR_CODES = [
  'graph_bad_response',
  'graph_unavailable',
  'graph_timeout',
] as const satisfies readonly ProblemCode[];

type DeclaredByTarget = 'method' | 'path' | 'id' | 'key';
type RouteDeclaration<Deps> = Omit<Route<Deps>, DeclaredByTarget | 'errors'> & Partial<Pick<Route, 'errors'>>;

/** Method and path of a route, such as `GET /v1/jobs/:id`. */
type RouteTarget = `${Operation['method']} /${string}`;
function splitTarget(target: RouteTarget): Pick<Operation, 'method' | 'path'> {
  const [method, path = ''] = target.split(' ') as [Operation['method'], string];
  return { method, path };
}

/** Declares a route that needs an API key. `id` is the operation id. */
export const declareRoute = <Deps>(
  target: RouteTarget,
  id: string,
  declaration: RouteDeclaration<Deps>,
): Route<Deps> => ({ ...splitTarget(target), id, key: true, errors: [], ...declaration });

/** Declares a route that needs no API key. Its default tag is `Server`. */
export const declarePublicRoute = <Deps>(
  target: RouteTarget,
  id: string,
  declaration: Omit<RouteDeclaration<Deps>, 'tag'> & Partial<Pick<Route, 'tag'>>,
): Route<Deps> => ({ ...declareRoute(target, id, { tag: 'Server', ...declaration }), key: false });

export const declareHtmlAnswers = (about: string): AnswerDeclaration[] => [
  { status: 200, about, types: ['text/html'] },
];

type OperationTag = keyof typeof OPERATION_TAG_DESCRIPTIONS;

/** Tags (groups of operations) of the API description, each with a description. */
export const OPERATION_TAG_DESCRIPTIONS = {
  Checks: 'The two checks.',
  'Your calls': 'Your earlier calls, their outcomes, and your usage.',
  Watches: 'Claims that are checked again when records behind them change, and your events.',
  Graph: 'The identity graph of this server, for servers that have it as their upstream.',
  Administration:
    'For the operator: needs a live key with the scope `admin`. Every change is in the audit log.',
  Agents: 'For programs that speak the Model Context Protocol.',
  Console: 'The operator’s pages in a browser, and their sessions.',
  Server: 'State of the server, its documentation and this description.',
} as const;

/** Example check about an invented person: request and answer. `node test/docs/calls.ts` writes the file of examples. */
export interface SampleCall {
  name: string;
  summary: string;
  path: string;
  request: object;
  /** Answer to the request. `request_id` and the numbers of days differ from call to call. */
  answer: object;
}

const readSampleCalls = (): SampleCall[] =>
  JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'calls.json'), 'utf8')) as SampleCall[];

export const readRequestExamples = (): Record<string, OpenApiExample> =>
  Object.fromEntries(
    readSampleCalls().map(({ name, summary, request }) => [name, { summary, value: request }]),
  );

/** Returns the example answers of one operation by name, as OpenAPI examples. */
export function readAnswerExamples(operation: 'check' | 'enhanced'): Record<string, OpenApiExample> {
  const calls = readSampleCalls().filter(
    ({ path }) => path.includes('/enhanced') === (operation === 'enhanced'),
  );
  return Object.fromEntries(calls.map(({ name, summary, answer }) => [name, { summary, value: answer }]));
}
