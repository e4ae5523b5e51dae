// What a feature and a model are made of.
import type * as v from 'valibot';
import type { Blocks } from './blocks.ts';
import type { FactName, Facts, Slot } from './facts.ts';
import { toJsonSchema } from '@valibot/to-json-schema';

type Schema = v.GenericSchema;
type Output<S> = S extends Schema ? v.InferOutput<S> : Record<string, never>;

/**
 * A feature: which facts it needs, what it asks a model, how the model's answer becomes a block of the response.
 * `brief` turns facts into the object that a model is shown and that its answer is checked against; `answer` is the
 * schema of what comes back; `finish` makes the block. `rules` answers without a model, from the same brief.
 */
export interface FeatureDefinition<
  N extends FactName = FactName,
  O extends Schema = Schema,
  A extends Schema = Schema,
  B = unknown,
  G extends Slot = Slot,
> {
  kind: 'feature';
  /** Lower case with dashes; what settings and the log call it. */
  name: string;
  version: string;
  /** The block it makes. There are three, and the response has room for no other. */
  gives: G;
  /** Exactly the facts it needs. It is handed these and no others, and a slot limits which it may ask for. */
  facts: readonly N[];
  /** Options an operator may set; every one needs a default. */
  options?: O;
  answer: A;
  /** Keys of the answer that hold advice, where "check that the email matches" is no claim that it does. */
  advice?: readonly string[];
  brief(facts: Pick<Facts, N>, options: Output<O>): B;
  /** What a model is told to do. Figures belong in the brief, not here. */
  system(brief: B, options: Output<O>): string;
  /** False where the facts leave nothing for a model to say: then `rules` answers. */
  needsModel?(brief: B): boolean;
  rules?(brief: B, options: Output<O>): v.InferOutput<A>;
  /** What the answer gets wrong beyond the general guard: one sentence each, shown to the model for its one repair. */
  check?(answer: v.InferOutput<A>, brief: B): string[];
  finish(
    answer: v.InferOutput<A>,
    context: { facts: Pick<Facts, N>; brief: B; options: Output<O> },
  ): Blocks[G];
}

/** One question to a model. `schema` is JSON Schema (draft 7); the answer is an object, or its JSON text. */
export interface Ask {
  system: string;
  /** The brief of the feature. Submitted values are never in it, but for the two names of name matching. */
  facts: unknown;
  schema: Record<string, unknown>;
  /** Aborted at the deadline and when the caller goes away. `generate` must settle soon after. */
  signal: AbortSignal;
  /** W3C trace context of the request that is explained, for `postJson`; not there where nobody traces. */
  traceparent?: string;
  /** Set on the one second try: what came back first, and what was wrong with it. */
  repair?: { answer: string; problems: string[] };
  /** The feature's own deterministic answer, or undefined where it has none. */
  rules?: () => unknown;
}

export interface ModelContext<O = unknown, S = unknown> {
  options: O;
  /** What `open` returned. */
  state: S;
  /** Reads a provider key from the environment variable or the file that the settings name. Never log it. */
  secret(from: { env?: string; file?: string }): string | undefined;
}

/** A model: anything that answers a question with an object. It reports trouble by throwing a `ModelError`. */
export interface ModelDefinition<O extends Schema = Schema, S = unknown> {
  kind: 'model';
  name: string;
  version: string;
  options?: O;
  /** Runs in this process and answers at once: no deadline, queue or circuit breaker. */
  instant?: boolean;
  /** What the response's `model` says. Default: the name that the settings give the model. */
  label?(options: Output<O>): string;
  /** Calls at a time when the settings do not say; default 4. */
  concurrency?: number;
  /** Called once, before the first question; called again if it failed. */
  open?(context: Omit<ModelContext<Output<O>>, 'state'>): S | Promise<S>;
  generate(ask: Ask, context: ModelContext<Output<O>, S>): unknown;
  close?(state: S): void | Promise<void>;
}

/** Declares a feature plugin; a file's default export, or one of a list. */
export function defineFeature<
  const N extends FactName,
  A extends Schema,
  B,
  G extends Slot,
  O extends Schema = v.GenericSchema<Record<string, never>>,
>(feature: Omit<FeatureDefinition<N, O, A, B, G>, 'kind'>): FeatureDefinition<N, O, A, B, G> {
  return { kind: 'feature', ...feature };
}

/** Declares a model plugin; a file's default export, or one of a list. */
export function defineModel<O extends Schema = v.GenericSchema<Record<string, never>>, S = undefined>(
  model: Omit<ModelDefinition<O, S>, 'kind'>,
): ModelDefinition<O, S> {
  return { kind: 'model', ...model };
}

/** A feature as it was loaded: what passes between its own functions is known to itself alone. */
export interface AnyFeature extends Omit<FeatureDefinition, 'brief' | 'finish'> {
  brief(facts: Partial<Facts>, options: unknown): unknown;
  finish(answer: unknown, context: { facts: Partial<Facts>; brief: unknown; options: unknown }): object;
}

/** A model as it was loaded. */
export type AnyModel = ModelDefinition;

const converted = new WeakMap<AnyFeature, Record<string, unknown>>();

/** A feature's answer schema as JSON Schema (draft 7), converted once. */
export function getAnswerJsonSchema(feature: AnyFeature): Record<string, unknown> {
  const known = converted.get(feature);
  if (known) return known;
  const made = toJsonSchema(feature.answer, { errorMode: 'ignore' }) as Record<string, unknown>;
  const { $schema: _, ...schema } = made;
  converted.set(feature, schema);
  return schema;
}
