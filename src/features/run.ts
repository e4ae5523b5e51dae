// `ai_insights` of one request: the features side by side, each on its own facts, none able to hold up or change the rest.
import { statSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import type { Claim, Intent, Verdict } from '../model.ts';
import type { NameFacts, Slot, StreamWindow } from './facts.ts';
import { builtinDir, loadPlugins } from './load.ts';
import type { Plugins } from './load.ts';
import { createCounters } from './metrics.ts';
import type { FeatureMetrics } from './metrics.ts';
import type { Model } from './models.ts';
import { closeUnused, setUp } from './setup.ts';
import type { FeatureStatus, Setup } from './setup.ts';
import { runFeature } from './feature.ts';
import type { FeatureResult } from './feature.ts';
import { readSettings } from './settings.ts';

export type { NameFacts, StreamWindow } from './facts.ts';
export { metricsText } from './metrics.ts';
export type { FeatureMetrics } from './metrics.ts';
export type { FeatureStatus } from './setup.ts';

export interface FeatureRequest {
  endpoint: 'validate_ai' | 'enhanced';
  intent: Intent;
  include: Claim['include'];
  verdict: Verdict;
  /** The two names and the name engine's view of them; called only when name matching runs. */
  names: () => NameFacts;
  /** The caller's calls before this one, oldest first; read only when the fraud analysis runs. */
  stream: () => StreamWindow | Promise<StreamWindow>;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
}

export interface Features {
  /** The complete `ai_insights` value. Never rejects: what fails is told in its block. */
  insights(request: FeatureRequest): Promise<object>;
  /** Reads the settings again now. @throws BonafideError when they are wrong; the ones in use stay */
  reload(): Promise<void>;
  list(): FeatureStatus[];
  metrics(): FeatureMetrics;
  close(): Promise<void>;
}

export interface FeatureOptions {
  /** `features.json` of the data folder. Need not exist. */
  settingsFile: string;
  /** Folders with an operator's plugins. */
  pluginDirs?: readonly string[];
  /** Operator plugins, by file or folder name, that may be skipped; added to those in the settings. */
  optionalPlugins?: readonly string[];
  /** The environment that provider keys are read from. */
  env?: Readonly<Record<string, string | undefined>>;
  log?: { info(line: string): void; warn(line: string): void };
  now?: () => number;
}

const quiet = { info: () => undefined, warn: () => undefined };
/** How often a running server looks whether its settings file has changed. */
const lookEveryMs = 500;

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : 'none';
}

/**
 * Loads the plugins, reads the settings and makes the features ready.
 * @throws BonafideError `invalid_config` or `unreadable_file`: one line that names the plugin or the setting
 */
export async function openFeatures(options: FeatureOptions): Promise<Features> {
  const {
    settingsFile,
    pluginDirs = [],
    optionalPlugins = [],
    env = {},
    log = quiet,
    now = Date.now,
  } = options;
  const settings = readSettings(settingsFile);
  const plugins: Plugins = loadPlugins({
    dirs: [builtinDir, ...pluginDirs],
    optional: [...optionalPlugins, ...settings.optional_plugins],
    log,
  });
  const counters = createCounters();
  let setup: Setup = setUp(settings, plugins, { env, now, before: [] });
  let stamp = stampOf(settingsFile);
  let lookedAt = now();

  async function reload(): Promise<void> {
    stamp = stampOf(settingsFile);
    const before: Model[] = [...setup.models.values()];
    setup = setUp(readSettings(settingsFile), plugins, { env, now, before });
    await closeUnused(before, setup);
  }
  /** Follows the settings file. A wrong one is told once in the log, and the settings in use stay. */
  function follow(): void {
    if (now() - lookedAt < lookEveryMs) return;
    lookedAt = now();
    if (stampOf(settingsFile) === stamp) return;
    reload().then(
      () => log.info('features: settings reloaded'),
      (error: unknown) =>
        log.warn(
          `features: settings unchanged, since ${error instanceof BonafideError ? error.message : 'they could not be read'}`,
        ),
    );
  }
  return {
    insights(request) {
      follow();
      return insights(request, setup, { now, counters, log });
    },
    reload,
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
    close: () => closeUnused([...setup.models.values()], undefined),
  };
}

interface Tools {
  now: () => number;
  counters: ReturnType<typeof createCounters>;
  log: { warn(line: string): void };
}

const notRequested = { ai_enabled: false, reason: 'Not requested' };

/** Narrative always runs, since `overview` cannot be left out; the others only where they are asked for. */
async function insights(request: FeatureRequest, setup: Setup, tools: Tools): Promise<object> {
  const run = (slot: Slot): Promise<FeatureResult> => runFeature(setup.features[slot], request, tools);
  if (request.endpoint === 'validate_ai') {
    const { failed, blocks } = await run('trust_enhancement');
    return {
      ai_enabled: !failed,
      trust_enhancement: failed ? null : blocks.trust_enhancement,
      overview: failed ? null : blocks.overview,
      fraud_detection: null,
      name_matching: null,
    };
  }
  const { include } = request;
  const [narrative, fraud, names] = await Promise.all([
    run('trust_enhancement'),
    include.fraud_detection ? run('fraud_detection') : undefined,
    include.name_matching ? run('name_matching') : undefined,
  ]);
  const asked = [narrative, fraud, names].filter((result) => result !== undefined);
  return {
    ai_enabled: asked.some((result) => !result.failed),
    trust_enhancement: include.trust_enhancement ? narrative.blocks.trust_enhancement : notRequested,
    overview: narrative.blocks.overview,
    fraud_detection: fraud?.blocks.fraud_detection ?? notRequested,
    name_matching: names?.blocks.name_matching ?? notRequested,
  };
}
