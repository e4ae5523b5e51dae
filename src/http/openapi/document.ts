import type { GenericSchema } from 'valibot';
import { getPackageVersion } from '../../platform/assets.ts';
import { toProblemJsonText, getProblemHeaders, PROBLEMS, type ProblemCode } from '../problems.ts';
import { problemSchema } from '../schema/builders.ts';
import { toOpenApiComponents, toJsonSchema, toOpenApiReference, type JsonObject } from './convert.ts';
import {
  COMMON_RESPONSE_HEADER_SCHEMAS,
  CALLER_LIMIT_HEADER_SCHEMAS,
  OPERATION_SPECIFIC_HEADER_SCHEMAS,
} from './headers.ts';
import { AUTHENTICATION_ERROR_CODES, OPERATION_TAG_DESCRIPTIONS, type Operation } from './operation.ts';

const ABOUT = `Identity trust verification: how far a name, e-mails, phones and addresses belong together and to one person.

Send a key with every request, as \`X-API-Key: KEY\` or \`Authorization: Bearer KEY\`. A test key (\`bf_test_…\`) is answered from
a sample of invented people, which the examples are about, and is never counted. Every answer has \`X-Request-Id\`. An address that
is not listed here answers 404 \`not_found\`, a method that an address does not take 405 \`method_not_allowed\` with \`Allow\`; both are
problems like those below. HEAD works wherever GET does. The [field reference](/docs/fields) explains every field.`;

/**
 * Returns the OpenAPI document for the operations. Throws if an operation is declared twice, or if the schema of a body or answer has no title.
 */
export function buildApiDescription(operations: Operation[]): JsonObject {
  const answered = operations.flatMap(({ answers }) =>
    answers.flatMap(({ schemas = [], lines }) => [...schemas, ...(lines ? [lines] : [])]),
  );
  const sent = operations.flatMap(({ body }) => body?.schemas ?? []);
  const headers = {
    ...COMMON_RESPONSE_HEADER_SCHEMAS,
    ...CALLER_LIMIT_HEADER_SCHEMAS,
    ...OPERATION_SPECIFIC_HEADER_SCHEMAS,
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Bonafide', version: getPackageVersion(), description: ABOUT },
    servers: [{ url: '/', description: 'This server.' }],
    tags: Object.entries(OPERATION_TAG_DESCRIPTIONS)
      .filter(([name]) => operations.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    security: [],
    paths: toPaths(operations),
    components: {
      schemas: toOpenApiComponents({ sent, answered: [...answered, problemSchema] }),
      headers: Object.fromEntries(Object.entries(headers).map(([name, schema]) => [name, toHeader(schema)])),
      examples: problemExamples(),
      responses: {
        NotFound: toProblemResponse('not_found'),
        MethodNotAllowed: toProblemResponse('method_not_allowed', 'Allow'),
      },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
      },
    },
  };
}

function toPaths(operations: Operation[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const methods = (paths[path] ??= {});
    const method = operation.method.toLowerCase();
    if (method in methods) throw new Error(`${operation.method} ${operation.path} is declared twice.`);
    methods[method] = toPathItem(operation);
  }
  return paths;
}

function toPathItem(operation: Operation): JsonObject {
  const { id, tag, summary, about, key, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: about,
    ...(key ? { security: [{ key: [] }, { bearer: [] }] } : {}),
    parameters: toParameters(operation),
    ...(body ? { requestBody: { required: true, content: toRequestContent(body) } } : {}),
    responses: toResponses(operation),
  };
}

function toParameters({ pathParts = {}, query = {}, headers = {} }: Operation): JsonObject[] {
  const toList = (location: string, schemas: Record<string, GenericSchema>) =>
    Object.entries(schemas).map(([name, parameter]) => {
      const { description, ...schema } = toJsonSchema(parameter);
      const required = location === 'path' || parameter.type !== 'optional';
      return { name, in: location, required, description, schema };
    });
  return [...toList('path', pathParts), ...toList('query', query), ...toList('header', headers)];
}

