// Arbitrary values that match a schema of the OpenAPI description, and values that nearly match.
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Json } from '../openapi.ts';

type Resolve = (schema: Json) => Json;

/** Returns arbitrary values that match the schema. For a pattern, the texts may not match. */
export function fitting(schema: Json, resolve: Resolve): Arbitrary<unknown> {
  const own = resolve(schema);
  const within = (below: unknown) => fitting(below as Json, resolve);
  if (own.const !== undefined) return fc.constant(own.const);
  if (Array.isArray(own.enum)) return fc.constantFrom(...own.enum);
  if (Array.isArray(own.anyOf)) return fc.oneof(...own.anyOf.map(within));
  switch (own.type) {
    case 'string':
      return text(own);
    case 'array':
      return fc.array(within(own.items ?? {}), { maxLength: 4 });
    case 'object':
      return object(own, within);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function text({ format, pattern, maxLength = 40, minLength = 0 }: Json): Arbitrary<string> {
  if (format === 'email') return fc.emailAddress();
  if (pattern !== undefined)
    return fc.oneof(fc.stringMatching(new RegExp(`^(?:${String(pattern)})$`)), fc.string());
  const size = { minLength: Number(minLength), maxLength: Number(maxLength) };
  return fc.oneof(fc.string(size), fc.string({ ...size, unit: 'grapheme' }));
}

function object({ properties = {}, required = [] }: Json, within: (schema: unknown) => Arbitrary<unknown>) {
  const fields = Object.entries(properties as Json).map(([name, below]) => [name, within(below)]);
  return fc.record(Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: required as string[],
  });
}

/** Replaces one part of a value by arbitrary JSON, or adds an unknown field. */
export function astray(value: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.tuple(value, fc.nat(), fc.jsonValue(), fc.string()).map(([one, place, other, field]) => {
    const places = placesOf(one);
    const at = places[place % Math.max(1, places.length)];
    if (!at) return other;
    const [holder, key] = at;
    if (place % 5 === 0 && !Array.isArray(holder))
      Object.defineProperty(holder, field, { value: other, enumerable: true, configurable: true });
    else (holder as Record<string, unknown>)[key] = other;
    return one;
  });
}

function placesOf(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => [
    [value, key] as [object, string],
    ...placesOf(below),
  ]);
}
