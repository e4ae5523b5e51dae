// How an administrative operation is declared: what its schemas say is what its query and body are read by.
import * as v from 'valibot';
import { CURSOR, LIMIT } from '../../../schema/admin/parts.ts';
import type { BodyKind } from '../../../body.ts';
import type { AnswerDeclared, Example, Operation } from '../../operation.ts';

/** An operation whose query and body are read by its schemas. */
export interface AdminOperation<
  Q extends v.ObjectEntries = v.ObjectEntries,
  B extends Body = Body,
> extends Operation {
  /** What stands in its path, if anything does: `key` of `/admin/v1/keys/:id`. */
  of: string;
  /** `own`: the body is no JSON, and the work reads it itself. */
  reads: { query: Q; body: B | null; own: boolean };
}

export type Body = v.GenericSchema<unknown, object> & { entries: v.ObjectEntries };

interface Declared<Q, B> {
  method: Operation['method'];
  /** Below `/admin/v1/`. */
  path: string;
  id: string;
  summary: string;
  about: string;
  of?: string;
  query?: Q;
  body?: B;
  /** In the place of `body`: what is no JSON, as this schema says of its text. */
  own?: { schema: v.GenericSchema<string>; kind: BodyKind };
  examples?: Record<string, Example>;
  /** What it answers, with which status; 200 unless it says another. */
  answers: v.GenericSchema;
  status?: number;
  /** Media types that it answers beside JSON. */
  types?: string[];
  headers?: AnswerDeclared['headers'];
  /** Beside those that follow from what it takes. */
  errors?: Operation['errors'];
}

type NoQuery = Record<never, never>;

export function administrative<Q extends v.ObjectEntries = NoQuery, B extends Body = never>(
  declared: Declared<Q, B>,
): AdminOperation<Q, B> {
  const {
    path,
    of = '',
    query,
    body,
    own,
    examples = {},
    answers,
    status = 200,
    types,
    headers,
    errors = [],
    ...rest
  } = declared;
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  // One that is sent where none is wanted is read too, and refused unless it is empty.
  const takesBody = rest.method !== 'GET';
  const about = `The ${of}’s id, as lists show it.`;
  return {
    ...rest,
    of,
    tag: 'Administration',
    key: true,
    path: `/admin/v1/${path}`,
    pathParts: Object.fromEntries(names.map((name) => [name, v.pipe(v.string(), v.description(about))])),
    ...(query ? { query } : {}),
    ...(body ? { body: { schemas: [body], examples: () => examples } } : {}),
    ...(own ? { body: { schemas: [own.schema], examples: () => examples, types: own.kind.types } } : {}),
    answers: [{ status, about: 'It is so.', schemas: [answers], types, headers }],
    errors: [
      'forbidden',
      'overloaded',
      ...errors,
      ...(of === '' ? [] : (['not_found'] as const)),
      ...(query || takesBody || of ? (['invalid_request'] as const) : []),
      ...(takesBody ? (['body_too_large', 'unsupported_media_type'] as const) : []),
      ...(takesBody && !own ? (['invalid_json'] as const) : []),
    ],
    reads: { query: query ?? ({} as Q), body: body ?? null, own: own !== undefined },
  };
}

/** What every list takes. */
export const PAGING = { limit: LIMIT, cursor: CURSOR };