function toRequestContent({
  schemas,
  examples,
  types = ['application/json'],
  files,
}: NonNullable<Operation['body']>) {
  const media = toMedia(schemas, examples());
  const file = files && { schema: toJsonSchema(files.schema) };
  return Object.fromEntries([
    ...types.map((type) => [type, media]),
    ...(files?.types ?? []).map((type) => [type, file]),
  ]);
}

const JSON_LINES = 'application/x-ndjson';

function toResponses({ answers, errors, key, headers: sent = {} }: Operation): JsonObject {
  const responses: Record<string, JsonObject> = {};
  const limits = key ? Object.keys(CALLER_LIMIT_HEADER_SCHEMAS) : [];
  for (const { status, about, types = [], schemas = [], lines, headers = [], examples } of answers) {
    const json = schemas.length > 0 ? { 'application/json': toMedia(schemas, examples?.()) } : {};
    const content = {
      ...json,
      ...Object.fromEntries(types.map((type) => [type, {}])),
      ...(lines && { [JSON_LINES]: toMedia([lines]) }),
    };
    responses[status] = { description: about, headers: toHeaderRefs([...limits, ...headers]), content };
  }
  const isByVersion = 'Accept-Version' in sent && answers.some(({ headers }) => headers?.includes('Vary'));
  const vary = isByVersion ? ['Vary'] : [];
  const codes: ProblemCode[] = [...COMMON_ERRORS, ...(key ? AUTHENTICATION_ERROR_CODES : []), ...errors];
  for (const [status, codesOfStatus] of Map.groupBy(codes, (code) => PROBLEMS[code].status)) {
    const answer = responses[status];
    const content = { ...(answer?.content as JsonObject | undefined), ...toProblemContent(codesOfStatus) };
    const description = codesOfStatus.map((code) => PROBLEMS[code].title).join('; ');
    const limitsShown = status === 401 ? [] : limits;
    const headers = toHeaderRefs([...limitsShown, ...codesOfStatus.flatMap(headerNames), ...vary]);
    responses[status] = answer ? { ...answer, content } : { description, headers, content };
  }
  return responses;
}

const COMMON_ERRORS: ProblemCode[] = ['malformed_request', 'internal_error'];

function toMedia(schemas: GenericSchema[], examples?: Record<string, unknown>): JsonObject {
  const refs = schemas.map(toOpenApiReference);
  const schema = refs.length === 1 ? refs[0] : { anyOf: refs };
  return { schema, ...(examples ? { examples } : {}) };
}

function toHeader(schema: GenericSchema): JsonObject {
  const { description, ...rest } = toJsonSchema(schema);
  return { description, schema: rest };
}

function toHeaderRefs(names: string[]): JsonObject {
  const all = [...Object.keys(COMMON_RESPONSE_HEADER_SCHEMAS), ...new Set(names)];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const CANONICAL_NAMES = new Map(
  Object.keys(OPERATION_SPECIFIC_HEADER_SCHEMAS).map((name) => [name.toLowerCase(), name]),
);
const headerNames = (code: ProblemCode) =>
  getProblemHeaders(code).flatMap(([name]) => CANONICAL_NAMES.get(name) ?? []);

function toProblemResponse(code: ProblemCode, ...headers: string[]): JsonObject {
  const { title } = PROBLEMS[code];
  return { description: title, headers: toHeaderRefs(headers), content: toProblemContent([code]) };
}

function toProblemContent(codes: ProblemCode[]): JsonObject {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }],
  };
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return { 'application/problem+json': { schema, examples } };
}

const EXAMPLE_ID = 'req_01kajw9m2e7r0q4s6t8v3x5y7z';
const EXAMPLE_ISSUE = {
  pointer: '/phones/0',
  code: 'invalid_phone',
  detail: 'A phone number has 10 to 15 digits. Add the country code to a shorter one.',
};

function problemExamples(): JsonObject {
  const toExample = (code: ProblemCode): unknown => {
    const errors = code === 'invalid_request' ? [EXAMPLE_ISSUE] : undefined;
    return JSON.parse(toProblemJsonText({ code, detail: PROBLEMS[code].help, errors }, EXAMPLE_ID));
  };
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return Object.fromEntries(
    codes.map((code) => [code, { summary: PROBLEMS[code].title, value: toExample(code) }]),
  );
}
