// Interface of running plugins, the same for built-in plugins (this process) and operator plugins (separate thread). Every call may be
// asynchronous and may fail with a ModelError.
import type { Awaitable } from '../../model.ts';
import type { Ask, ModelContext } from '../plugin/define.ts';
import type { FactName, Facts, AiInsightsPartName } from '../plugin/facts.ts';

/** Options that the plugin accepted, or half a sentence about the problem. */
export type OptionsValidationResult<T> = { ok: true; value: T } | { ok: false; problem: string };

export interface FeatureInput {
  facts: Partial<Facts>;
  brief: unknown;
  options: unknown;
}
export interface PreparedModelQuestion {
  brief: unknown;
  system: string;
  needsModel: boolean;
}
export type ModelAnswerParseResult = { ok: true; value: unknown } | { ok: false; problems: string[] };

export interface FeatureRunner {
  name: string;
  version: string;
  gives: AiInsightsPartName;
  facts: readonly FactName[];
  advice: readonly string[];
  jsonSchema: Record<string, unknown>;
  hasRules: boolean;
  accept(options: unknown): Awaitable<OptionsValidationResult<unknown>>;
  prepare(facts: Partial<Facts>, options: unknown): Awaitable<PreparedModelQuestion>;
  rules(given: FeatureInput): Awaitable<unknown>;
  /** Validates an answer by the feature's schema. */
  parse(answer: unknown): Awaitable<ModelAnswerParseResult>;
  /** Returns the problems of an answer that the checks for all features (guard) do not find. */
  check(answer: unknown, given: FeatureInput): Awaitable<string[]>;
  finish(answer: unknown, given: FeatureInput): Awaitable<unknown>;
}

export interface ModelRunner {
  name: string;
  version: string;
  instant: boolean;
  concurrency: number | undefined;
  /** Validates the options. A plugin may also return the text for the response field `model` (`label`). */
  accept(
    options: unknown,
  ): Awaitable<OptionsValidationResult<{ options: unknown; label: string | undefined }>>;
  start(given: ModelStartOptions): RunningModel;
}
export interface ModelStartOptions {
  name: string;
  options: unknown;
  /** Options from the settings, without defaults. */
  settings: Record<string, unknown>;
  secret: ModelContext['secret'];
}
/** Model that accepts questions. It is opened before the first question, and again after a failure. */
export interface RunningModel {
  generate(ask: Ask): Awaitable<unknown>;
  open(): Awaitable<unknown>;
  close(): Promise<void>;
}
