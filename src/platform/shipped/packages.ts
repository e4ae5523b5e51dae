// The packages that come with Bonafide: whose work they are, and under which licence.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Package {
  name: string;
  version: string;
  /** The licence by its SPDX identifier. */
  licence: string;
  /** The licence's own text; null where the package brings none. */
  text: string | null;
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
}

/**
 * All packages that the named ones need, with them, each version once, by name.
 * @param root folder whose `node_modules` holds them
 */
export function packagesFor(root: string, names: readonly string[]): Package[] {
  const found = new Map<string, Package>();
  const add = (name: string, from: string): void => {
    const folder = folderOf(name, from);
    if (folder === null) return;
    const one = packageIn(folder);
    const key = `${one.name}@${one.version}`;
    if (found.has(key)) return;
    found.set(key, one);
    for (const needed of Object.keys(manifestIn(folder).dependencies ?? {})) add(needed, folder);
  };
  for (const name of names) add(name, root);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The named packages alone. */
export function packagesAt(root: string, names: readonly string[]): Package[] {
  return names.flatMap((name) => {
    const folder = folderOf(name, root);
    return folder === null ? [] : [packageIn(folder)];
  });
}

/** @param folder the package's own */
export function packageIn(folder: string): Package {
  const { name, version, license = 'unknown' } = manifestIn(folder);
  return { name, version, licence: license, text: licenceText(folder) };
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Where Node would find a package from a folder: the nearest `node_modules` above that has it. */
function folderOf(name: string, from: string): string | null {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === dirname(from) ? null : folderOf(name, dirname(from));
}

function licenceText(folder: string): string | null {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return texts.length === 0 ? null : texts.join('\n\n');
}
