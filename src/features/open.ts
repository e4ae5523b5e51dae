// Loads the plugins, makes the features ready, and follows the settings file while the server runs.
import { statSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import type { ConfiguredModel } from './model.ts';
import type { InstalledFeatures } from './administer.ts';
import { createInsights, type FeatureRequest } from './insights.ts';
import { loadPlugins } from './load-plugins.ts';
import { createFeatureCounters, type FeatureMetrics, type FeatureFailureReport } from './metrics.ts';
import { readFeatureSettings } from './settings.ts';
import { closeUnusedModels, setUpFeatures, type FeatureStatus, type FeatureSetup } from './setup.ts';

export type { StreamWindow } from './facts.ts';
export type { FeatureRequest } from './insights.ts';
export { formatFeatureMetrics } from './metrics.ts';
export { sumFeatureMetrics } from './metrics.ts';
export type { FeatureMetrics } from './metrics.ts';
export type { NameFacts } from './plugin/facts.ts';
export type { FeatureStatus } from './setup.ts';

export interface Features {
  /** The complete `ai_insights` value. Never rejects: what fails is told in its block. */
  insights(request: FeatureRequest): Promise<object>;
  /** Reads the settings again now; where they are wrong, the ones in use stay. Errors: invalid_config, unreadable_file. */
  reload(): Promise<void>;
  list(): FeatureStatus[];
  metrics(): FeatureMetrics;
  /** Has each failure told from now on. */
  onFailure(tell: (failure: FeatureFailureReport) => void): void;
  /** What there is to administer; `reload` has a change of it in use at once. */
  installed: InstalledFeatures;
  close(): Promise<void>;
}

export interface FeatureOptions {
  /** `features.json` of the data folder. Need not exist. */
  settingsFile: string;
  /** An operator's plugins: files, or folders of them. */
  plugins?: readonly string[];
  /** Operator plugins, by file or folder name, that may be skipped; added to those in the settings. */
  optionalPlugins?: readonly string[];
  /** The environment that provider keys are read from. */
  env?: Readonly<Record<string, string | undefined>>;
  log?: { info(line: string): void; warn(line: string, requestId?: string): void };
  now?: () => number;
}

const QUIET = { info: () => undefined, warn: () => undefined };
/** How often a running server looks whether its settings file has changed. */
const CHECK_EVERY_MS = 500;

function readFileStamp(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : 'none';
}

/**
 * Loads the plugins, reads the settings and makes the features ready.
 * Errors: invalid_config, unreadable_file, file_not_found: one line that names the plugin or the setting.
 */
export async function openFeatures(options: FeatureOptions): Promise<Features> {
  const {
    settingsFile,
    plugins: paths = [],
    optionalPlugins = [],
    env = {},
    log = QUIET,
    now = Date.now,
  } = options;
  const settings = readFeatureSettings(settingsFile);
  const plugins = await loadPlugins({
    paths,
    optional: [...optionalPlugins, ...settings.optional_plugins],
    log,
    memoryMb: settings.plugin_memory_mb,
    env,
    now,
  });
  let onFailure: (failure: FeatureFailureReport) => void = () => undefined;
  const counters = createFeatureCounters((failure) => onFailure(failure));
  let setup: FeatureSetup = await setUpFeatures(settings, plugins, { env, now, before: [] }).catch(
    async (error: unknown) => {
      await plugins.close();
      throw error;
    },
  );
  let stamp = readFileStamp(settingsFile);
  let checkedAt = now();

  /** Takes the settings as they are now. @returns the models that were in use */
  async function applySettings(): Promise<readonly ConfiguredModel[]> {
    stamp = readFileStamp(settingsFile);
    const before = [...setup.models.values()];
    setup = await setUpFeatures(readFeatureSettings(settingsFile), plugins, { env, now, before });
    return before;
  }
  /** Follows the settings file. A wrong one is told once in the log, and the settings in use stay. */
  function reloadIfChanged(): Promise<void> | undefined {
    if (now() - checkedAt < CHECK_EVERY_MS) return undefined;
    checkedAt = now();
    if (readFileStamp(settingsFile) === stamp) return undefined;
    return applySettings().then(
      (before) => {
        log.info('features: settings reloaded');
        // Questions that are open end first; nobody waits for that.
        void closeUnusedModels(before, setup);
      },
      (error: unknown) =>
        log.warn(
          `features: settings unchanged, since ${error instanceof BonafideError ? error.message : 'they could not be read'}`,
        ),
    );
  }
  return {
    async insights(request) {
      await reloadIfChanged();
      return createInsights(request, setup, { now, counters, log });
    },
    reload: async () => closeUnusedModels(await applySettings(), setup),
    installed: { settingsFile, plugins, env },
    onFailure: (tell) => void (onFailure = tell),
    list: () => Object.values(setup.features).map((feature) => feature.status()),
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
