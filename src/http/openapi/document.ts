// The OpenAPI document, made of the operations that the server serves.
import type { GenericSchema } from 'valibot';
import { packageVersion } from '../../platform/assets.ts';
import { problemHeaders, PROBLEMS } from '../problems.ts';
import type { ProblemCode } from '../problems.ts';
import { problem } from '../schema/parts.ts';
import { componentsOf, inPlace, refTo } from './convert.ts';
import type { Json } from './convert.ts';
import { ANSWER_HEADERS, EVERY_ANSWER, WITH_KEY_ANSWER } from './headers.ts';
import type { Operation } from './operation.ts';
import { TAGS } from './operation.ts';
import { problemExamples, problemsOf } from './problems.ts';

const ABOUT = `Identity trust verification: how far a name, e-mails, phones and addresses belong together and to one person.

A key goes with every request, as \`X-API-Key: KEY\` or \`Authorization: Bearer KEY\`. A test key (\`bf_test_…\`) is answered from
the sample of invented people that the examples are of, and never counted. Every answer carries \`X-Request-Id\`. An address that
is not here answers 404 \`not_found\`, a method that one does not take 405 \`method_not_allowed\` with \`Allow\`; both are
problems like those below. HEAD is taken where GET is. The [field reference](/docs/fields) tells what each field means.`;

/** The document of these operations. Throws where one is declared twice, or a schema that has to be named is not. */
export function describe(operations: Operation[]): Json {
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
      schemas: componentsOf({ sent, answered: [...answered, problem] }),
      headers: Object.fromEntries(
        Object.entries({ ...EVERY_ANSWER, ...WITH_KEY_ANSWER, ...ANSWER_HEADERS }).map(([name, schema]) => [
          name,
          header(schema),
        ]),
      ),
      examples: problemExamples(),
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
  return { description: PROBLEMS[code].title, headers: headerRefs(headers), content: problemsOf([code]) };
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
      const { description, ...rest } = inPlace(schema);
      const required = place === 'path' || schema.type !== 'optional';
      return { name, in: place, required, description, schema: rest };
    });
  return [...of('path', pathParts), ...of('query', query), ...of('header', headers)];
}

function responsesOf(operation: Operation): Json {
  const { answers, errors, key } = operation;
  const responses: Record<string, Json> = {};
  const limits = key ? Object.keys(WITH_KEY_ANSWER) : [];
  for (const { status, about, types = [], schemas = [], headers = [], examples } of answers) {
    const others = Object.fromEntries(types.map((type) => [type, {}]));
    const content = { ...(schemas.length > 0 ? json(schemas, examples?.()) : {}), ...others };
    responses[status] = { description: about, headers: headerRefs([...limits, ...headers]), content };
  }
  const codes: ProblemCode[] = [...OF_ALL, ...(key ? WITH_KEY : []), ...errors];
  for (const [status, of] of Map.groupBy(codes, (code) => PROBLEMS[code].status)) {
    const before = responses[status];
    const content = { ...(before?.content as Json | undefined), ...problemsOf(of) };
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

const CANONICAL = new Map(Object.keys(ANSWER_HEADERS).map((name) => [name.toLowerCase(), name]));
const headerNames = (code: ProblemCode) =>
  problemHeaders(code).flatMap(([name]) => CANONICAL.get(name) ?? []);

function headerRefs(names: string[]): Json {
  const all = [...Object.keys(EVERY_ANSWER), ...new Set(names)];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(schema: GenericSchema): Json {
  const { description, ...rest } = inPlace(schema);
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
  const refs = schemas.map(refTo);
  const schema = refs.length === 1 ? refs[0] : { anyOf: refs };
  return { schema, ...(examples ? { examples } : {}) };
}
