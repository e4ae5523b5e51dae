// What an administrative request asks, read by the schemas of its operation. Nothing that was sent is repeated.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { parseJsonObject } from '../../claim/json.ts';
import { BonafideError } from '../../errors.ts';
import type { ValidationIssue } from '../../errors.ts';
import { readBytes } from '../body.ts';
import { mustOf, wrapped } from './must.ts';
import type { Body } from '../openapi/operations/admin/parts.ts';

/** Errors: invalid_request. */
export function queryIn<Q extends v.ObjectEntries>(
  { searchParams }: URL,
  entries: Q,
): v.InferOutput<v.ObjectSchema<Q, undefined>> {
  const issues: ValidationIssue[] = [];
  const values: Record<string, unknown> = {};
  for (const name of new Set(searchParams.keys())) {
    const [text = '', ...more] = searchParams.getAll(name);
    const schema = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (!schema) issues.push(unknownParameter(Object.keys(entries)));
    else if (more.length > 0) issues.push(wrongParameter(name, 'there once'));
    else values[name] = asType(schema as v.GenericSchema, text);
  }
  const result = v.safeParse(v.object(entries), values);
  if (!result.success)
    for (const name of fieldsOf(result.issues))
      issues.push(wrongParameter(name, mustOf(entries[name] as v.GenericSchema)));
  if (issues.length > 0) throw broken(issues);
  return result.output as v.InferOutput<v.ObjectSchema<Q, undefined>>;
}

/** A query is text: numbers and booleans are read from it where the schema has them. */
function asType(schema: v.GenericSchema, text: string): unknown {
  const { type } = wrapped(schema);
  if (type === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const wrongParameter = (name: string, must: string): ValidationIssue => ({
  pointer: '',
  code: `invalid_${name}`,
  detail: `The query parameter \`${name}\` must be ${must}.`,
});

const unknownParameter = (known: string[]): ValidationIssue => ({
  pointer: '',
  code: 'unknown_parameter',
  detail:
    known.length === 0
      ? 'This address takes no query parameter.'
      : `The query parameters here are ${named(known)}, and no others.`,
});

/**
 * The body, where the operation takes one; without any it is an empty one.
 *
 * Errors: invalid_request, invalid_json, body_too_large, unsupported_media_type.
 */
export async function bodyIn<B extends Body>(event: H3Event, schema: B | null): Promise<v.InferOutput<B>> {
  const fields = schema ?? NO_FIELDS;
  const isEmpty = event.req.method === 'GET' || event.req.method === 'HEAD' || isWithoutBody(event);
  const bytes = isEmpty ? NO_BYTES : await readBytes(event);
  const isNothing = isEmpty || (bytes.length === 0 && v.is(fields, {}));
  const { value, issues } = isNothing ? EMPTY : parseJsonObject(bytes);
  return read(value, fields, issues) as v.InferOutput<B>;
}
const NO_BYTES = new Uint8Array();
const EMPTY = { value: {}, issues: [] };
const NO_FIELDS = v.object({});

/** An operation whose every field may be left out needs no body, whatever kind of body many a client says it is. */
const isWithoutBody = ({ req: { headers } }: H3Event): boolean =>
  headers.get('content-length') === '0' ||
  ['content-type', 'content-length', 'transfer-encoding'].every((name) => !headers.has(name));

function read<B extends Body>(
  value: Record<string, unknown>,
  schema: B,
  before: ValidationIssue[],
): v.InferOutput<B> {
  const issues = [...before];
  const known = Object.keys(schema.entries);
  if (Object.keys(value).some((name) => !known.includes(name)))
    issues.push({
      pointer: '',
      code: 'unknown_field',
      detail:
        known.length === 0
          ? 'This address takes no fields.'
          : `The fields here are ${named(known)}, and no others.`,
    });
  const result = v.safeParse(schema, value);
  if (!result.success)
    for (const name of fieldsOf(result.issues))
      issues.push({
        pointer: `/${name}`,
        code: Object.hasOwn(value, name) ? `invalid_${name}` : 'missing_field',
        detail: `${Object.hasOwn(value, name) ? 'It' : 'It is missing: it'} must be ${mustOf(schema.entries[name] as v.GenericSchema)}.`,
      });
  if (issues.length > 0) throw broken(issues);
  return result.output as v.InferOutput<B>;
}

/** The fields that broke a rule, each once. A schema's own entries: no name that was sent. */
const fieldsOf = (issues: readonly v.BaseIssue<unknown>[]): string[] => [
  ...new Set(issues.map(({ path }) => String(path?.[0]?.key))),
];

const named = (names: string[]): string => names.map((name) => `\`${name}\``).join(', ');

function broken(issues: ValidationIssue[]): BonafideError {
  const rules = issues.length === 1 ? 'one rule' : `${issues.length} rules`;
  return new BonafideError('invalid_request', `The request breaks ${rules}.`, { issues });
}
