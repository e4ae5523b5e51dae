// valibot schemas as the schemas of an OpenAPI document: those with a title become components, known by it.
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { FIELD_TEXTS, REQUEST_PARTS } from '../schema/request.ts';

export type Json = Record<string, unknown>;

/** Steps of a pipe that say nothing about what may be sent, or say it in a metadata step beside them. */
const SILENT = ['check', 'trim', 'raw_check', 'to_upper_case', 'to_lower_case'];
const REF = '#/components/schemas/';

/** The schemas of bodies and answers, by name; a schema without a title is made where it is used. */
export function toComponents({ sent, answered }: Record<'sent' | 'answered', v.GenericSchema[]>) {
  return {
    ...defs({ ...REQUEST_PARTS, ...titled(sent) }, 'input'),
    ...defs(titled(answered), 'output'),
  };
}

/** A reference to a schema that has a title. */
export function toReference(schema: v.GenericSchema): Json {
  const title = v.getTitle(schema);
  if (title === undefined) throw new Error('A schema of a body or an answer has a title.');
  return { $ref: REF + title };
}

/** The schema of a parameter or a header, which is said in place. */
export function toJsonSchema(schema: v.GenericSchema): Json {
  const { one } = defs({ one: schema }, 'input');
  return one ?? {};
}

function defs(definitions: Record<string, v.GenericSchema>, typeMode: 'input' | 'output') {
  return toJsonSchemaDefs(definitions, {
    typeMode,
    target: 'draft-2020-12',
    ignoreActions: SILENT,
    overrideRef: ({ referenceId }) => REF + referenceId,
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      typeMode === 'input' && valibotSchema.type === 'object' ? requestObject(jsonSchema as Json) : null,
  }) as Record<string, Json>;
}

/** A field of a request that is not known is refused. */
function requestObject({ properties, ...schema }: Json): Json {
  const fields = Object.entries(properties as Record<string, Json>).map(([field, one]) => [
    field,
    {
      ...(field in FIELD_TEXTS ? { description: FIELD_TEXTS[field as keyof typeof FIELD_TEXTS] } : {}),
      ...one,
    },
  ]);
  return { ...schema, properties: Object.fromEntries(fields), additionalProperties: false };
}

/** Every schema with a title that is in these, however deep. */
function titled(schemas: v.GenericSchema[]): Record<string, v.GenericSchema> {
  const found: Record<string, v.GenericSchema> = {};
  const look = (schema: Node) => {
    const title = v.getTitle(schema);
    if (title !== undefined) {
      if (found[title] === schema) return;
      if (found[title] !== undefined) throw new Error(`Two schemas are called ${title}.`);
      found[title] = schema;
    }
    for (const below of within(schema)) look(below);
  };
  for (const schema of schemas) look(schema as Node);
  return found;
}

type Node = v.GenericSchema & {
  entries?: Record<string, Node>;
  wrapped?: Node;
  item?: Node;
  value?: Node;
  options?: unknown[];
};

function within({ type, entries = {}, wrapped, item, value, options = [] }: Node): Node[] {
  const union = type === 'union' ? (options as Node[]) : [];
  return [...Object.values(entries), wrapped, item, value, ...union].filter((one) => one !== undefined);
}
