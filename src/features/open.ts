// Loads the plugins, makes the features ready, and follows the settings file while the server runs.
import { statSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import type { Model } from './model.ts';
import type { Installed } from './administer.ts';
import { insightsOf, type FeatureRequest } from './insights.ts';
import { loadPlugins } from './load-plugins.ts';
import { createCounters, type FeatureMetrics, type Failure } from './metrics.ts';
import { readSettings } from './settings.ts';
import { closeUnused, setUp, type FeatureStatus, type Setup } from './setup.ts';

export type { StreamWindow } from './facts.ts';
export type { FeatureRequest } from './insights.ts';
export { metricsText } from './metrics.ts';
export { sumFeatures } from './metrics.ts';
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
  whenFailed(tell: (failure: Failure) => void): void;
  /** What there is to administer; `reload` has a change of it in use at once. */
  installed: Installed;
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
const LOOK_EVERY_MS = 500;

function stampOf(file: string): string {
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
  const settings = readSettings(settingsFile);
  const plugins = await loadPlugins({
    paths,
    optional: [...optionalPlugins, ...settings.optional_plugins],
    log,
    memoryMb: settings.plugin_memory_mb,
    env,
    now,
  });
  let onFailure: (failure: Failure) => void = () => undefined;
  const counters = createCounters((failure) => onFailure(failure));
  let setup: Setup = await setUp(settings, plugins, { env, now, before: [] }).catch(
    async (error: unknown) => {
      await plugins.close();
      throw error;
    },
  );
  let stamp = stampOf(settingsFile);
  let lookedAt = now();

  /** Takes the settings as they are now. @returns the models that were in use */
  async function change(): Promise<readonly Model[]> {
    stamp = stampOf(settingsFile);
    const before = [...setup.models.values()];
    setup = await setUp(readSettings(settingsFile), plugins, { env, now, before });
    return before;
  }
  /** Follows the settings file. A wrong one is told once in the log, and the settings in use stay. */
  function follow(): Promise<void> | undefined {
    if (now() - lookedAt < LOOK_EVERY_MS) return undefined;
    lookedAt = now();
    if (stampOf(settingsFile) === stamp) return undefined;
    return change().then(
      (before) => {
        log.info('features: settings reloaded');
        // Questions that are open end first; nobody waits for that.
        void closeUnused(before, setup);
      },
      (error: unknown) =>
        log.warn(
          `features: settings unchanged, since ${error instanceof BonafideError ? error.message : 'they could not be read'}`,
        ),
    );
  }
  return {
    async insights(request) {
      await follow();
      return insightsOf(request, setup, { now, counters, log });
    },
    reload: async () => closeUnused(await change(), setup),
    installed: { settingsFile, plugins, env },
    whenFailed: (tell) => void (onFailure = tell),
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
      await closeUnused([...setup.models.values()], undefined);
      await plugins.close();
    },
  };
}
