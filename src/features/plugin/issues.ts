// Descriptions of the problems that a schema finds in the values of a plugin: key, type and allowed values.
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

interface ValueSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: ValueSchema[];
  properties?: Record<string, ValueSchema>;
  items?: ValueSchema;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/**
 * Describes the problems that a schema found in a value: path, type and allowed values. Never contains the value itself, which may be a secret.
 */
export function listSchemaIssueSentences(
  schema: v.GenericSchema,
  issues: readonly v.BaseIssue<unknown>[],
): string[] {
  const root = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' }) as ValueSchema;
  return [...new Set(issues.map((issue) => describeIssue(root, issue)))];
}

function describeIssue(root: ValueSchema, issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) => key);
  const path = v.getDotPath(issue) ?? 'the value';
  if (issue.expected === 'never') {
    const knownKeys = Object.keys(findValueSchema(root, keys.slice(0, -1))?.properties ?? {});
    return `${path} is not known${knownKeys.length === 0 ? '' : `; the keys are ${knownKeys.join(', ')}`}`;
  }
  const must = `must be ${describeType(findValueSchema(root, keys) ?? {})}`;
  return issue.received === 'undefined' ? `${path} is missing; it ${must}` : `${path} ${must}`;
}

function findValueSchema(root: ValueSchema, keys: unknown[]): ValueSchema | undefined {
  let node: ValueSchema | undefined = root;
  for (const key of keys) {
    const options: ValueSchema[] = node?.anyOf ?? (node ? [node] : []);
    node = options
      .map(({ properties, items }) => (typeof key === 'number' ? items : properties?.[String(key)]))
      .find((below) => below !== undefined);
  }
  return node;
}

/** Describes the values that a schema accepts, such as `a text of 1 to 600 characters`. */
function describeType(node: ValueSchema): string {
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (node.anyOf) return node.anyOf.map(describeType).join(' or ');
  switch (node.type) {
    case 'string':
      if (node.format === 'date-time') return 'a time such as "2026-11-20T12:00:00Z"';
      return `a text${describeRange(node.minLength, node.maxLength, ' characters')}`;
    case 'array': {
      const item = node.items ? `, each ${describeType(node.items)}` : '';
      return `a list${describeRange(node.minItems, node.maxItems, ' entries')}${item}`;
    }
    case 'integer':
      return `a whole number${describeRange(node.minimum, node.maximum)}`;
    case 'number':
      return `a number${describeRange(node.minimum, node.maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'object':
      return `an object with the keys ${Object.keys(node.properties ?? {}).join(', ')}`;
    default:
      return 'a value that its schema accepts';
  }
}

function describeRange(min: number | undefined, max: number | undefined, unit = ''): string {
  if (max === undefined) return min === undefined ? '' : ` of at least ${min}${unit}`;
  return min === undefined ? ` of at most ${max}${unit}` : ` of ${min} to ${max}${unit}`;
}
