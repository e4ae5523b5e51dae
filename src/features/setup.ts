// Set-up of features: combines settings and plugins into features that are ready to run.
import { BonafideError } from '../errors.ts';
import { AI_INSIGHTS_PART_NAMES, type AiInsightsPartName } from './plugin/facts.ts';
import type { PluginRegistry } from './load-plugins.ts';
import {
  requireAcceptedOptions,
  createConfiguredModel,
  getModelSettings,
  UnavailablePluginError,
  type ConfiguredModel,
} from './model.ts';
import type { FeatureRunner } from './running/runner.ts';
import { getDefaultFeatureSettings, type FeatureSettingsFileContent } from './settings.ts';

export interface FeatureStatus {
  feature: AiInsightsPartName;
  on: boolean;
  plugin: string;
  model: string;
  /** Plugin of the model; `rules` if the feature uses no AI model. */
  model_plugin: string;
  /** Address of the model's server without path, query and credentials; null if the options contain no address. */
  address: string | null;
  label: string;
  fallback: 'rules' | null;
  deadline_ms: number;
  breaker: 'closed' | 'open' | 'half_open';
  /** Description of a missing plugin, with the commands that help; null if no plugin is missing. */
  problem: string | null;
}

export interface ConfiguredFeature {
  slot: AiInsightsPartName;
  on: boolean;
  plugin: FeatureRunner;
  /** Options that the plugin's `accept` returned, with defaults. */
  options: unknown;
  model: ConfiguredModel;
  rules: ConfiguredModel;
  fallback: 'rules' | null;
  deadlineMs: number;
  status(): FeatureStatus;
}
export interface FeatureSetup {
  features: Record<AiInsightsPartName, ConfiguredFeature>;
  /**
   * Narrative features without a model, which write `overview` if the narrative was not requested, is off or failed: that of the configured plugin
   * if it has rules, then that of the built-in plugin.
   */
  overviews: readonly ConfiguredFeature[];
  models: Map<string, ConfiguredModel>;
}
export interface FeatureSetupOptions {
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
  /** Set-up in use; null at the start. A model with unchanged settings is kept, with its circuit breaker and state. */
  running: FeatureSetup | null;
  /** True (the default) to open models before the first question. */
  warm?: boolean;
  /** Settings that the new ones replace; null at the start of the server. A change that selects a missing plugin is refused. */
  changedFrom: FeatureSettingsFileContent | null;
}

/** Returns a function that creates each model once. A model in use with the same settings is kept. */
function createModelCache(
  settings: FeatureSettingsFileContent,
  plugins: PluginRegistry,
  { env, now, running }: FeatureSetupOptions,
) {
  const models = new Map<string, ConfiguredModel>();
  const before = [...(running?.models.values() ?? [])];
  const modelOf = async (name: string): Promise<ConfiguredModel> => {
    const configured = getModelSettings(name, settings, plugins.models);
    const fingerprint = JSON.stringify(configured);
    const reusableModel = before.find((model) => model.name === name && model.fingerprint === fingerprint);
    const host = { models: plugins.models, env, now };
    const model = models.get(name) ?? reusableModel ?? (await createConfiguredModel(name, configured, host));
    models.set(name, model);
    return model;
  };
  return { models, modelOf };
}

function getFeaturePlugin(
  slot: AiInsightsPartName,
  name: string,
  { features }: PluginRegistry,
): FeatureRunner {
  const plugin = features.get(name);
  if (plugin?.gives === slot) return plugin;
  const fitting = [...features.values()].filter(({ gives }) => gives === slot);
  const fittingNames = fitting.map((one) => one.name).join(', ');
  throw new UnavailablePluginError('missing', `${slot} has no plugin "${name}"; there is ${fittingNames}.`);
}

function describeModel(
  { models }: FeatureSettingsFileContent,
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
  slot: AiInsightsPartName,
  settings: FeatureSettingsFileContent,
  plugins: PluginRegistry,
  modelOf: (name: string) => Promise<ConfiguredModel>,
): Promise<ConfiguredFeature> {
  const {
    on,
    model: modelName,
    fallback,
    deadline_ms: deadlineMs,
    ...pluginSettings
  } = settings.features[slot];
  const plugin = getFeaturePlugin(slot, pluginSettings.plugin, plugins);
  const model = await modelOf(modelName);
  if (!plugin.hasRules && (model.name === 'rules' || fallback)) {
    const problem = `The plugin "${pluginSettings.plugin}" has no rules of its own. Choose a model for ${slot}, without a fallback.`;
    throw new BonafideError('invalid_config', problem);
  }
  return {
    slot,
    on,
    plugin,
    options: await requireAcceptedOptions(plugin, pluginSettings.options, slot),
    model,
    rules: await modelOf('rules'),
    fallback,
    deadlineMs,
    status: () => ({
      feature: slot,
      on,
      plugin: pluginSettings.plugin,
      model: modelName,
      ...describeModel(settings, modelName),
      label: model.label,
      fallback,
      deadline_ms: deadlineMs,
      breaker: model.breaker.state,
      problem: null,
    }),
  };
}

const DEFAULT_SETTINGS = getDefaultFeatureSettings();

