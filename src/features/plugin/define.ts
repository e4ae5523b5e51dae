// Definitions of feature plugins and model plugins.
import type * as v from 'valibot';
import type { AiInsightsBlocks } from './blocks.ts';
import type { FactName, Facts, AiInsightsPartName } from './facts.ts';
import { toJsonSchema } from '@valibot/to-json-schema';

type Schema = v.GenericSchema;
type Output<S> = S extends Schema ? v.InferOutput<S> : Record<string, never>;

/**
 * Feature plugin. `facts` lists the facts that it needs, and `brief` turns them into the input of a model. `answer` is the schema of the model's
 * answer, and `finish` creates the part of the response from it. `rules` answers the same brief without a model.
 */
export interface FeatureDefinition<
  N extends FactName = FactName,
  O extends Schema = Schema,
  A extends Schema = Schema,
  B = unknown,
  G extends AiInsightsPartName = AiInsightsPartName,
> {
  kind: 'feature';
  /** Name of the feature in settings and logs: lower case, with dashes. */
  name: string;
  version: string;
  /** Part of the response that the feature creates. */
  gives: G;
  /** Facts that the feature receives. `gives` determines which facts it may list. */
  facts: readonly N[];
  /** Schema of the options that an operator may set. Every option needs a default. */
  options?: O;
  answer: A;
  /** Names of the answer's members that contain advice. In such a member, "Check that the email matches" does not count as a statement. */
  advice?: readonly string[];
  brief(facts: Pick<Facts, N>, options: Output<O>): B;
  /** Returns the system prompt of the model. Numbers do not belong in it, but in the result of the function `brief`. */
  system(brief: B, options: Output<O>): string;
  /** Returns false if a model has nothing to explain; then `rules` answers. */
  needsModel?(brief: B): boolean;
  rules?(brief: B, options: Output<O>): v.InferOutput<A>;
  /**
   * Returns the problems of an answer that the checks for all features (guard) do not find: one sentence each. The model gets them when it is asked
   * a second time.
   */
  check?(answer: v.InferOutput<A>, brief: B): string[];
  finish(
    answer: v.InferOutput<A>,
    context: { facts: Pick<Facts, N>; brief: B; options: Output<O> },
  ): AiInsightsBlocks[G];
}

/** Question to a model. `schema` is a JSON Schema (draft 7) for the answer: an object, or the JSON text of an object. */
export interface Ask {
  system: string;
  /** Input from the feature's `brief`. It never contains submitted values, except the two names of name matching. */
  facts: unknown;
  schema: Record<string, unknown>;
  /** Aborted at the deadline, and if the client disconnects. `generate` must settle soon afterwards. */
  signal: AbortSignal;
  /** W3C trace context of the request, for `postJson`. Absent without tracing. */
  traceparent?: string;
  /** First answer of the model and the problems found in it. Set only when the model is asked a second time. */
  repair?: { answer: string; problems: string[] };
  /** Returns the feature's answer without a model. Absent if the feature has no rules. */
  rules?: () => unknown;
}

export interface ModelContext<O = unknown, S = unknown> {
  options: O;
  state: S;
  /** Returns an API key from an environment variable or file that the settings name. Never log the key. */
  secret(from: { env?: string; file?: string }): string | undefined;
}

/** Model plugin: answers a question with an object. Throws a `ModelError` on failure. */
export interface ModelDefinition<O extends Schema = Schema, S = unknown> {
  kind: 'model';
  name: string;
  version: string;
  options?: O;
  /** True if the model runs in this process and answers at once. It then has no deadline, queue or circuit breaker. */
  instant?: boolean;
  /** Returns the value of the response field `model`. Default: the model's name in the settings. */
  label?(options: Output<O>): string;
  /** Maximum number of concurrent calls, if the settings give no other number. Default: 4. */
  concurrency?: number;
  /** Called once before the first question, and again after a failure. Its result becomes `state`. */
  open?(context: Omit<ModelContext<Output<O>>, 'state'>): S | Promise<S>;
  generate(ask: Ask, context: ModelContext<Output<O>, S>): unknown;
  close?(state: S): void | Promise<void>;
}

/** Defines a feature plugin. Use the result as the default export of a file, or as an entry of an exported list. */
export function defineFeature<
  const N extends FactName,
  A extends Schema,
  B,
  G extends AiInsightsPartName,
  O extends Schema = v.GenericSchema<Record<string, never>>,
>(feature: Omit<FeatureDefinition<N, O, A, B, G>, 'kind'>): FeatureDefinition<N, O, A, B, G> {
  return { kind: 'feature', ...feature };
}

/** Defines a model plugin. Use the result as the default export of a file, or as an entry of an exported list. */
export function defineModel<O extends Schema = v.GenericSchema<Record<string, never>>, S = undefined>(
  model: Omit<ModelDefinition<O, S>, 'kind'>,
): ModelDefinition<O, S> {
  return { kind: 'model', ...model };
}

/** Feature plugin without type parameters: only the plugin itself knows the types of its brief and answer. */
export interface AnyFeature extends Omit<FeatureDefinition, 'brief' | 'finish'> {
  brief(facts: Partial<Facts>, options: unknown): unknown;
  finish(answer: unknown, context: { facts: Partial<Facts>; brief: unknown; options: unknown }): object;
}

export type AnyModel = ModelDefinition;

const converted = new WeakMap<AnyFeature, Record<string, unknown>>();

/** Returns the schema of a feature's answer as JSON Schema (draft 7). The result is cached. */
export function getAnswerJsonSchema(feature: AnyFeature): Record<string, unknown> {
  const cachedSchema = converted.get(feature);
  if (cachedSchema) return cachedSchema;
  const jsonSchema = toJsonSchema(feature.answer, { errorMode: 'ignore' }) as Record<string, unknown>;
  const { $schema: _, ...schema } = jsonSchema;
  converted.set(feature, schema);
  return schema;
}
