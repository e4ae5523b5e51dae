import { toJsonSchema } from '@valibot/to-json-schema';
const converted = new WeakMap();
/** A feature's answer schema as JSON Schema (draft 7), converted once. */
export function jsonSchemaOf(feature) {
    const known = converted.get(feature);
    if (known)
        return known;
    const made = toJsonSchema(feature.answer, { errorMode: 'ignore' });
    const { $schema: _, ...schema } = made;
    converted.set(feature, schema);
    return schema;
}
