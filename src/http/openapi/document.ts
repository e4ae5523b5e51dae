// The OpenAPI document, made of the operations that the server serves.
import type { GenericSchema } from 'valibot';
import { packageVersion } from '../../platform/assets.ts';
import { problemHeaders, PROBLEMS, type ProblemCode, problemBody } from '../problems.ts';
import { problemSchema } from '../schema/parts.ts';
import { toComponents, toJsonSchema, toReference, type Json } from './convert.ts';
import { RESPONSE_HEADERS, COMMON_RESPONSE_HEADERS, LIMIT_HEADERS } from './headers.ts';
import { type Operation, TAGS } from './operation.ts';

const ABOUT = `Identity trust verification: how far a name, e-mails, phones and addresses belong together and to one person.

A key goes with every request, as \`X-API-Key: KEY\` or \`Authorization: Bearer KEY\`. A test key (\`bf_test_…\`) is answered from
the sample of invented people that the examples are of, and never counted. Every answer carries \`X-Request-Id\`. An address that
is not here answers 404 \`not_found\`, a method that one does not take 405 \`method_not_allowed\` with \`Allow\`; both are
problems like those below. HEAD is taken where GET is. The [field reference](/docs/fields) tells what each field means.`;

/** The document of these operations. Throws where one is declared twice, or a schema that has to be named is not. */
export function buildApiDescription(operations: Operation[]): Json {
  const answered = operations.flatMap(({ answers }) => answers.flatMap(({ schemas = [] }) => schemas));
  const sent = operations.flatMap(({ body }) => body?.schemas ?? []);
  return {
    openapi: '3.1.0',
    info: { title: 'Bonafide', version: packageVersion(), description: ABOUT },
    servers: [{ url: '/', description: 'This server.' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => operations.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    security: [],
    paths: pathsOf(operations),
    components: {
      schemas: toComponents({ sent, answered: [...answered, problemSchema] }),
      headers: Object.fromEntries(
        Object.entries({ ...COMMON_RESPONSE_HEADERS, ...LIMIT_HEADERS, ...RESPONSE_HEADERS }).map(
          ([name, schema]) => [name, header(schema)],
        ),
      ),
      examples: buildProblemExamples(),
      responses: {
        NotFound: problemResponse('not_found'),
        MethodNotAllowed: problemResponse('method_not_allowed', 'Allow'),
      },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
      },
    },
  };
}

function problemResponse(code: ProblemCode, ...headers: string[]): Json {
  return {
    description: PROBLEMS[code].title,
    headers: headerRefs(headers),
    content: toProblemContent([code]),
  };
}

function pathsOf(operations: Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const methods = (paths[path] ??= {});
    const method = operation.method.toLowerCase();
    if (method in methods) throw new Error(`${operation.method} ${operation.path} is declared twice.`);
    methods[method] = described(operation);
  }
  return paths;
}

function described(operation: Operation): Json {
  const { id, tag, summary, about, key, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: about,
    ...(key ? { security: [{ key: [] }, { bearer: [] }] } : {}),
    parameters: parametersOf(operation),
    ...(body ? { requestBody: { required: true, content: bodyOf(body) } } : {}),
    responses: responsesOf(operation),
  };
}

function parametersOf({ pathParts = {}, query = {}, headers = {} }: Operation): Json[] {
  const of = (place: string, schemas: Record<string, GenericSchema>) =>
    Object.entries(schemas).map(([name, schema]) => {
      const { description, ...rest } = toJsonSchema(schema);
      const required = place === 'path' || schema.type !== 'optional';
      return { name, in: place, required, description, schema: rest };
    });
  return [...of('path', pathParts), ...of('query', query), ...of('header', headers)];
}

function responsesOf(operation: Operation): Json {
  const { answers, errors, key } = operation;
  const responses: Record<string, Json> = {};
  const limits = key ? Object.keys(LIMIT_HEADERS) : [];
  for (const { status, about, types = [], schemas = [], headers = [], examples } of answers) {
    const others = Object.fromEntries(types.map((type) => [type, {}]));
    const content = { ...(schemas.length > 0 ? json(schemas, examples?.()) : {}), ...others };
    responses[status] = { description: about, headers: headerRefs([...limits, ...headers]), content };
  }
  const codes: ProblemCode[] = [...OF_ALL, ...(key ? WITH_KEY : []), ...errors];
  for (const [status, of] of Map.groupBy(codes, (code) => PROBLEMS[code].status)) {
    const before = responses[status];
    const content = { ...(before?.content as Json | undefined), ...toProblemContent(of) };
    const description = of.map((code) => PROBLEMS[code].title).join('; ');
    const headers = headerRefs([...(Number(status) === 401 ? [] : limits), ...of.flatMap(headerNames)]);
    responses[status] = before ? { ...before, content } : { description, headers, content };
  }
  return responses;
}

/** What can go wrong with any request, and with any that needs a key. */
const OF_ALL = ['malformed_request', 'internal_error'] satisfies ProblemCode[];
const WITH_KEY = [
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'store_unavailable',
] satisfies ProblemCode[];

const CANONICAL = new Map(Object.keys(RESPONSE_HEADERS).map((name) => [name.toLowerCase(), name]));
const headerNames = (code: ProblemCode) =>
  problemHeaders(code).flatMap(([name]) => CANONICAL.get(name) ?? []);

function headerRefs(names: string[]): Json {
  const all = [...Object.keys(COMMON_RESPONSE_HEADERS), ...new Set(names)];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(schema: GenericSchema): Json {
  const { description, ...rest } = toJsonSchema(schema);
  return { description, schema: rest };
}

function bodyOf({ schemas, examples, types = ['application/json'] }: NonNullable<Operation['body']>): Json {
  const described = media(schemas, examples());
  return Object.fromEntries(types.map((type) => [type, described]));
}

const json = (schemas: GenericSchema[], examples?: Record<string, unknown>): Json => ({
  'application/json': media(schemas, examples),
});

function media(schemas: GenericSchema[], examples?: Record<string, unknown>): Json {
  const refs = schemas.map(toReference);
  const schema = refs.length === 1 ? refs[0] : { anyOf: refs };
  return { schema, ...(examples ? { examples } : {}) };
}

// Problems as the document has them: for each status the codes that it may carry, with an example of each.
const ID = 'req_01kajw9m2e7r0q4s6t8v3x5y7z';

/** The content of an answer that carries one of these codes, which have one status. */
function toProblemContent(codes: ProblemCode[]): Json {
  const only = { properties: { code: { enum: codes } } };
  const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, only] };
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return { 'application/problem+json': { schema, examples } };
}

/** An example of each, by its code. */
function buildProblemExamples(): Record<ProblemCode, Json> {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const pairs = codes.map((code) => [code, { summary: PROBLEMS[code].title, value: example(code) }]);
  return Object.fromEntries(pairs) as Record<ProblemCode, Json>;
}

function example(code: ProblemCode): unknown {
  const errors =
    code === 'invalid_request'
      ? [{ pointer: '/phones/0', code: 'invalid_phone', detail: 'A phone number has 10 to 15 digits.' }]
      : undefined;
  return JSON.parse(problemBody({ code, detail: PROBLEMS[code].help, errors }, ID));
}
