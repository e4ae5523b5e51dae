// A graph plugin: who a vendor's service knows, told in the words of Bonafide's graph.
import * as v from 'valibot';
import type { ModelContext } from './define.ts';

/** What is looked up. Each value is named by its place among `values`, counted from 0. */
export interface GraphQuestion {
  /** As it was submitted; empty where no name is asked for. */
  name: string;
  values: GraphValue[];
}
export type GraphValue =
  /** An e-mail in lower case; a phone in E.164. */
  | { kind: 'email' | 'phone'; text: string }
  /** Parts that were not given are empty. */
  | {
      kind: 'address';
      line1: string;
      line2: string;
      city: string;
      region: string;
      postalCode: string;
      countryCode: string;
    };

/** Who is known of a question. */
export interface GraphFinding {
  /** How many people the service knows in all: a value that one of them has is as rare as that. */
  total: number;
  /** Who has one of the values, or may bear the name: 256 at most. */
  people: GraphPerson[];
  /** When the newest of its records was last seen. */
  newest?: string | null;
  /** The service's own answer, shown for `operation: "raw"` as it came. */
  payload?: unknown;
}
export interface GraphPerson {
  /** The service's own name for the person, the same in every answer; a text becomes a number of its own. */
  id: string | number;
  /** The primary one first. */
  names: string[];
  /** ISO 8601, in days or to the second. */
  firstSeen?: string | null;
  lastSeen?: string | null;
  /** How many records and sources are behind the person; 1 without a word. */
  records?: number;
  sources?: number;
  /** Which of the values the person has, by their places. */
  has: {
    value: number;
    /** Their main one of its kind; it is unless this is false. */
    primary?: boolean;
    /** How many people have it in all, where the service says; else those of this answer. */
    share?: number;
  }[];
}

type Schema = v.GenericSchema;
type Output<S> = S extends Schema ? v.InferOutput<S> : Record<string, never>;

export interface GraphContext<O = unknown, S = unknown> extends ModelContext<O, S> {
  /** Aborted at the deadline. `lookUp` must settle soon after. */
  signal: AbortSignal;
}

/** A graph behind another's API. It reports trouble by throwing a `ModelError`. */
export interface GraphDefinition<O extends Schema = Schema, S = unknown> {
  kind: 'graph';
  /** What `graph.engine` names. */
  name: string;
  version: string;
  options?: O;
  /** Called once, before the first question; called again if it failed. */
  open?(context: Omit<ModelContext<Output<O>>, 'state'>): S | Promise<S>;
  lookUp(question: GraphQuestion, context: GraphContext<Output<O>, S>): GraphFinding | Promise<GraphFinding>;
  close?(state: S): void | Promise<void>;
}

/** A graph as it was loaded. */
export type AnyGraph = GraphDefinition;

/** Declares a graph plugin; a file's default export, or one of a list. */
export function defineGraph<O extends Schema = v.GenericSchema<Record<string, never>>, S = undefined>(
  graph: Omit<GraphDefinition<O, S>, 'kind'>,
): GraphDefinition<O, S> {
  return { kind: 'graph', ...graph };
}

const MOST_PEOPLE = 256;
const MOST_NAMES = 16;
const MOST_TEXT = 400;
const count = (least: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(least));
const date = v.nullish(
  v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
);
const text = v.pipe(v.string(), v.maxLength(MOST_TEXT));

/** What a finding has to be. */
export const GRAPH_FINDING_SCHEMA = v.object({
  total: count(0),
  people: v.pipe(
    v.array(
      v.object({
        id: v.union([v.pipe(text, v.minLength(1)), count(1)]),
        names: v.pipe(v.array(text), v.maxLength(MOST_NAMES)),
        firstSeen: date,
        lastSeen: date,
        records: v.optional(count(0), 1),
        sources: v.optional(count(0), 1),
        has: v.array(
          v.object({ value: count(0), primary: v.optional(v.boolean(), true), share: v.optional(count(1)) }),
        ),
      }),
    ),
    v.maxLength(MOST_PEOPLE),
  ),
  newest: date,
  payload: v.optional(v.unknown()),
});
