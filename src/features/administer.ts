// What an operator chooses of the features: which are on, and which model answers. The settings file is what is changed; whoever serves
// follows it.
import { BonafideError, notFoundError } from '../errors.ts';
import { diagnoseFeature } from './diagnose.ts';
import type { FeatureDiagnosis } from './diagnose.ts';
import type { LoadedPlugin, PluginRegistry } from './load-plugins.ts';
import { SLOTS } from './plugin/facts.ts';
import type { Slot } from './plugin/facts.ts';
import { readFeatureSettings, writeFeatureSettings } from './settings.ts';
import type { FeaturesSettings } from './settings.ts';
import { closeUnusedModels, setUpFeatures } from './setup.ts';
import type { FeatureStatus, FeatureSetup } from './setup.ts';

/** What there is to administer. */
export interface InstalledFeatures {
  /** `features.json` of the data folder. Need not exist. */
  settingsFile: string;
  plugins: PluginRegistry;
  /** The environment that provider keys are read from. */
  env: Readonly<Record<string, string | undefined>>;
}

/** The features as they are set up. */
export interface FeatureList {
  features: FeatureStatus[];
  plugins: Pick<LoadedPlugin, 'kind' | 'name' | 'version'>[];
}

/** What a feature is to use; what is not said stays. */
export interface ModelChoice {
  model: string;
  /** Feature plugin, where there is more than one. */
  plugin?: string | undefined;
  fallback?: 'rules' | null | undefined;
  deadlineMs?: number | undefined;
}

const ALIASES: Record<string, Slot> = {
  narrative: 'trust_enhancement',
  fraud: 'fraud_detection',
  'name-matching': 'name_matching',
};

/** The feature of a name, or of a short one. Errors: not_found. */
export function parseSlotName(word: string): Slot {
  const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;
  const slot = alias ?? SLOTS.find((slot) => slot === word.replaceAll('-', '_'));
  if (slot) return slot;
  throw notFoundError(`There is no feature ${word}; there are ${SLOTS.join(', ')}.`, 'feature');
}

/** What settings make, without opening a model; `work` has it, and it is closed again. Errors: invalid_config. */
async function withSetup<T>(
  { plugins, env }: InstalledFeatures,
  settings: FeaturesSettings,
  work: (setup: FeatureSetup) => T | Promise<T>,
): Promise<T> {
  const setup = await setUpFeatures(settings, plugins, { env, now: Date.now, before: [], warm: false });
  try {
    return await work(setup);
  } finally {
    await closeUnusedModels([...setup.models.values()], undefined);
  }
}

const toFeatureList = ({ features }: FeatureSetup, { loaded }: PluginRegistry): FeatureList => ({
  features: Object.values(features).map((feature) => feature.status()),
  plugins: loaded.map(({ kind, name, version }) => ({ kind, name, version })),
});

/** The features as the settings have them. Errors: invalid_config, unreadable_file. */
export const listFeatures = (installed: InstalledFeatures): Promise<FeatureList> =>
  withSetup(installed, readFeatureSettings(installed.settingsFile), (setup) =>
    toFeatureList(setup, installed.plugins),
  );

/**
 * Changes the settings; they are tried before they are written.
 *
 * Errors: invalid_config, unreadable_file, read_only; overloaded where somebody else changed them meanwhile.
 */
export function changeFeatures(
  installed: InstalledFeatures,
  change: (settings: FeaturesSettings, plugins: PluginRegistry) => void,
): Promise<FeatureList> {
  const { settingsFile, plugins } = installed;
  const settings = readFeatureSettings(settingsFile);
  const before = JSON.stringify(settings);
  change(settings, plugins);
  return withSetup(installed, settings, (setup) => {
    if (JSON.stringify(readFeatureSettings(settingsFile)) !== before)
      throw new BonafideError('overloaded', 'The features were changed meanwhile. Try again.');
    writeFeatureSettings(settingsFile, settings);
    return toFeatureList(setup, plugins);
  });
}

/** Values of a feature for the audit log: the plugin that answers, its model, and the address of the model's server. */
export function toAuditDetail({ features }: FeatureList, slot: Slot): Record<string, string | null> {
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

/** Turns a feature on or off. Errors: those of `changeFeatures`. */
export const switchFeature = (installed: InstalledFeatures, slot: Slot, on: boolean): Promise<FeatureList> =>
  changeFeatures(installed, ({ features }) => void (features[slot].on = on));

/** Has a feature use a model. Errors: those of `changeFeatures`. */
export const chooseModel = (
  installed: InstalledFeatures,
  slot: Slot,
  choice: ModelChoice,
): Promise<FeatureList> => changeFeatures(installed, (settings) => setModelChoice(settings, slot, choice));

export function setModelChoice(
  { features }: FeaturesSettings,
  slot: Slot,
  { model, plugin, fallback, deadlineMs }: ModelChoice,
): void {
  const chosen = features[slot];
  chosen.model = model;
  if (plugin !== undefined) chosen.plugin = plugin;
  if (fallback !== undefined) chosen.fallback = fallback;
  if (deadlineMs !== undefined) chosen.deadline_ms = deadlineMs;
}

/** Asks the model of each feature that is on about a made-up person. Errors: invalid_config, and those of the plugins. */
export function testFeatures(
  installed: InstalledFeatures,
  slots: readonly Slot[] = SLOTS,
): Promise<FeatureDiagnosis[]> {
  return withSetup(installed, readFeatureSettings(installed.settingsFile), async ({ features }) => {
    const found: FeatureDiagnosis[] = [];
    for (const slot of slots)
      if (features[slot].on) found.push(await diagnoseFeature(features[slot], Date.now()));
    return found;
  });
}

/** Whether a model can be chosen by its name alone: one of the settings, or a plugin. */
export const isModelAvailable = (
  { models }: FeaturesSettings,
  plugins: PluginRegistry,
  model: string,
): boolean => Object.hasOwn(models, model) || plugins.models.has(model);
