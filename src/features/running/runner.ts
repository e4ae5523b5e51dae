// A plugin as the server uses it, wherever its code runs: in this process (Bonafide's own) or in a thread of its own (an
// operator's). Everything may wait, and everything may fail with a ModelError.
import type { Awaitable } from '../../model.ts';
import type { Ask, ModelContext } from '../plugin/define.ts';
import type { FactName, Facts, Slot } from '../plugin/facts.ts';

/** Options as the settings have them, as their plugin takes them; or half a sentence on what is wrong with them. */
export type AcceptedOptions<T> = { ok: true; value: T } | { ok: false; problem: string };

/** What a feature works on in one request. */
export interface FeatureRequestData {
  facts: Partial<Facts>;
  brief: unknown;
  options: unknown;
}
export interface PreparedQuestion {
  brief: unknown;
  /** What a model is told to do. */
  system: string;
  /** False where there is nothing for a model to say. */
  needsModel: boolean;
}
export type ParsedAnswer = { ok: true; value: unknown } | { ok: false; problems: string[] };

export interface FeatureRunner {
  name: string;
  version: string;
  gives: Slot;
  facts: readonly FactName[];
  advice: readonly string[];
  /** The answer's schema as JSON Schema. */
  jsonSchema: Record<string, unknown>;
  hasRules: boolean;
  accept(options: unknown): Awaitable<AcceptedOptions<unknown>>;
  prepare(facts: Partial<Facts>, options: unknown): Awaitable<PreparedQuestion>;
  rules(given: FeatureRequestData): Awaitable<unknown>;
  /** The answer in the feature's own schema. */
  parse(answer: unknown): Awaitable<ParsedAnswer>;
  /** What is wrong with an answer beyond the general guard. */
  check(answer: unknown, given: FeatureRequestData): Awaitable<string[]>;
  finish(answer: unknown, given: FeatureRequestData): Awaitable<unknown>;
}

export interface ModelRunner {
  name: string;
  version: string;
  instant: boolean;
  concurrency: number | undefined;
  /** The options, and what the response's `model` says where the plugin has a word for it. */
  accept(options: unknown): Awaitable<AcceptedOptions<{ options: unknown; label: string | undefined }>>;
  start(given: ModelStartOptions): StartedModel;
}
export interface ModelStartOptions {
  /** The name that the settings give the model. */
  name: string;
  /** What `accept` gave. */
  options: unknown;
  /** What the settings say, defaults aside. */
  settings: Record<string, unknown>;
  secret: ModelContext['secret'];
}
/** A model that can be asked. Its state is opened before the first question, and again where that did not succeed. */
export interface StartedModel {
  generate(ask: Ask): Awaitable<unknown>;
  /** Opens the state ahead of the first question. */
  open(): Awaitable<unknown>;
  close(): Promise<void>;
}
