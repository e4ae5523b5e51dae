// Loads plugins. Bonafide's own come through this door like an operator's.
import { createRequire } from 'node:module';
import { basename, extname, resolve } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { BUILTIN_PLUGINS } from '../../platform/assets.ts';
import type { AnyFeature, AnyModel } from '../plugin/define.ts';
import { pluginProblem } from '../plugin/form.ts';
import { RULES } from '../rules.ts';
import { pluginsAt, startOf } from './find.ts';
import { giveContract } from './host.ts';
import { troubleOf } from './trouble.ts';

export type Plugin = AnyFeature | AnyModel;

/** One plugin as lists show it. */
export interface Loaded {
  kind: Plugin['kind'];
  name: string;
  version: string;
  /** The file or folder; null for one that comes with Bonafide. */
  path: string | null;
}
export interface Plugins {
  features: Map<string, AnyFeature>;
  models: Map<string, AnyModel>;
  /** All of them, in the order in which they were loaded. */
  loaded: Loaded[];
}
export interface LoadOptions {
  /** An operator's plugins: files, or folders of them. Default none. */
  paths?: readonly string[];
  /** File or folder names (without extension) that are skipped when they do not load. */
  optional: readonly string[];
  log: { info(line: string): void; warn(line: string): void };
}

/**
 * Loads one file, or one folder with a package.json or an index.
 * @returns the plugins it exports: one or more
 * Errors: invalid_config, in one line that names the path and says what is expected.
 */
export function loadPlugin(path: string): Plugin[] {
  giveContract();
  let start = path;
  try {
    start = startOf(path);
    return pluginsOf(createRequire(start)(start) as { default?: unknown });
  } catch (error) {
    throw new BonafideError('invalid_config', `plugin ${path} does not load: ${troubleOf(error, start)}.`);
  }
}

function pluginsOf(loaded: { default?: unknown }): Plugin[] {
  const exported = loaded.default ?? loaded;
  const plugins: unknown[] = Array.isArray(exported) ? exported : [exported];
  if (plugins.length === 0) throw new Error('it exports no plugin');
  for (const plugin of plugins) {
    const problem = pluginProblem(plugin);
    if (problem) throw new Error(problem);
  }
  return plugins as Plugin[];
}

function add(plugins: Plugins, plugin: Plugin, path: string | null): void {
  const { kind, name, version } = plugin;
  const taken = kind === 'feature' ? plugins.features.has(name) : plugins.models.has(name);
  if (taken) {
    const problem = `the ${kind} name "${name}" is taken by another plugin`;
    throw new BonafideError('invalid_config', `plugin ${path} does not load: ${problem}.`);
  }
  if (kind === 'feature') plugins.features.set(name, plugin);
  else plugins.models.set(name, plugin);
  plugins.loaded.push({ kind, name, version, path });
}

function loadBuiltin(plugins: Plugins): void {
  for (const path of pluginsAt(BUILTIN_PLUGINS)) {
    for (const plugin of loadPlugin(path)) add(plugins, plugin, null);
  }
  add(plugins, RULES as AnyModel, null);
}

/**
 * Loads Bonafide's plugins, then the operator's, naming each in the log with its version.
 * @returns features and models by name
 * Errors: invalid_config for the first plugin that does not load and is not optional; file_not_found.
 */
export function loadPlugins({ paths = [], optional, log }: LoadOptions): Plugins {
  const plugins: Plugins = { features: new Map(), models: new Map(), loaded: [] };
  loadBuiltin(plugins);
  const builtin = plugins.loaded.map(({ name, version }) => `${name} ${version}`);
  for (const path of paths.flatMap((one) => pluginsAt(resolve(one)))) {
    try {
      for (const plugin of loadPlugin(path)) {
        add(plugins, plugin, path);
        log.info(`plugin ${plugin.name} ${plugin.version} (${plugin.kind}, ${path})`);
      }
    } catch (error) {
      if (!(error instanceof BonafideError) || !optional.includes(basename(path, extname(path)))) throw error;
      log.warn(`${error.message} It is marked optional and was skipped.`);
    }
  }
  log.info(`plugins built in: ${builtin.join(', ')}`);
  return plugins;
}
