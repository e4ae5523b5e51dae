// Validates answers against the schemas of the API description with an independent validator.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

export type Json = Record<string, unknown>;
export interface Described {
  operationId: string;
  tags: string[];
  summary?: string;
  description?: string;
  security?: Json[];
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Json }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers: Json; content: Record<string, Media> }>;
}
export interface Media {
  schema?: Json;
  examples?: Record<string, { summary?: string; value?: unknown; $ref?: string }>;
}
export interface Document {
  openapi: string;
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, Json>;
    headers: Record<string, Json>;
    examples: Record<string, { value: unknown }>;
    responses: Json;
  };
}

/** Returns a schema whose objects allow no undescribed properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, below]) => [key, closed(below)]));
  const open = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return open ? { ...copy, additionalProperties: false } : copy;
}

export interface Validator {
  /** Returns the faults of an answer as sentences; an empty list if the description allows the answer. */
  faults(answer: Answered): string[];
  /** Returns true if a value is valid by a schema of the document. */
  takes(schema: Json, value: unknown): boolean;
  /** Returns the schema of a reference, or the schema itself. */
  resolved(schema: Json): Json;
}
export interface Answered {
  method: string;
  /** Path as in the document: `/v1/requests/{id}`. */
  path: string;
  response: Response;
  body: string;
}

const AJV_OPTIONS = {
  strict: true,
  strictTypes: false,
  validateFormats: false,
  allErrors: true,
  // Most validators run a few times: their code takes longer to optimise than to run, and each definition is compiled once, where it is not inlined.
  inlineRefs: false,
  code: { optimize: false },
};

const validators = new Map<string, Validator>();

/** Returns the validator of a document. Documents with the same content share one. */
export function validatorOf(document: Document): Validator {
  const text = JSON.stringify(document);
  const known = validators.get(text) ?? buildValidator(document);
  validators.set(text, known);
  return known;
}

function buildValidator(document: Document): Validator {
  const ajv = new Ajv2020(AJV_OPTIONS);
  ajv.addSchema({ $id: 'doc', $defs: absolute(closed(document.components.schemas)) } as Json);
  const compiled = new Map<string, ValidateFunction>();
  const compile = (schema: Json) => {
    // Hundreds of answers have the same schema.
    const text = JSON.stringify(schema);
    const known = compiled.get(text) ?? ajv.compile(absolute(schema) as Json);
    compiled.set(text, known);
    return known;
  };
  const takes = (schema: Json, value: unknown) => compile(schema)(value);
  return {
    takes,
    resolved: (schema) =>
      typeof schema.$ref === 'string'
        ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
        : schema,
    faults({ method, path, response, body }) {
      const declared = document.paths[path]?.[method.toLowerCase()]?.responses[response.status];
      const at = `${method} ${path} ${response.status}`;
      if (!declared) return [`${at} is not described`];
      const missing = Object.keys(declared.headers).filter(
        (name) => ALWAYS.has(name) && !response.headers.has(name),
      );
      const unknown = [...response.headers.keys()].filter(
        (name) =>
          !OF_HTTP.has(name) && !Object.keys(declared.headers).some((one) => one.toLowerCase() === name),
      );
      const type = response.headers.get('content-type')?.split(';')[0] ?? '';
      const media = declared.content[type];
      const faults = [
        ...missing.map((name) => `${at} lacks ${name}`),
        ...unknown.map((name) => `${at} has the header ${name}`),
      ];
      if (!media) return [...faults, `${at} is of the type ${type}`];
      if (!media.schema) return faults;
      const check = compile(media.schema);
      // An answer in JSON Lines is described by the schema of a line.
      const texts = type === 'application/x-ndjson' ? body.split('\n').filter(Boolean) : [body];
      const errors = texts.flatMap((text) => (check(JSON.parse(text)) ? [] : (check.errors ?? [])));
      return [...faults, ...errors.map((error) => `${at}${error.instancePath} ${error.message}`)];
    },
  };
}

const ALWAYS = new Set(['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options', 'Allow', 'Location']);
/** Headers about the transfer of an answer, which the document does not describe. */
const OF_HTTP = new Set([
  'content-type',
  'content-length',
  'connection',
  'date',
  'keep-alive',
  'content-security-policy',
  'referrer-policy',
]);

/** Returns a schema whose references point to the schemas that the validator knows as `doc`. */
function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, below]) =>
      key === '$ref' && typeof below === 'string'
        ? [key, below.replace('#/components/schemas/', 'doc#/$defs/')]
        : [key, absolute(below)],
    ),
  );
}

/** Returns every operation of the document with method and path. */
export const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
