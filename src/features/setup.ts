// FeaturesSettings + plugins → features ready to run.
import { BonafideError } from '../errors.ts';
import { SLOTS } from './plugin/facts.ts';
import type { Slot } from './plugin/facts.ts';
import type { PluginRegistry } from './load-plugins.ts';
import { requireAccepted, createConfiguredModel, getModelSettings } from './model.ts';
import type { ConfiguredModel } from './model.ts';
import type { FeatureRunner } from './running/runner.ts';
import type { FeaturesSettings } from './settings.ts';

/** A feature as the settings stand, for people: `features list` and the admin API. */
export interface FeatureStatus {
  feature: Slot;
  on: boolean;
  plugin: string;
  model: string;
  /** Plugin of the model; `rules` for no model. */
  model_plugin: string;
  /** Address of the model's server, without path, query and credentials; null if its options have none. */
  address: string | null;
  label: string;
  fallback: 'rules' | null;
  deadline_ms: number;
  breaker: 'closed' | 'open' | 'half_open';
}

/** One feature as the settings have it. */
export interface ReadyFeature {
  slot: Slot;
  on: boolean;
  plugin: FeatureRunner;
  /** As the plugin takes them. */
  options: unknown;
  model: ConfiguredModel;
  rules: ConfiguredModel;
  fallback: 'rules' | null;
  deadlineMs: number;
  status(): FeatureStatus;
}
export interface FeatureSetup {
  features: Record<Slot, ReadyFeature>;
  /** The narrative without a model: it writes `overview` if the caller left the narrative out. */
  overview: ReadyFeature;
  models: Map<string, ConfiguredModel>;
}
export interface FeatureSetupOptions {
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
  /** Models in use; kept, with their circuit and their state, where the settings did not change them. */
  before: readonly ConfiguredModel[];
  /** Whether models are opened ahead of the first question; default true. */
  warm?: boolean;
}

/** Models by name, each made once and the ones in use kept where their settings are the same. */
function createModelCache(
  settings: FeaturesSettings,
  plugins: PluginRegistry,
  { env, now, before }: FeatureSetupOptions,
) {
  const models = new Map<string, ConfiguredModel>();
  const modelOf = async (name: string): Promise<ConfiguredModel> => {
    const configured = getModelSettings(name, settings, plugins.models);
    const fingerprint = JSON.stringify(configured);
    const kept = before.find((model) => model.name === name && model.fingerprint === fingerprint);
    const host = { models: plugins.models, env, now };
    const model = models.get(name) ?? kept ?? (await createConfiguredModel(name, configured, host));
    models.set(name, model);
    return model;
  };
  return { models, modelOf };
}

/** The feature plugin that a slot's settings name. */
function getFeaturePlugin(slot: Slot, name: string, { features }: PluginRegistry): FeatureRunner {
  const plugin = features.get(name);
  if (plugin?.gives === slot) return plugin;
  const fitting = [...features.values()].filter(({ gives }) => gives === slot);
  const known = fitting.map((one) => one.name).join(', ');
  throw new BonafideError('invalid_config', `${slot} has no plugin "${name}"; there is ${known}.`);
}

/** Returns the plugin of a model, and the address of its server. */
export function describeModel(
  { models }: FeaturesSettings,
  name: string,
): Pick<FeatureStatus, 'model_plugin' | 'address'> {
  const configured = Object.hasOwn(models, name) ? models[name] : undefined;
  const address = Object.values(configured?.options ?? {}).find(isWebAddress);
  return {
    model_plugin: configured?.plugin ?? name,
    address: address === undefined ? null : new URL(address).origin,
  };
}

const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);

async function createReadyFeature(
  slot: Slot,
  settings: FeaturesSettings,
  plugins: PluginRegistry,
  modelOf: (name: string) => Promise<ConfiguredModel>,
): Promise<ReadyFeature> {
  const { on, model: modelName, fallback, deadline_ms: deadlineMs, ...chosen } = settings.features[slot];
  const plugin = getFeaturePlugin(slot, chosen.plugin, plugins);
  const model = await modelOf(modelName);
  if (!plugin.hasRules && (model.name === 'rules' || fallback)) {
    const says = `has no rules of its own; choose a model for it, without a fallback.`;
    throw new BonafideError('invalid_config', `The plugin "${chosen.plugin}" of ${slot} ${says}`);
  }
  return {
    slot,
    on,
    plugin,
    options: await requireAccepted(plugin.accept, chosen.options, slot),
    model,
    rules: await modelOf('rules'),
    fallback,
    deadlineMs,
    status: () => ({
      feature: slot,
      on,
      plugin: chosen.plugin,
      model: modelName,
      ...describeModel(settings, modelName),
      label: model.label,
      fallback,
      deadline_ms: deadlineMs,
      breaker: model.breaker.state,
    }),
  };
}

/** A narrative plugin without rules cannot write an overview without a model; then the shipped plugin does. */
async function createOverview(
  narrative: ReadyFeature,
  settings: FeaturesSettings,
  plugins: PluginRegistry,
  modelOf: (name: string) => Promise<ConfiguredModel>,
): Promise<ReadyFeature> {
  const { slot, rules, plugin } = narrative;
  if (plugin.hasRules) return { ...narrative, model: rules };
  const shipped = { ...settings.features[slot], plugin: 'narrative', options: {}, model: 'rules' };
  const features = { ...settings.features, [slot]: shipped };
  return createReadyFeature(slot, { ...settings, features }, plugins, modelOf);
}

/**
 * Makes the features ready as the settings have them; a model is opened ahead of its first question.
 * Errors: invalid_config, naming the feature and what its settings get wrong.
 */
export async function setUpFeatures(
  settings: FeaturesSettings,
  plugins: PluginRegistry,
  options: FeatureSetupOptions,
): Promise<FeatureSetup> {
  const { models, modelOf } = createModelCache(settings, plugins, options);
  const ready: [Slot, ReadyFeature][] = [];
  // One after the other, so that two slots with one model share it.
  for (const slot of SLOTS) ready.push([slot, await createReadyFeature(slot, settings, plugins, modelOf)]);
  const features = Object.fromEntries(ready) as Record<Slot, ReadyFeature>;
  const overview = await createOverview(features.trust_enhancement, settings, plugins, modelOf);
  if (options.warm ?? true) for (const [, { on, model }] of ready) if (on) model.warm();
  return { features, overview, models };
}

/** Closes the models that a new set-up no longer holds; all of them without one. */
export async function closeUnusedModels(
  before: readonly ConfiguredModel[],
  now: FeatureSetup | undefined,
): Promise<void> {
  const kept = new Set(now?.models.values());
  await Promise.all(before.filter((model) => !kept.has(model)).map((model) => model.close()));
}
