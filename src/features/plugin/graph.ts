// Definition of a graph plugin: it queries a vendor's service and returns the people found in Bonafide's form.
import * as v from 'valibot';
import type { ModelContext } from './define.ts';

/** Query to a graph plugin. The index in `values` identifies a value in the answer. */
export interface GraphQuestion {
  /** Name as submitted; empty if the query has no name. */
  name: string;
  values: GraphQuestionValue[];
}
export type GraphQuestionValue =
  /** E-mail in lower case, or phone in E.164. */
  | { kind: 'email' | 'phone'; text: string }
  /** Address. Parts that were not submitted are empty. */
  | {
      kind: 'address';
      line1: string;
      line2: string;
      city: string;
      region: string;
      postalCode: string;
      countryCode: string;
    };

/** Answer to a graph query: the people whom the service knows for it. */
export interface GraphFinding {
  /** Number of people in the service, from which the rarity of a value is computed. */
  total: number;
  /** People who have one of the values, or perhaps the name; at most 256. */
  people: GraphPerson[];
  /** Date of the newest record in the service. */
  newest?: string | null;
  /** Original answer of the service, returned unchanged by `operation: "raw"`. */
  payload?: unknown;
}
export interface GraphPerson {
  /** Id of the person in the service, the same in every answer. A text becomes a number. */
  id: string | number;
  /** Names of the person, the primary name first. */
  names: string[];
  /** Date or time of the person's first record in ISO 8601. */
  firstSeen?: string | null;
  lastSeen?: string | null;
  /** Number of the person's records; `sources` is the number of their sources. Default: 1. */
  records?: number;
  sources?: number;
  /** Queried values that the person has. `value` is the index in the query's `values`. */
  has: {
    value: number;
    /** True (the default) if the value is the person's main value of its kind. */
    primary?: boolean;
    /** Number of people in the whole graph of the plugin who have this value. Default: the number of such people in this answer. */
    share?: number;
    /** Date or time when the person was last seen with the value. Default: `lastSeen` of the person. */
    lastSeen?: string | null;
  }[];
}

type Schema = v.GenericSchema;
type Output<S> = S extends Schema ? v.InferOutput<S> : Record<string, never>;

export interface GraphContext<O = unknown, S = unknown> extends ModelContext<O, S> {
  /** Aborted at the deadline. `lookUp` must settle soon afterwards. */
  signal: AbortSignal;
}

/** Graph plugin for the API of a data vendor. Throws a `ModelError` on failure. */
export interface GraphDefinition<O extends Schema = Schema, S = unknown> {
  kind: 'graph';
  /** Name of the graph in the setting `graph.engine`. */
  name: string;
  version: string;
  options?: O;
  /** Called once before the first query, and again after a failure. Its result becomes `state`. */
  open?(context: Omit<ModelContext<Output<O>>, 'state'>): S | Promise<S>;
  lookUp(question: GraphQuestion, context: GraphContext<Output<O>, S>): GraphFinding | Promise<GraphFinding>;
  close?(state: S): void | Promise<void>;
}

/** Graph plugin with any types of options and state. */
export type AnyGraph = GraphDefinition;

/** Defines a graph plugin. Use the result as the default export of a file, or as an entry of an exported list. */
export function defineGraph<O extends Schema = v.GenericSchema<Record<string, never>>, S = undefined>(
  graph: Omit<GraphDefinition<O, S>, 'kind'>,
): GraphDefinition<O, S> {
  return { kind: 'graph', ...graph };
}

const MAX_PEOPLE = 256;
const MAX_NAMES = 16;
const MAX_TEXT = 400;
const count = (least: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(least));
const date = v.nullish(
  v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
);
const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));

export const GRAPH_PLUGIN_ANSWER_SCHEMA = v.object({
  total: count(0),
  people: v.pipe(
    v.array(
      v.object({
        id: v.union([v.pipe(text, v.minLength(1)), count(1)]),
        names: v.pipe(v.array(text), v.maxLength(MAX_NAMES)),
        firstSeen: date,
        lastSeen: date,
        records: v.optional(count(0), 1),
        sources: v.optional(count(0), 1),
        has: v.array(
          v.object({
            value: count(0),
            primary: v.optional(v.boolean(), true),
            share: v.optional(count(1)),
            lastSeen: date,
          }),
        ),
      }),
    ),
    v.maxLength(MAX_PEOPLE),
  ),
  newest: date,
  payload: v.optional(v.unknown()),
});
