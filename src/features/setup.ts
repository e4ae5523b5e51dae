// Settings + plugins → features ready to run.
import { toJsonSchema } from '@valibot/to-json-schema';
import { BonafideError } from '../errors.ts';
import type { AnyFeature } from './define.ts';
import type { Slot } from './facts.ts';
import type { Plugins } from './load.ts';
import { createModel, modelSettingsOf, parseOptions } from './models.ts';
import type { Model } from './models.ts';
import { slots } from './settings.ts';
import type { Settings } from './settings.ts';

/** A feature as the settings stand, for people: `features list` and the admin API. */
export interface FeatureStatus {
  feature: Slot;
  on: boolean;
  plugin: string;
  model: string;
  label: string;
  fallback: 'rules' | null;
  deadline_ms: number;
  breaker: 'closed' | 'open' | 'half_open';
}

/** One feature as the settings have it. */
export interface Ready {
  slot: Slot;
  on: boolean;
  plugin: AnyFeature;
  options: unknown;
  jsonSchema: Record<string, unknown>;
  model: Model;
  rules: Model;
  fallback: 'rules' | null;
  deadlineMs: number;
  status(): FeatureStatus;
}
export interface Setup {
  features: Record<Slot, Ready>;
  models: Map<string, Model>;
}
export interface SetUpOptions {
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
  /** Models in use; kept, with their circuit and their state, where the settings did not change them. */
  before: readonly Model[];
  /** Whether models are opened ahead of the first question; default true. */
  warm?: boolean;
}

const schemas = new WeakMap<AnyFeature, Record<string, unknown>>();

/** A feature's answer schema as JSON Schema, converted once. */
export function jsonSchemaOf(feature: AnyFeature): Record<string, unknown> {
  const known = schemas.get(feature);
  if (known) return known;
  const { $schema: _, ...schema } = toJsonSchema(feature.answer, { errorMode: 'ignore' }) as Record<
    string,
    unknown
  >;
  schemas.set(feature, schema);
  return schema;
}

/** @throws BonafideError `invalid_config` naming the feature and what its settings get wrong */
export function setUp(
  settings: Settings,
  plugins: Plugins,
  { env, now, before, warm = true }: SetUpOptions,
): Setup {
  const models = new Map<string, Model>();
  const modelOf = (name: string): Model => {
    const configured = modelSettingsOf(name, settings, plugins.models);
    const kept = before.find(
      (model) => model.name === name && model.fingerprint === JSON.stringify(configured),
    );
    const model =
      models.get(name) ?? kept ?? createModel(name, configured, { models: plugins.models, env, now });
    models.set(name, model);
    return model;
  };
  const readyOf = (slot: Slot): Ready => {
    const {
      on,
      plugin: pluginName,
      model: modelName,
      fallback,
      deadline_ms: deadlineMs,
      options,
    } = settings.features[slot];
    const plugin = plugins.features.get(pluginName);
    if (!plugin || plugin.gives !== slot) {
      const fitting = [...plugins.features.values()]
        .filter(({ gives }) => gives === slot)
        .map(({ name }) => name);
      throw new BonafideError(
        'invalid_config',
        `${slot} has no plugin "${pluginName}"; there is ${fitting.join(', ')}.`,
      );
    }
    const model = modelOf(modelName);
    if (!plugin.rules && (model.name === 'rules' || fallback)) {
      throw new BonafideError(
        'invalid_config',
        `The plugin "${pluginName}" of ${slot} has no rules of its own; choose a model for it, without a fallback.`,
      );
    }
    return {
      slot,
      on,
      plugin,
      options: parseOptions(plugin.options, options, slot),
      jsonSchema: jsonSchemaOf(plugin),
      model,
      rules: modelOf('rules'),
      fallback,
      deadlineMs,
      status: () => ({
        feature: slot,
        on,
        plugin: pluginName,
        model: modelName,
        label: model.label,
        fallback,
        deadline_ms: deadlineMs,
        breaker: model.breaker.state,
      }),
    };
  };
  const features = Object.fromEntries(slots.map((slot) => [slot, readyOf(slot)])) as Record<Slot, Ready>;
  if (warm) for (const { on, model } of Object.values(features)) if (on) model.warm();
  return { features, models };
}

/** Closes the models that a new set-up no longer holds; all of them without one. */
export async function closeUnused(before: readonly Model[], now: Setup | undefined): Promise<void> {
  const kept = new Set(now?.models.values());
  await Promise.all(before.filter((model) => !kept.has(model)).map((model) => model.close()));
}
