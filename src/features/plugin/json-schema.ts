import { toJsonSchema } from '@valibot/to-json-schema';
import type { AnyFeature } from './define.ts';

const converted = new WeakMap<AnyFeature, Record<string, unknown>>();

/** A feature's answer schema as JSON Schema (draft 7), converted once. */
export function jsonSchemaOf(feature: AnyFeature): Record<string, unknown> {
  const known = converted.get(feature);
  if (known) return known;
  const made = toJsonSchema(feature.answer, { errorMode: 'ignore' }) as Record<string, unknown>;
  const { $schema: _, ...schema } = made;
  converted.set(feature, schema);
  return schema;
}
