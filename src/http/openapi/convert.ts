// Converts valibot schemas to JSON schemas of an OpenAPI document. A schema with a title becomes a component of that name.
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { REQUEST_FIELD_DESCRIPTIONS, CHECK_REQUEST_PART_SCHEMAS } from '../schema/request.ts';

export type JsonObject = Record<string, unknown>;

/** Steps of valibot schemas that the JSON schema leaves out, because they add no rule that is not described elsewhere. */
const IGNORED_ACTIONS = ['check', 'trim', 'raw_check', 'to_upper_case', 'to_lower_case'];
const REF = '#/components/schemas/';

/** Converts the schemas of request bodies and answers to OpenAPI components. A schema without a title is written where it is used. */
export function toOpenApiComponents({ sent, answered }: Record<'sent' | 'answered', v.GenericSchema[]>) {
  return {
    ...toDefinitions({ ...CHECK_REQUEST_PART_SCHEMAS, ...findTitled(sent) }, 'input'),
    ...toDefinitions(findTitled(answered), 'output'),
  };
}

/** Returns a `$ref` to the OpenAPI component of a schema. Throws if the schema has no title. */
export function toOpenApiReference(schema: v.GenericSchema): JsonObject {
  const title = v.getTitle(schema);
  if (title === undefined) throw new Error('The schema of a body or an answer needs a title.');
  return { $ref: REF + title };
}

/** Converts the schema of a query parameter, path parameter or header to a JSON schema. */
export const toJsonSchema = (schema: v.GenericSchema): JsonObject =>
  toDefinitions({ schema }, 'input').schema ?? {};

/** Converts the schema of an answer to a JSON schema, which allows unknown fields. */
export const toAnswerJsonSchema = (schema: v.GenericSchema): JsonObject =>
  toDefinitions({ schema }, 'output').schema ?? {};

function toDefinitions(schemas: Record<string, v.GenericSchema>, typeMode: 'input' | 'output') {
  return toJsonSchemaDefs(schemas, {
    typeMode,
    target: 'draft-2020-12',
    ignoreActions: IGNORED_ACTIONS,
    overrideRef: ({ referenceId }) => REF + referenceId,
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      typeMode === 'input' ? toRequestSchema(valibotSchema as Node, jsonSchema as JsonObject) : null,
  }) as Record<string, JsonObject>;
}

const BLANK = { type: 'string', pattern: '^\\s*$' };

/** Returns the JSON schema of a part of a request that accepts all that the server accepts; null to leave it unchanged. */
function toRequestSchema(schema: Node, { default: fallback, ...json }: JsonObject): JsonObject | null {
  if (schema.type === 'object') return toRequestObject(json);
  // Any value that does not fit counts as the default.
  if ('fallback' in schema) return { anyOf: [json, {}], default: fallback };
  // A blank entry of a list counts as absent.
  if (schema.getter?.(undefined).type === 'object' && schema.getter('').type !== 'object')
    return { anyOf: [json, BLANK] };
  return null;
}

/** Adds the descriptions of REQUEST_FIELD_DESCRIPTIONS to the JSON schema of a request object, and forbids unknown fields. */
function toRequestObject({ properties, ...schema }: JsonObject): JsonObject {
  const texts: Record<string, string> = REQUEST_FIELD_DESCRIPTIONS;
  const fields = Object.entries(properties as Record<string, JsonObject>).map(([name, field]) => [
    name,
    { ...(Object.hasOwn(texts, name) ? { description: texts[name] } : {}), ...field },
  ]);
  return { ...schema, properties: Object.fromEntries(fields), additionalProperties: false };
}

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
  getter?: (value: unknown) => Node;
};

function childrenOf({ type, entries = {}, wrapped, item, value, options = [] }: Node): Node[] {
  const union = type === 'union' ? (options as Node[]) : [];
  return [...Object.values(entries), wrapped, item, value, ...union].filter((child) => child !== undefined);
}