/** Returns a feature that is off because its plugin is missing or fails. Its status shows the configured plugin and model. */
async function createUnavailableFeature(
  slot: AiInsightsPartName,
  { error, settings, plugins, modelOf }: UnavailableFeature,
): Promise<ConfiguredFeature> {
  const featureSettings = settings.features[slot];
  const { plugin, options } = DEFAULT_SETTINGS.features[slot];
  const off = { ...featureSettings, on: false, plugin, options, model: 'rules' };
  const features = { ...settings.features, [slot]: off };
  const ready = await createReadyFeature(slot, { ...settings, features }, plugins, modelOf);
  const problem = featureSettings.on ? describeUnavailablePlugin(slot, featureSettings.plugin, error) : null;
  const names = {
    plugin: featureSettings.plugin,
    model: featureSettings.model,
    label: featureSettings.model,
  };
  return {
    ...ready,
    status: () => ({
      ...ready.status(),
      ...names,
      ...describeModel(settings, featureSettings.model),
      problem,
    }),
  };
}

interface UnavailableFeature {
  error: UnavailablePluginError;
  settings: FeatureSettingsFileContent;
  plugins: PluginRegistry;
  modelOf: (name: string) => Promise<ConfiguredModel>;
}

const LOAD_ADVICE =
  'To load a plugin of your own, name its file in the setting plugins or in BONAFIDE_PLUGINS, here and for the server, and restart the server. See: bonafide docs plugins';

function describeUnavailablePlugin(
  slot: AiInsightsPartName,
  wanted: string,
  { kind, message }: UnavailablePluginError,
): string {
  const { plugin } = DEFAULT_SETTINGS.features[slot];
  const use = `bonafide features use ${slot} rules${wanted === plugin ? '' : ` --feature-plugin ${plugin}`}`;
  const [problem, remedy] =
    kind === 'missing'
      ? ['features.json names a plugin that is missing', 'Put the plugin back (setting plugins)']
      : ['its plugin fails', 'Correct the plugin'];
  return `${slot} is off, since ${problem}. ${message} ${remedy} and restart, or run "${use}" or "bonafide features off ${slot}".`;
}

/** True if a change of the settings turned a feature on, or changed its plugin or its model. */
function isFeatureChanged(
  slot: AiInsightsPartName,
  before: FeatureSettingsFileContent,
  after: FeatureSettingsFileContent,
): boolean {
  const toText = ({ features, models }: FeatureSettingsFileContent): string => {
    const { on: _, ...chosen } = features[slot];
    return JSON.stringify([chosen, models[chosen.model]]);
  };
  const isTurnedOn = after.features[slot].on && !before.features[slot].on;
  return isTurnedOn || toText(before) !== toText(after);
}

/** Creates the narrative features that write `overview` without a model. */
async function createOverviews(
  narrative: ConfiguredFeature,
  settings: FeatureSettingsFileContent,
  plugins: PluginRegistry,
  modelOf: (name: string) => Promise<ConfiguredModel>,
): Promise<ConfiguredFeature[]> {
  const { slot, rules, plugin } = narrative;
  const shipped = { ...settings.features[slot], on: true, plugin: 'narrative', options: {}, model: 'rules' };
  const features = { ...settings.features, [slot]: shipped };
  const builtIn = await createReadyFeature(slot, { ...settings, features }, plugins, modelOf);
  return plugin.hasRules ? [{ ...narrative, on: true, model: rules }, builtIn] : [builtIn];
}

/**
 * Sets up the features according to the settings. A feature whose plugin is missing or fails is off; if it is running with the same settings, it is
 * kept. Errors: invalid_config; the message names the feature and the wrong setting.
 */
export async function setUpFeatures(
  settings: FeatureSettingsFileContent,
  plugins: PluginRegistry,
  options: FeatureSetupOptions,
): Promise<FeatureSetup> {
  const { models, modelOf } = createModelCache(settings, plugins, options);
  const { changedFrom, running } = options;
  const createFeature = (slot: AiInsightsPartName): Promise<ConfiguredFeature> =>
    createReadyFeature(slot, settings, plugins, modelOf).catch((error: unknown) => {
      const isRefused = changedFrom !== null && isFeatureChanged(slot, changedFrom, settings);
      if (!(error instanceof UnavailablePluginError)) throw error;
      const isFailing = error.kind === 'failing';
      if (isRefused && isFailing) throw error;
      if (isRefused) throw new BonafideError('invalid_config', `${error.message} ${LOAD_ADVICE}`);
      if (running && isFailing && settings.features[slot].on) return running.features[slot];
      return createUnavailableFeature(slot, { error, settings, plugins, modelOf });
    });
  const ready: [AiInsightsPartName, ConfiguredFeature][] = [];
  // Sequential, so that two slots with the same model share it.
  for (const slot of AI_INSIGHTS_PART_NAMES) ready.push([slot, await createFeature(slot)]);
  const features = Object.fromEntries(ready) as Record<AiInsightsPartName, ConfiguredFeature>;
  const overviews = await createOverviews(features.trust_enhancement, settings, plugins, modelOf);
  if (options.warm ?? true) for (const [, { on, model }] of ready) if (on) model.warm();
  return { features, overviews, models };
}

/** Closes the models that the new set-up does not use; without a new set-up, all models. */
export async function closeUnusedModels(
  before: readonly ConfiguredModel[],
  now: FeatureSetup | undefined,
): Promise<void> {
  const usedModels = new Set(now?.models.values());
  await Promise.all(before.filter((model) => !usedModels.has(model)).map((model) => model.close()));
}
