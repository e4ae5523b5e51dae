// Loads one plugin's file or folder, in the thread that asks for it.
import { createRequire, registerHooks } from 'node:module';
import { BonafideError } from '../errors.ts';
import type { AnyFeature, AnyModel } from './plugin/define.ts';
import type { AnyGraph } from './plugin/graph.ts';
import { findPluginFormProblem } from './plugin/form.ts';
import { pathToFileURL } from 'node:url';
import { getModuleFile } from '../platform/assets.ts';
import { spawnSync } from 'node:child_process';
import { isSea } from 'node:sea';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type AnyPlugin = AnyFeature | AnyModel | AnyGraph;

/**
 * Loads one file, or one folder with a package.json or an index.
 * @returns the plugins it exports: one or more
 * Errors: invalid_config, in one line that names the path and says what is expected.
 */
export function loadPluginFile(path: string): AnyPlugin[] {
  registerPluginModules();
  let start = path;
  try {
    start = findEntryFile(path);
    return getExportedPlugins(createRequire(start)(start) as { default?: unknown });
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
    const problem = findPluginFormProblem(plugin);
    if (problem) throw new Error(problem);
  }
  return plugins as AnyPlugin[];
}

// Gives every plugin the running copy of the contract under its public name, so that a plugin needs no node_modules
// beside it and never loads a second Bonafide.
const HOST_MODULES = new Map([
  ['bonafide/plugin', 'features/plugin/index'],
  ['bonafide/plugin/test', 'features/plugin/test/index'],
]);
let isRegistered = false;

/** Makes `bonafide/plugin` and `bonafide/plugin/test` resolve to this Bonafide, from now on and everywhere. */
export function registerPluginModules(): void {
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

// Why a plugin does not load, in one line.
/** Half a sentence on why a file could not be loaded, with file and line where its syntax is wrong. */
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

/** Node begins a stack, or what it prints, with `file:///a/b.ts:3` where a syntax error is. */
function findErrorPosition(text: string | undefined): string | undefined {
  return /^(?:file:\/\/)?(\/[^\n]*|[A-Za-z]:[^\n]*):(\d+)$/m
    .exec(text?.split('\n')[0] ?? '')
    ?.slice(1)
    .join(', line ');
}

/** The error of a required ES module does not say where it is; Node's own check of the file does, where Node is a program of its own. */
function checkSyntax(file: string): string {
  if (isSea()) return '';
  return spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 }).stderr ?? '';
}

// Which files are plugins: a file by its path, or what lies in a folder.
const ENTRY_FILES = ['index.ts', 'index.mts', 'index.mjs', 'index.js'];

const isFolder = (path: string) => statSync(path).isDirectory();

/**
 * The plugins that a path of the settings stands for: the file itself, or what a folder holds, sorted by name.
 * Files are `.ts`, `.mts`, `.mjs` and `.js`; each folder within is one plugin. Hidden ones, declarations and tests are not plugins.
 * Errors: file_not_found.
 */
export function listPluginFiles(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new BonafideError('file_not_found', `The plugin file or folder ${path} does not exist.`);
  if (!stat.isDirectory()) return [path];
  return entriesOf(path)
    .filter((entry) => !entry.startsWith('.') && entry !== 'node_modules')
    .map((entry) => join(path, entry))
    .filter((entry) => isFolder(entry) || /\.(m?js|m?ts)$/.test(entry))
    .filter((entry) => !/\.(d|test)\.m?[jt]s$/.test(entry));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    throw new BonafideError('file_not_found', `The plugin folder ${folder} cannot be read.`);
  }
}

/**
 * The file that a plugin starts with: itself, or of a folder what its package.json names as `main`, else its index.
 * @returns the path; throws a plain Error whose message is half a sentence
 */
function findEntryFile(path: string): string {
  if (!isFolder(path)) return path;
  const manifest = join(path, 'package.json');
  const main = existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as { main?: string }).main;
  const choices = main ? [main] : ENTRY_FILES;
  const found = choices.map((choice) => join(path, choice)).find((file) => existsSync(file));
  if (!found) throw new Error(`it has none of ${choices.join(', ')}`);
  return found;
}
