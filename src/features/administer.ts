// What an operator chooses of the features: which are on, and which model answers. The settings file is what is changed; whoever serves
// follows it.
import { BonafideError, notFoundError } from '../errors.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosis } from './diagnose.ts';
import type { Loaded, Plugins } from './load-plugins.ts';
import { SLOTS } from './plugin/facts.ts';
import type { Slot } from './plugin/facts.ts';
import { readSettings, writeSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { closeUnused, setUp } from './setup.ts';
import type { FeatureStatus, Setup } from './setup.ts';

/** What there is to administer. */
export interface Installed {
  /** `features.json` of the data folder. Need not exist. */
  settingsFile: string;
  plugins: Plugins;
  /** The environment that provider keys are read from. */
  env: Readonly<Record<string, string | undefined>>;
}

/** The features as they are set up. */
export interface FeatureList {
  features: FeatureStatus[];
  plugins: Pick<Loaded, 'kind' | 'name' | 'version'>[];
}

/** What a feature is to use; what is not said stays. */
export interface Choice {
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
export function slotOf(word: string): Slot {
  const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;
  const slot = alias ?? SLOTS.find((slot) => slot === word.replaceAll('-', '_'));
  if (slot) return slot;
  throw notFoundError(`There is no feature ${word}; there are ${SLOTS.join(', ')}.`, 'feature');
}

/** What settings make, without opening a model; `work` has it, and it is closed again. Errors: invalid_config. */
async function tried<T>(
  { plugins, env }: Installed,
  settings: Settings,
  work: (setup: Setup) => T | Promise<T>,
): Promise<T> {
  const setup = await setUp(settings, plugins, { env, now: Date.now, before: [], warm: false });
  try {
    return await work(setup);
  } finally {
    await closeUnused([...setup.models.values()], undefined);
  }
}

const listOf = ({ features }: Setup, { loaded }: Plugins): FeatureList => ({
  features: Object.values(features).map((feature) => feature.status()),
  plugins: loaded.map(({ kind, name, version }) => ({ kind, name, version })),
});

/** The features as the settings have them. Errors: invalid_config, unreadable_file. */
export const listFeatures = (installed: Installed): Promise<FeatureList> =>
  tried(installed, readSettings(installed.settingsFile), (setup) => listOf(setup, installed.plugins));

/**
 * Changes the settings; they are tried before they are written.
 *
 * Errors: invalid_config, unreadable_file, read_only; overloaded where somebody else changed them meanwhile.
 */
export function changeFeatures(
  installed: Installed,
  change: (settings: Settings, plugins: Plugins) => void,
): Promise<FeatureList> {
  const { settingsFile, plugins } = installed;
  const settings = readSettings(settingsFile);
  const before = JSON.stringify(settings);
  change(settings, plugins);
  return tried(installed, settings, (setup) => {
    if (JSON.stringify(readSettings(settingsFile)) !== before)
      throw new BonafideError('overloaded', 'The features were changed meanwhile. Try again.');
    writeSettings(settingsFile, settings);
    return listOf(setup, plugins);
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
export const turnFeature = (installed: Installed, slot: Slot, on: boolean): Promise<FeatureList> =>
  changeFeatures(installed, ({ features }) => void (features[slot].on = on));

/** Has a feature use a model. Errors: those of `changeFeatures`. */
export const useModel = (installed: Installed, slot: Slot, choice: Choice): Promise<FeatureList> =>
  changeFeatures(installed, (settings) => choose(settings, slot, choice));

export function choose(
  { features }: Settings,
  slot: Slot,
  { model, plugin, fallback, deadlineMs }: Choice,
): void {
  const chosen = features[slot];
  chosen.model = model;
  if (plugin !== undefined) chosen.plugin = plugin;
  if (fallback !== undefined) chosen.fallback = fallback;
  if (deadlineMs !== undefined) chosen.deadline_ms = deadlineMs;
}

/** Asks the model of each feature that is on about a made-up person. Errors: invalid_config, and those of the plugins. */
export function testFeatures(installed: Installed, slots: readonly Slot[] = SLOTS): Promise<Diagnosis[]> {
  return tried(installed, readSettings(installed.settingsFile), async ({ features }) => {
    const found: Diagnosis[] = [];
    for (const slot of slots) if (features[slot].on) found.push(await diagnose(features[slot], Date.now()));
    return found;
  });
}

/** Whether a model can be chosen by its name alone: one of the settings, or a plugin. */
export const isSetUp = ({ models }: Settings, plugins: Plugins, model: string): boolean =>
  Object.hasOwn(models, model) || plugins.models.has(model);
