// Which files are plugins: a file by its path, or what lies in a folder.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';

const STARTS = ['index.ts', 'index.mts', 'index.mjs', 'index.js'];

const isFolder = (path: string) => statSync(path).isDirectory();

/**
 * The plugins that a path of the settings stands for: the file itself, or what a folder holds, sorted by name.
 * Files are `.ts`, `.mts`, `.mjs` and `.js`; each folder within is one plugin. Hidden ones, declarations and tests are not plugins.
 * Errors: file_not_found.
 */
export function pluginsAt(path: string): string[] {
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
export function startOf(path: string): string {
  if (!isFolder(path)) return path;
  const manifest = join(path, 'package.json');
  const main = existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as { main?: string }).main;
  const choices = main ? [main] : STARTS;
  const found = choices.map((choice) => join(path, choice)).find((file) => existsSync(file));
  if (!found) throw new Error(`it has none of ${choices.join(', ')}`);
  return found;
}
