// Loading of plugins. Built-in plugins run in this process; each plugin file of the operator runs in a separate thread.
import { basename, extname, resolve } from 'node:path';
import { BonafideError } from '../errors.ts';
import { BUILTIN_PLUGINS_FOLDER } from '../platform/assets.ts';
import { type AnyFeature, type AnyModel, defineModel } from './plugin/define.ts';
import { createLocalFeatureRunner, createLocalModelRunner } from './running/local.ts';
import { createThreadPluginRunners, type PluginRunnerWithKind } from './running/remote.ts';
import type { FeatureRunner, ModelRunner } from './running/runner.ts';
import { openRestartingPluginThread, type RestartingPluginThread } from './running/thread.ts';
import { loadPluginsFromPath, type AnyPlugin, listPluginFiles } from './plugin-file.ts';
import { ModelError } from './plugin/errors.ts';

export interface LoadedPlugin {
  kind: AnyPlugin['kind'];
  name: string;
  version: string;
  /** Path of the plugin's file or folder; null for a built-in plugin. */
  path: string | null;
}
export interface PluginRegistry {
  features: Map<string, FeatureRunner>;
  models: Map<string, ModelRunner>;
  /** Graph plugins by name. They run as models whose input is a graph question instead of facts. */
  graphs: Map<string, ModelRunner>;
  loaded: LoadedPlugin[];
  close(): Promise<void>;
}
export interface LoadPluginsOptions {
  /** Paths of the operator's plugin files, or of folders with plugins. Default: none. */
  paths?: readonly string[];
  /** Names of plugin files or folders (without extension) that are skipped if they cannot be loaded. */
  optional: readonly string[];
  /** True to log and skip a path that does not exist. */
  skipMissing?: boolean;
  log: { info(line: string): void; warn(line: string): void };
  memoryMb?: number;
  /** Environment variables with the API keys of model providers. */
  env?: Readonly<Record<string, string | undefined>>;
  now?: () => number;
}

function registerPlugin(
  plugins: PluginRegistry,
  { kind, runner }: PluginRunnerWithKind,
  path: string | null,
): void {
  const { name, version } = runner;
  const { features, models, graphs } = plugins;
  if ({ feature: features, model: models, graph: graphs }[kind].has(name)) {
    const problem = `the ${kind} name "${name}" is taken by another plugin`;
    throw new BonafideError('invalid_config', `plugin ${path} does not load: ${problem}.`);
  }
  if ('gives' in runner) features.set(name, runner);
  else (kind === 'graph' ? graphs : models).set(name, runner);
  plugins.loaded.push({ kind, name, version, path });
}

const runHere = (plugin: AnyFeature | AnyModel): PluginRunnerWithKind => ({
  kind: plugin.kind,
  runner: plugin.kind === 'feature' ? createLocalFeatureRunner(plugin) : createLocalModelRunner(plugin),
});

export function loadBuiltinPlugins(): AnyPlugin[] {
  return [...listPluginFiles(BUILTIN_PLUGINS_FOLDER).flatMap(loadPluginsFromPath), RULES_MODEL as AnyModel];
}

/**
 * Loads the built-in plugins, then the operator's, and logs each. @returns features, models and graphs by name Errors: file_not_found;
 * invalid_config for a plugin that cannot be loaded and is not optional.
 */
export async function loadPlugins(options: LoadPluginsOptions): Promise<PluginRegistry> {
  const threads: RestartingPluginThread[] = [];
  const plugins: PluginRegistry = {
    features: new Map(),
    models: new Map(),
    graphs: new Map(),
    loaded: [],
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
  for (const plugin of loadBuiltinPlugins())
    if (plugin.kind !== 'graph') registerPlugin(plugins, runHere(plugin), null);
  const builtin = plugins.loaded.map(({ name, version }) => `${name} ${version}`);
  try {
    for (const path of (options.paths ?? []).flatMap((path) => listFilesOf(resolve(path), options)))
      await loadOperatorPlugins(plugins, { path, options, threads });
  } catch (error) {
    await plugins.close();
    throw error;
  }
  options.log.info(`plugins built in: ${builtin.join(', ')}`);
  return plugins;
}

function listFilesOf(path: string, { skipMissing = false, log }: LoadPluginsOptions): string[] {
  try {
    return listPluginFiles(path);
  } catch (error) {
    if (!skipMissing || !(error instanceof BonafideError) || error.code !== 'file_not_found') throw error;
    log.warn(`${error.message} It is named by the setting plugins and was skipped.`);
    return [];
  }
}

interface OperatorPluginFile {
  path: string;
  options: LoadPluginsOptions;
  threads: RestartingPluginThread[];
}

async function loadOperatorPlugins(
  plugins: PluginRegistry,
  { path, options, threads }: OperatorPluginFile,
): Promise<void> {
  const { optional, log, memoryMb = 256, env = {}, now = () => performance.now() } = options;
  try {
    const thread = await openRestartingPluginThread({ path, memoryMb, env, log, now });
    threads.push(thread);
    for (const remote of createThreadPluginRunners(thread)) {
      registerPlugin(plugins, remote, path);
      const { kind, runner } = remote;
      log.info(`plugin ${runner.name} ${runner.version} (${kind}, ${path})`);
    }
  } catch (error) {
    if (!(error instanceof BonafideError) || !optional.includes(basename(path, extname(path)))) throw error;
    log.warn(`${error.message} It is marked optional and was skipped.`);
  }
}

// Model named `rules`: answers at once and deterministically with the feature's own rules, without an AI model.
const RULES_MODEL = defineModel({
  name: 'rules',
  version: '1.0.0',
  instant: true,
  generate({ rules }) {
    if (rules) return rules();
    throw new ModelError(
      'model_misconfigured',
      'This feature has no rules of its own; choose a model for it.',
    );
  },
});
