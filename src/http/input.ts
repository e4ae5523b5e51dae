// Validates query and JSON body of a request by the schemas of its operation. No error message contains a value of the request.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { parseJsonObject } from '../claim/json.ts';
import { invalidRequestError } from '../claim/parse.ts';
import { MAX_LISTED_ISSUES, createUnknownFieldIssue } from '../claim/rules.ts';
import type { ValidationIssue } from '../errors.ts';
import { readBody } from './body.ts';
import { toJsonSchema } from './openapi/convert.ts';

export type BodySchema = v.GenericSchema<unknown, object> & { entries: v.ObjectEntries };

/** Returns the query parameters of an address, validated by `entries`, which has one schema per parameter. Errors: invalid_request. */
export function parseQueryParameters<Q extends v.ObjectEntries>(
  url: URL,
  entries: Q,
): v.InferOutput<v.ObjectSchema<Q, undefined>> {
  const searchParams = getUnvalidatedSearchParams(url);
  const issues = findQueryParameterIssues(searchParams, Object.keys(entries));
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(entries)) {
    const texts = searchParams.getAll(name);
    if (texts.length === 1) values[name] = asType(schema as v.GenericSchema, texts[0] ?? '');
  }
  const result = v.safeParse(v.object(entries), values);
  if (!result.success)
    for (const name of fieldsOf(result.issues))
      issues.push(wrongParameter(name, ruleOf(entries[name] as v.GenericSchema)));
  if (issues.length > 0) throw invalidRequestError(issues);
  return result.output as v.InferOutput<v.ObjectSchema<Q, undefined>>;
}

/** Maximum number of query parameters of a request. No route has so many, and parsing thousands costs more than a check. */
const MAX_PARAMETERS = 100;

/** Returns the query parameters of an address, not validated. Errors: invalid_request if there are more than `MAX_PARAMETERS`. */
export function getUnvalidatedSearchParams(url: URL): URLSearchParams {
  if (url.search.split('&', MAX_PARAMETERS + 1).length <= MAX_PARAMETERS) return url.searchParams;
  const detail = `A request has at most ${MAX_PARAMETERS} query parameters.`;
  throw invalidRequestError([{ pointer: '', code: 'unknown_parameter', detail }]);
}

/** Returns one issue for each query parameter that is unknown or was sent more than once. */
export function findQueryParameterIssues(
  searchParams: URLSearchParams,
  known: readonly string[],
): ValidationIssue[] {
  const names = [...searchParams.keys()].slice(0, MAX_LISTED_ISSUES);
  return [...new Set(names)].flatMap((name) => {
    if (!known.includes(name)) return [unknownParameter(known)];
    return names.indexOf(name) === names.lastIndexOf(name) ? [] : [repeatedParameter(name)];
  });
}

