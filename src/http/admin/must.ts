// What a value must be, in words, as its schema has it.
import type { GenericSchema } from 'valibot';
import { inPlace } from '../openapi/convert.ts';

type Node = GenericSchema & { wrapped?: GenericSchema; pipe?: [GenericSchema] };

/** The schema within those that let a value be left out or null. */
export function wrapped(schema: GenericSchema): GenericSchema {
  const { type, wrapped: inner, pipe } = schema as Node;
  if (inner && (type === 'optional' || type === 'nullable')) return wrapped(inner);
  if (pipe && pipe[0] !== schema && pipe[0].type !== type) return wrapped(pipe[0]);
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

/** `a whole number of 1 to 200`. */
export function mustOf(schema: GenericSchema): string {
  return textOf(inPlace(schema) as Described);
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
  if (type === 'object') return bounds.examples ? 'an object' : 'an object as it is described';
  if (format === 'date-time') return 'a time such as 2026-11-22T09:00:00Z';
  if (bounds.maxLength !== undefined) return `a text of at most ${bounds.maxLength} characters`;
  return description === undefined ? 'a text' : 'a text as it is described';
}

const listText = (items: Described['items'], { minItems = 0 }: Described): string =>
  (items?.enum ? `a list of words of ${items.enum.join(', ')}` : 'a list') +
  (minItems > 0 ? ', at least one' : '');

const numberText = ({ minimum, maximum }: Described): string =>
  maximum === undefined
    ? `a whole number of ${minimum ?? 0} or more`
    : `a whole number of ${minimum ?? 0} to ${maximum}`;
