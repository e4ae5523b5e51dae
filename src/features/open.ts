// Opening of the AI features: loads the plugins, sets the features up, and reloads the settings file while the server runs.
import { statSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import { UnavailablePluginError, type ConfiguredModel } from './model.ts';
import type { FeatureAdministrationContext } from './administer.ts';
import { createAiInsights, type AiInsightsRequest } from './insights.ts';
import { loadPlugins } from './load-plugins.ts';
import { createFeatureCounters, type FeatureMetrics, type FailedModelCall } from './metrics.ts';
import { readFeatureSettings } from './settings.ts';
import { closeUnusedModels, setUpFeatures, type FeatureStatus, type FeatureSetup } from './setup.ts';

export type { EarlierApiCallFacts } from './facts.ts';
export type { AiInsightsRequest } from './insights.ts';
export { formatFeatureMetrics } from './metrics.ts';
export { sumFeatureMetrics } from './metrics.ts';
export type { FeatureMetrics } from './metrics.ts';
export type { NameFacts } from './plugin/facts.ts';
export type { FeatureStatus } from './setup.ts';

export interface AiFeatures {
  /** Returns the response field `ai_insights`. Never rejects: the response describes each failure. */
  insights(request: AiInsightsRequest): Promise<object>;
  /** Reloads the settings. Invalid settings are rejected, and the current ones stay in use. Errors: invalid_config, unreadable_file. */
  reload(): Promise<void>;
  list(): FeatureStatus[];
  metrics(): FeatureMetrics;
  /** Sets the function that is called for each failed call of a model. */
  onFailure(tell: (failure: FailedModelCall) => void): void;
  /** Inputs of the functions that administer features. Call `reload` after a change. */
  installed: FeatureAdministrationContext;
  close(): Promise<void>;
}

export interface AiFeaturesOptions {
  settingsFile: string;
  plugins?: readonly string[];
  /** Names of operator plugins (file or folder) that are skipped if they cannot be loaded, besides those in the settings. */
  optionalPlugins?: readonly string[];
  /** Environment variables with the API keys of model providers. */
  env?: Readonly<Record<string, string | undefined>>;
  log?: { info(line: string): void; warn(line: string, requestId?: string): void };
  now?: () => number;
}

const QUIET = { info: () => undefined, warn: () => undefined };
/** Interval (ms) at which a running server checks its settings file for changes. */
const CHECK_EVERY_MS = 500;

function readFileStamp(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : 'none';
}

/**
 * Loads the plugins, reads the settings, and sets up the features. Errors: invalid_config, unreadable_file, file_not_found; the message names
 * the plugin or the setting.
 */
export async function openFeatures(options: AiFeaturesOptions): Promise<AiFeatures> {
  const {
    settingsFile,
    plugins: paths = [],
    optionalPlugins = [],
    env = {},
    log = QUIET,
    // If the system's clock is set back, pauses measured by it would become longer. This clock only goes forward.
    now = () => performance.now(),
  } = options;
  let settings = readFeatureSettings(settingsFile);
  const plugins = await loadPlugins({
    paths,
    skipMissing: true,
    optional: [...optionalPlugins, ...settings.optional_plugins],
    log,
    memoryMb: settings.plugin_memory_mb,
    env,
    now,
  });
  let onFailure: (failure: FailedModelCall) => void = () => undefined;
  const counters = createFeatureCounters((failure) => onFailure(failure));
  const start = { env, now, running: null, changedFrom: null };
  let setup: FeatureSetup = await setUpFeatures(settings, plugins, start).catch(async (error: unknown) => {
    await plugins.close();
    throw error;
  });
  const list = () => Object.values(setup.features).map((feature) => feature.status());
  for (const { problem } of list()) if (problem !== null) log.warn(`${settingsFile}: ${problem}`);
  let stamp = readFileStamp(settingsFile);
  let checkedAt = now();
  let isRetrying = false;

  /** Applies the current settings. @returns the models that were in use before */
  async function applySettings(): Promise<readonly ConfiguredModel[]> {
    stamp = readFileStamp(settingsFile);
    const before = [...setup.models.values()];
    const changed = readFeatureSettings(settingsFile);
    const options = { env, now, running: setup, changedFrom: settings };
    setup = await setUpFeatures(changed, plugins, options);
    settings = changed;
    isRetrying = false;
    return before;
  }
  /** Reloads the settings file if it has changed. Invalid settings are logged, and the current settings stay in use. */
  function reloadIfChanged(): Promise<void> | undefined {
    if (now() - checkedAt < CHECK_EVERY_MS) return undefined;
    checkedAt = now();
    if (readFileStamp(settingsFile) === stamp) return undefined;
    return applySettings().then(
      (before) => {
        log.info('features: settings reloaded');
        // Running questions of the old models end first; the reload does not wait for them.
        void closeUnusedModels(before, setup);
      },
      (error: unknown) => {
        const isFailing = error instanceof UnavailablePluginError && error.kind === 'failing';
        if (error instanceof BonafideError && !isFailing)
          return log.warn(`features: settings unchanged, since ${error.message}`);
        // The thread of a plugin may answer later, so the settings are checked again.
        stamp = '';
        const reason = isFailing ? error.message : 'a plugin does not answer';
        if (!isRetrying) log.warn(`features: settings not changed yet, since ${reason}`);
        isRetrying = true;
      },
    );
  }
  return {
    async insights(request) {
      await reloadIfChanged();
      return createAiInsights(request, setup, { counters, log });
    },
    reload: async () => closeUnusedModels(await applySettings(), setup),
    installed: { settingsFile, plugins, env },
    onFailure: (tell) => void (onFailure = tell),
    list,
    metrics: () => ({
      ...counters.snapshot(),
      models: [...setup.models.values()]
        .filter((model) => !model.instant)
        .map(({ name, breaker, limiter }) => ({
          model: name,
          breaker: breaker.state,
          running: limiter.running,
          waiting: limiter.waiting,
        })),
    }),
    async close() {
      await closeUnusedModels([...setup.models.values()], undefined);
      await plugins.close();
    },
  };
}
