import { createRequire, registerHooks } from 'node:module';
import { BonafideError } from '../errors.ts';
import type { AnyFeature, AnyModel } from './plugin/define.ts';
import type { AnyGraph } from './plugin/graph.ts';
import { describeInvalidPluginProperty } from './plugin/member-rules.ts';
import { pathToFileURL } from 'node:url';
import { getModuleFile } from '../platform/assets.ts';
import { readTextFile, requireRegularFileWithinLimit } from '../platform/files.ts';
import { spawnSync } from 'node:child_process';
import { isSea } from 'node:sea';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type AnyPlugin = AnyFeature | AnyModel | AnyGraph;

const MAX_PLUGIN_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Loads a plugin file, or a folder with a package.json or an index file. @returns the exported plugins, at least one Errors: invalid_config; the
 * message names the path and the cause.
 */
export function loadPluginsFromPath(path: string): AnyPlugin[] {
  registerPluginImportHooks();
  let start = path;
  try {
    start = findEntryFile(path);
    const require = createRequire(start);
    // `main` of a package.json can be a folder, whose file the module system finds.
    start = require.resolve(start);
    requireRegularFileWithinLimit(statSync(start), start, MAX_PLUGIN_FILE_BYTES);
    return getExportedPlugins(require(start) as { default?: unknown });
  } catch (error) {
    throw new BonafideError(
      'invalid_config',
      `plugin ${path} does not load: ${describeLoadError(error, start)}.`,
    );
  }
}

function getExportedPlugins(loaded: { default?: unknown }): AnyPlugin[] {
  const exported = loaded.default ?? loaded;
  const plugins: unknown[] = Array.isArray(exported) ? exported : [exported];
  if (plugins.length === 0) throw new Error('it exports no plugin');
  for (const plugin of plugins) {
    const problem = describeInvalidPluginProperty(plugin);
    if (problem) throw new Error(problem);
  }
  return plugins as AnyPlugin[];
}

const HOST_MODULES = new Map([
  ['bonafide/plugin', 'features/plugin/index'],
  ['bonafide/plugin/test', 'features/plugin/test/index'],
]);
let isRegistered = false;

/** Makes imports of `bonafide/plugin` and `bonafide/plugin/test` resolve to this Bonafide in the whole process. */
export function registerPluginImportHooks(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, next) {
      const module = HOST_MODULES.get(specifier);
      return module === undefined
        ? next(specifier, context)
        : { url: pathToFileURL(getModuleFile(module)).href, shortCircuit: true };
    },
  });
}

/** Describes in half a sentence why a plugin file could not be loaded, with file and line of a syntax error. */
function describeLoadError(error: unknown, file: string): string {
  if (!(error instanceof Error)) return firstLine(String(error));
  const text = firstLine(error.message);
  if (isAsync(error))
    return 'it has a top-level await, which a plugin cannot have; `open` of a model may be async';
  if (!(error instanceof SyntaxError)) return text;
  const place = findErrorPosition(error.stack) ?? findErrorPosition(checkSyntax(file));
  return place ? `${text} (${place})` : text;
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').trim().replace(/\.$/, '');
}

function isAsync(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_REQUIRE_ASYNC_MODULE';
}

function findErrorPosition(text: string | undefined): string | undefined {
  return /^(?:file:\/\/)?(\/[^\n]*|[A-Za-z]:[^\n]*):(\d+)$/m
    .exec(text?.split('\n')[0] ?? '')
    ?.slice(1)
    .join(', line ');
}

/**
 * Returns the output of `node --check` for a file, which has the position of a syntax error. Empty in a single executable, which has no separate
 * Node.
 */
function checkSyntax(file: string): string {
  if (isSea()) return '';
  return spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 }).stderr ?? '';
}

// Names of the index files of a plugin folder, in the order in which they are tried.
const ENTRY_FILES = ['index.ts', 'index.mts', 'index.mjs', 'index.js'];

/** False for a symbolic link without a target: it is reported when it is loaded, with its path. */
const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/** Lists the plugin file `path`, or the plugins in the folder `path`. Errors: file_not_found; invalid_config for a name with control characters. */
export function listPluginFiles(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat)
    throw new BonafideError(
      'file_not_found',
      `The plugin file or folder ${path} does not exist. Check the path.`,
    );
  const files = stat.isDirectory()
    ? entriesOf(path)
        .filter((entry) => !entry.startsWith('.') && entry !== 'node_modules')
        .map((entry) => join(path, entry))
        .filter((entry) => /\.(m?js|m?ts)$/.test(entry) || isFolder(entry))
        .filter((entry) => !/\.(d|test)\.m?[jt]s$/.test(entry))
    : [path];
  const odd = files.find((file) => /\p{Cc}/u.test(file));
  if (odd === undefined) return files;
  throw new BonafideError(
    'invalid_config',
    `The path of the plugin ${odd.replaceAll(/\p{Cc}/gu, '?')} contains control characters. Rename the file or folder.`,
  );
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    throw new BonafideError(
      'file_not_found',
      `The plugin folder ${folder} cannot be read. Check its permissions.`,
    );
  }
}

/**
 * Finds the entry file of a plugin: the file itself; in a folder, the file `main` of its package.json, or else an index file. Throws a plain Error
 * whose message continues a sentence about the plugin (`it contains none of …`).
 */
function findEntryFile(path: string): string {
  if (!isFolder(path)) return path;
  const manifest = join(path, 'package.json');
  const main = existsSync(manifest) && (JSON.parse(readTextFile(manifest)) as { main?: string }).main;
  const choices = main ? [main] : ENTRY_FILES;
  const entryFile = choices.map((choice) => join(path, choice)).find((file) => existsSync(file));
  if (!entryFile) throw new Error(`it contains none of ${choices.join(', ')}`);
  return entryFile;
}
