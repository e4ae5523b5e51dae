// valibot schemas as schemas of an OpenAPI document. A schema with a title becomes a component of that name.
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { FIELD_TEXTS, REQUEST_PARTS } from '../schema/request.ts';

export type JsonObject = Record<string, unknown>;

/** Steps of a pipe that restrict nothing, or whose restriction a metadata step says. */
const IGNORED_ACTIONS = ['check', 'trim', 'raw_check', 'to_upper_case', 'to_lower_case'];
const REF = '#/components/schemas/';

/** Returns the components of the schemas of bodies and answers. A schema without a title is part of the schema that uses it. */
export function toComponents({ sent, answered }: Record<'sent' | 'answered', v.GenericSchema[]>) {
  return {
    ...toDefinitions({ ...REQUEST_PARTS, ...findTitled(sent) }, 'input'),
    ...toDefinitions(findTitled(answered), 'output'),
  };
}

/** Returns a reference to the component of a schema. Throws if the schema has no title. */
export function toComponentReference(schema: v.GenericSchema): JsonObject {
  const title = v.getTitle(schema);
  if (title === undefined) throw new Error('The schema of a body or an answer needs a title.');
  return { $ref: REF + title };
}

/** Returns the JSON schema of a parameter or a header. */
export const toJsonSchema = (schema: v.GenericSchema): JsonObject =>
  toDefinitions({ schema }, 'input').schema ?? {};

function toDefinitions(schemas: Record<string, v.GenericSchema>, typeMode: 'input' | 'output') {
  return toJsonSchemaDefs(schemas, {
    typeMode,
    target: 'draft-2020-12',
    ignoreActions: IGNORED_ACTIONS,
    overrideRef: ({ referenceId }) => REF + referenceId,
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      typeMode === 'input' && valibotSchema.type === 'object'
        ? toRequestObject(jsonSchema as JsonObject)
        : null,
  }) as Record<string, JsonObject>;
}

/** Adds the texts of FIELD_TEXTS to an object of a request, which refuses unknown fields. */
function toRequestObject({ properties, ...schema }: JsonObject): JsonObject {
  const texts: Record<string, string> = FIELD_TEXTS;
  const fields = Object.entries(properties as Record<string, JsonObject>).map(([name, field]) => [
    name,
    { ...(Object.hasOwn(texts, name) ? { description: texts[name] } : {}), ...field },
  ]);
  return { ...schema, properties: Object.fromEntries(fields), additionalProperties: false };
}

/** Returns every schema with a title inside the given ones, by title. */
function findTitled(schemas: v.GenericSchema[]): Record<string, v.GenericSchema> {
  const titled: Record<string, v.GenericSchema> = {};
  const visit = (schema: Node) => {
    const title = v.getTitle(schema);
    if (title !== undefined) {
      if (titled[title] === schema) return;
      if (titled[title] !== undefined) throw new Error(`Two schemas have the title ${title}.`);
      titled[title] = schema;
    }
    for (const child of childrenOf(schema)) visit(child);
  };
  for (const schema of schemas) visit(schema as Node);
  return titled;
}

type Node = v.GenericSchema & {
  entries?: Record<string, Node>;
  wrapped?: Node;
  item?: Node;
  value?: Node;
  options?: unknown[];
};

function childrenOf({ type, entries = {}, wrapped, item, value, options = [] }: Node): Node[] {
  const union = type === 'union' ? (options as Node[]) : [];
  return [...Object.values(entries), wrapped, item, value, ...union].filter((child) => child !== undefined);
}
