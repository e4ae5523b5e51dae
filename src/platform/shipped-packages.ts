// The packages that come with Bonafide: whose work they are, and under which licence.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGE_FOLDER } from './assets.ts';

export interface ShippedPackage {
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
export function listPackageTree(root: string, names: readonly string[]): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>();
  const add = (name: string, from: string): void => {
    const folder = findPackageFolder(name, from);
    if (folder === null) return;
    const one = readPackage(folder);
    const key = `${one.name}@${one.version}`;
    if (found.has(key)) return;
    found.set(key, one);
    for (const needed of Object.keys(manifestIn(folder).dependencies ?? {})) add(needed, folder);
  };
  for (const name of names) add(name, root);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The named packages alone. */
export function listPackages(root: string, names: readonly string[]): ShippedPackage[] {
  return names.flatMap((name) => {
    const folder = findPackageFolder(name, root);
    return folder === null ? [] : [readPackage(folder)];
  });
}

/** @param folder the package's own */
export function readPackage(folder: string): ShippedPackage {
  const { name, version, license = 'unknown' } = manifestIn(folder);
  return { name, version, licence: license, text: licenceText(folder) };
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Where Node would find a package from a folder: the nearest `node_modules` above that has it. */
function findPackageFolder(name: string, from: string): string | null {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === dirname(from) ? null : findPackageFolder(name, dirname(from));
}

function licenceText(folder: string): string | null {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return texts.length === 0 ? null : texts.join('\n\n');
}

// What comes with Bonafide that others made. A build writes the list down, for it has no packages beside it any more.
/** Where a build keeps the list. */
const LIST_FILE = 'licences.json';
/** Bundled by their makers or by a build, and served to browsers; what they were made from does not come along. */
const BROWSER_PACKAGES = ['swagger-ui-dist', 'preact', 'uplot'];

/** Every package whose code is part of Bonafide, by name. */
export function listShippedPackages(): ShippedPackage[] {
  const list = join(PACKAGE_FOLDER, LIST_FILE);
  if (existsSync(list)) return JSON.parse(readFileSync(list, 'utf8')) as ShippedPackage[];
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return [
    ...listPackageTree(PACKAGE_FOLDER, Object.keys(dependencies)),
    ...listPackages(PACKAGE_FOLDER, BROWSER_PACKAGES),
  ];
}
