// Loads plugins. Bonafide's own come through this door like an operator's.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, extname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { BonafideError } from '../errors.ts';
import { BUILTIN_PLUGINS } from '../platform/assets.ts';
import type { AnyFeature, AnyModel } from './define.ts';
import { allowedFacts } from './facts.ts';
import { slots } from './settings.ts';

export interface Plugins {
  features: Map<string, AnyFeature>;
  models: Map<string, AnyModel>;
}
export interface LoadOptions {
  /** Folders of plugins, Bonafide's own first. */
  dirs: readonly string[];
  /** File or folder names (without extension) that are skipped when they do not load. */
  optional: readonly string[];
  log: { info(line: string): void; warn(line: string): void };
}

export const builtinDir = BUILTIN_PLUGINS;

// Node 24 can require an ES module, TypeScript included; the hook gives every plugin the host's contract under one name,
// so that a plugin needs no node_modules beside it.
let hooked = false;
function hook(): void {
  if (hooked) return;
  hooked = true;
  const url = new URL('./define.ts', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'bonafide/plugin' ? { url, shortCircuit: true } : next(specifier, context),
  });
}

const semver = v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+/));
const name = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/));
const fn = v.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
const schemaLike = v.looseObject({ kind: v.literal('schema') });

const pluginShape = v.variant('kind', [
  v.looseObject({
    kind: v.literal('feature'),
    name,
    version: semver,
    gives: v.picklist(slots),
    facts: v.array(v.string()),
    options: v.optional(schemaLike),
    answer: schemaLike,
    brief: fn,
    system: fn,
    rules: v.optional(fn),
    finish: fn,
  }),
  v.looseObject({
    kind: v.literal('model'),
    name,
    version: semver,
    options: v.optional(schemaLike),
    generate: fn,
  }),
]);

/** What is wrong with a value that should be a plugin, as half a sentence; undefined when nothing is. */
export function pluginProblem(plugin: unknown): string | undefined {
  const result = v.safeParse(pluginShape, plugin);
  if (!result.success) {
    const issue = result.issues[0];
    return `${v.getDotPath(issue) ?? 'its default export'} is missing or not of the right form (see the plugin contract)`;
  }
  if (result.output.kind === 'model') return undefined;
  const allowed: readonly string[] = allowedFacts[result.output.gives];
  const refused = result.output.facts.find((fact) => !allowed.includes(fact));
  if (refused === undefined) return undefined;
  return `a ${result.output.gives} feature may not have the fact "${refused}", only ${allowed.join(', ')}`;
}

/** The files and folders of a plugin folder that are plugins, by name. */
function candidates(dir: string): string[] {
  let entries: string[];
  try {
    entries = readdirSync(dir).sort();
  } catch {
    throw new BonafideError('file_not_found', `The plugin folder ${dir} does not exist or cannot be read.`);
  }
  return entries
    .filter((entry) => !entry.startsWith('.') && entry !== 'node_modules')
    .map((entry) => join(dir, entry))
    .filter((path) => statSync(path).isDirectory() || /\.(mjs|js|ts)$/.test(path))
    .filter((path) => !/\.(d|test)\.(m?ts|mjs|js)$/.test(path));
}

function entryOf(path: string): string {
  if (!statSync(path).isDirectory()) return path;
  const manifest = join(path, 'package.json');
  const main = existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as { main?: string }).main;
  const choices = main ? [main] : ['index.ts', 'index.mjs', 'index.js'];
  const found = choices.map((choice) => join(path, choice)).find((file) => existsSync(file));
  if (!found) throw new Error(`it has none of ${choices.join(', ')}`);
  return found;
}

/** Loads one file or package folder. @throws Error whose message is half a sentence on what is wrong */
export function loadPlugin(path: string): (AnyFeature | AnyModel)[] {
  hook();
  const entry = entryOf(path);
  const loaded = createRequire(entry)(entry) as { default?: unknown };
  const exported = loaded.default ?? loaded;
  const plugins = Array.isArray(exported) ? exported : [exported];
  if (plugins.length === 0) throw new Error('it exports no plugin');
  for (const plugin of plugins) {
    const problem = pluginProblem(plugin);
    if (problem) throw new Error(problem);
  }
  return plugins as (AnyFeature | AnyModel)[];
}

function add(plugins: Plugins, plugin: AnyFeature | AnyModel): void {
  const place = plugin.kind === 'feature' ? plugins.features : plugins.models;
  if (place.has(plugin.name))
    throw new Error(`the ${plugin.kind} name "${plugin.name}" is taken by another plugin`);
  place.set(plugin.name, plugin as AnyFeature & AnyModel);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').trim().replace(/\.$/, '');
}

/**
 * Loads every plugin of the folders, naming each in the log with its version.
 * @throws BonafideError `invalid_config` naming the first plugin that does not load and is not optional, in one line.
 */
export function loadPlugins({ dirs, optional, log }: LoadOptions): Plugins {
  const plugins: Plugins = { features: new Map(), models: new Map() };
  const own: string[] = [];
  for (const dir of dirs.map((one) => resolve(one))) {
    for (const path of candidates(dir)) {
      try {
        for (const plugin of loadPlugin(path)) {
          add(plugins, plugin);
          const named = `${plugin.name} ${plugin.version}`;
          if (dir === builtinDir) own.push(named);
          else log.info(`plugin ${named} (${plugin.kind}, ${path})`);
        }
      } catch (error) {
        const problem = `plugin ${path} does not load: ${firstLine(error)}.`;
        if (!optional.includes(basename(path, extname(path))))
          throw new BonafideError('invalid_config', problem);
        log.warn(`${problem} It is marked optional and was skipped.`);
      }
    }
  }
  log.info(`plugins built in: ${own.join(', ')}`);
  return plugins;
}
