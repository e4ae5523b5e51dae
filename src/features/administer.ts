// Administration of the AI features: lists them, switches them on or off, chooses their models. Changes go to the settings file; a running
// server reloads that file.
import { BonafideError, notFoundError, resultOr } from '../errors.ts';
import { testFeatureModel, type FeatureTestResult } from './diagnose.ts';
import type { LoadedPlugin, PluginRegistry } from './load-plugins.ts';
import { AI_INSIGHTS_PART_NAMES, type AiInsightsPartName } from './plugin/facts.ts';
import { readFeatureSettings, writeFeatureSettings, type FeatureSettingsFileContent } from './settings.ts';
import { closeUnusedModels, setUpFeatures, type FeatureStatus, type FeatureSetup } from './setup.ts';

export interface FeatureAdministrationContext {
  settingsFile: string;
  plugins: PluginRegistry;
  env: Readonly<Record<string, string | undefined>>;
}

export interface FeatureAndPluginList {
  features: FeatureStatus[];
  /** Names of the models in the settings file. */
  models: string[];
  plugins: Pick<LoadedPlugin, 'kind' | 'name' | 'version'>[];
}

/** Changes to the settings of one feature's AI model. Undefined members stay as they are. */
export interface ModelChoice {
  model: string;
  plugin?: string | undefined;
  fallback?: 'rules' | null | undefined;
  deadlineMs?: number | undefined;
}

const ALIASES: Record<string, AiInsightsPartName> = {
  narrative: 'trust_enhancement',
  fraud: 'fraud_detection',
  'name-matching': 'name_matching',
};

/** Parses the name of a feature, or its alias such as `fraud`. Errors: not_found. */
export function parseFeatureNameOrAlias(word: string): AiInsightsPartName {
  const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;
  const slot = alias ?? AI_INSIGHTS_PART_NAMES.find((slot) => slot === word.replaceAll('-', '_'));
  if (slot) return slot;
  throw notFoundError(
    `There is no feature ${word}. The features are ${AI_INSIGHTS_PART_NAMES.join(', ')}.`,
    'feature',
  );
}

async function withSetup<T>(
  { plugins, env }: FeatureAdministrationContext,
  {
    settings,
    changedFrom = null,
  }: { settings: FeatureSettingsFileContent; changedFrom?: FeatureSettingsFileContent | null },
  work: (setup: FeatureSetup) => T | Promise<T>,
): Promise<T> {
  const options = { env, now: Date.now, running: null, warm: false, changedFrom };
  const setup = await setUpFeatures(settings, plugins, options);
  try {
    return await work(setup);
  } finally {
    await closeUnusedModels([...setup.models.values()], undefined);
  }
}

const toFeatureList = (
  { features }: FeatureSetup,
  { models }: FeatureSettingsFileContent,
  { loaded }: PluginRegistry,
): FeatureAndPluginList => ({
  features: Object.values(features).map((feature) => feature.status()),
  models: Object.keys(models),
  plugins: loaded.map(({ kind, name, version }) => ({ kind, name, version })),
});

/** Returns the status of each feature, according to the settings file. Errors: invalid_config, unreadable_file. */
export function listFeatures(installed: FeatureAdministrationContext): Promise<FeatureAndPluginList> {
  const settings = readFeatureSettings(installed.settingsFile);
  return withSetup(installed, { settings }, (setup) => toFeatureList(setup, settings, installed.plugins));
}

/** Returns the names of the models in the settings file; none if the file cannot be read. */
export const listConfiguredModels = ({ settingsFile }: FeatureAdministrationContext): string[] =>
  resultOr(() => Object.keys(readFeatureSettings(settingsFile).models), []);

/**
 * Changes the settings file, after a trial set-up with the new settings has succeeded. Errors: invalid_config, unreadable_file, read_only;
 * overloaded if another process changed the file in the meantime.
 */
export function changeSettingsAndListFeatures(
  installed: FeatureAdministrationContext,
  change: (settings: FeatureSettingsFileContent, plugins: PluginRegistry) => void,
): Promise<FeatureAndPluginList> {
  const { settingsFile, plugins } = installed;
  const settings = readFeatureSettings(settingsFile);
  const changedFrom = structuredClone(settings);
  change(settings, plugins);
  return withSetup(installed, { settings, changedFrom }, (setup) => {
    if (JSON.stringify(readFeatureSettings(settingsFile)) !== JSON.stringify(changedFrom))
      throw new BonafideError(
        'overloaded',
        'The feature settings were changed by another request. Try again.',
      );
    writeFeatureSettings(settingsFile, settings);
    return toFeatureList(setup, settings, plugins);
  });
}

export function toFeatureAuditDetail(
  { features }: FeatureAndPluginList,
  slot: AiInsightsPartName,
): Record<string, string | null> {
  const { plugin, model, model_plugin, address, fallback } =
    features.find(({ feature }) => feature === slot) ?? {};
  return {
    plugin: plugin ?? null,
    model: model ?? null,
    model_plugin: model_plugin ?? null,
    address: address ?? null,
    fallback: fallback ?? null,
  };
}

/** Turns a feature on or off. Errors: those of `changeSettingsAndListFeatures`. */
export const setFeatureEnabled = (
  installed: FeatureAdministrationContext,
  slot: AiInsightsPartName,
  on: boolean,
): Promise<FeatureAndPluginList> =>
  changeSettingsAndListFeatures(installed, ({ features }) => void (features[slot].on = on));

/** Sets the model, plugin, fallback and deadline of one feature. Errors: those of `changeSettingsAndListFeatures`. */
export const chooseModel = (
  installed: FeatureAdministrationContext,
  slot: AiInsightsPartName,
  choice: ModelChoice,
): Promise<FeatureAndPluginList> =>
  changeSettingsAndListFeatures(installed, (settings) => assignModelChoiceToSettings(settings, slot, choice));

export function assignModelChoiceToSettings(
  { features }: FeatureSettingsFileContent,
  slot: AiInsightsPartName,
  { model, plugin, fallback, deadlineMs }: ModelChoice,
): void {
  const featureSettings = features[slot];
  featureSettings.model = model;
  if (plugin !== undefined) featureSettings.plugin = plugin;
  if (fallback !== undefined) featureSettings.fallback = fallback;
  if (deadlineMs !== undefined) featureSettings.deadline_ms = deadlineMs;
}

/** Sends a test question about an invented person to the model of each enabled feature. Errors: invalid_config, and those of the plugins. */
export function runFeatureTests(
  installed: FeatureAdministrationContext,
  slots: readonly AiInsightsPartName[] = AI_INSIGHTS_PART_NAMES,
): Promise<FeatureTestResult[]> {
  const settings = readFeatureSettings(installed.settingsFile);
  return withSetup(installed, { settings }, async ({ features }) => {
    const diagnoses: FeatureTestResult[] = [];
    for (const slot of slots) {
      const { model, problem } = features[slot].status();
      if (problem !== null) diagnoses.push({ feature: slot, model, ok: false, ms: 0, says: problem });
      else if (features[slot].on) diagnoses.push(await testFeatureModel(features[slot], Date.now()));
    }
    return diagnoses;
  });
}

/** True if this name can be chosen as a model: a model in the settings, or a model plugin. */
export const isKnownModel = (
  { models }: FeatureSettingsFileContent,
  plugins: PluginRegistry,
  model: string,
): boolean => Object.hasOwn(models, model) || plugins.models.has(model);