/** Converts the text of a query parameter to a number or boolean if the schema expects one. */
function asType(schema: v.GenericSchema, text: string): unknown {
  const { type } = unwrapped(schema);
  if (type === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const wrongParameter = (name: string, rule: string): ValidationIssue => ({
  pointer: '',
  code: `invalid_${name}`,
  detail: `The query parameter \`${name}\` must be ${rule}.`,
});

const repeatedParameter = (name: string): ValidationIssue => ({
  pointer: '',
  code: `invalid_${name}`,
  detail: `The query parameter \`${name}\` must be sent only once.`,
});

const unknownParameter = (known: readonly string[]): ValidationIssue => ({
  pointer: '',
  code: 'unknown_parameter',
  detail:
    known.length === 0
      ? 'This address takes no query parameters.'
      : `The request has an unknown query parameter. This address takes only ${listed(known)}.`,
});

/**
 * Returns the JSON body of a request, validated by a schema. A missing body counts as an empty object; a null schema allows no fields. Errors:
 * invalid_request, invalid_json, body_too_large, unsupported_media_type.
 */
export async function readJsonBody<B extends BodySchema>(
  event: H3Event,
  schema: B | null,
): Promise<v.InferOutput<B>> {
  const fields = schema ?? NO_FIELDS;
  const isEmpty = event.req.method === 'GET' || event.req.method === 'HEAD' || isWithoutBody(event);
  const bytes = isEmpty ? NO_BYTES : await readBody(event);
  const isNothing = isEmpty || (bytes.length === 0 && v.is(fields, {}));
  const { value, issues } = isNothing ? EMPTY : parseJsonObject(bytes);
  return parseObjectFields(value, fields, issues) as v.InferOutput<B>;
}
const NO_BYTES = new Uint8Array();
const EMPTY = { value: {}, issues: [] };
const NO_FIELDS = v.object({});

/** True if a request has no body, even if it has a Content-Type or a Content-Length of 0. */
const isWithoutBody = ({ req: { headers } }: H3Event): boolean =>
  headers.get('content-length') === '0' ||
  ['content-type', 'content-length', 'transfer-encoding'].every((name) => !headers.has(name));

/** Returns the fields of an object, validated by a schema. Errors: invalid_request, which also lists the issues already found. */
export function parseObjectFields<B extends BodySchema>(
  value: Record<string, unknown>,
  schema: B,
  before: ValidationIssue[],
): v.InferOutput<B> {
  const issues = [...before];
  const knownParameters = Object.keys(schema.entries);
  for (const name of Object.keys(value).slice(0, MAX_LISTED_ISSUES)) {
    if (knownParameters.includes(name)) continue;
    if (knownParameters.length > 0) issues.push(createUnknownFieldIssue(name, knownParameters));
    else issues.push({ pointer: '', code: 'unknown_field', detail: 'The body must have no fields.' });
  }
  const result = v.safeParse(schema, value);
  if (!result.success)
    for (const name of fieldsOf(result.issues))
      issues.push({
        pointer: `/${name}`,
        code: Object.hasOwn(value, name) ? `invalid_${name}` : 'missing_field',
        detail: `The field \`${name}\` ${Object.hasOwn(value, name) ? '' : 'is missing. It '}must be ${ruleOf(schema.entries[name] as v.GenericSchema)}.`,
      });
  if (issues.length > 0) throw invalidRequestError(issues);
  return result.output as v.InferOutput<B>;
}

/** Returns the name of each known field that breaks a rule. Unknown names are left out, because the client chose them. */
const fieldsOf = (issues: readonly v.BaseIssue<unknown>[]): string[] => [
  ...new Set(issues.map(({ path }) => String(path?.[0]?.key))),
];

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

type Node = v.GenericSchema & {
  wrapped?: v.GenericSchema;
  pipe?: [v.GenericSchema, ...{ type: string; message?: unknown }[]];
};

/** Removes the wrappers `optional` and `nullable` of a schema, and returns the inner schema. */
function unwrapped(schema: v.GenericSchema): v.GenericSchema {
  const { type, wrapped: inner, pipe } = schema as Node;
  if (inner && (type === 'optional' || type === 'nullable')) return unwrapped(inner);
  if (pipe && pipe[0] !== schema && pipe[0].type !== type) return unwrapped(pipe[0]);
  return schema;
}

interface Described {
  type?: string;
  enum?: unknown[];
  anyOf?: Described[];
  items?: Described;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  format?: string;
  description?: string;
  examples?: unknown[];
}

/** Describes the rule of a schema in words, such as `a whole number from 1 to 200`. */
function ruleOf(schema: v.GenericSchema): string {
  const { pipe = [] } = unwrapped(schema) as Node;
  const form = pipe.find(
    ({ type, message }: { type: string; message?: unknown }) => type === 'regex' && message,
  );
  return form ? String((form as { message?: unknown }).message) : textOf(toJsonSchema(schema) as Described);
}

function textOf(described: Described): string {
  const [example] = described.examples ?? [];
  return kindOf(described) + (example === undefined ? '' : `, such as ${JSON.stringify(example)}`);
}

function kindOf({ type, anyOf, items, format, description, ...bounds }: Described): string {
  if (anyOf) return anyOf.map(textOf).join(', or ');
  if (bounds.enum) return `one of ${bounds.enum.join(', ')}`;
  if (type === 'array') return listText(items, bounds);
  if (type === 'integer') return numberText(bounds);
  if (type === 'boolean') return 'true or false';
  if (type === 'null') return 'null';
  if (type === 'object') return bounds.examples ? 'an object' : 'an object with the documented fields';
  if (format === 'date-time') return 'a time such as 2026-11-22T09:00:00Z';
  if (bounds.maxLength !== undefined) return `a string of at most ${bounds.maxLength} characters`;
  return description === undefined ? 'a string' : 'a string in the documented format';
}

const listText = (items: Described['items'], { minItems = 0 }: Described): string =>
  (items?.enum ? `a list of these values: ${items.enum.join(', ')}` : 'a list') +
  (minItems > 0 ? ', with at least one item' : '');

const numberText = ({ minimum, maximum }: Described): string =>
  maximum === undefined
    ? `a whole number of at least ${minimum ?? 0}`
    : `a whole number from ${minimum ?? 0} to ${maximum}`;
