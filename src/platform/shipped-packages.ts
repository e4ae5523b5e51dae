// Packages of other authors that are part of Bonafide, with their licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGE_FOLDER } from './assets.ts';

export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX identifier of the licence. */
  licence: string;
  /** Text of the licence; null if the package contains none. */
  text: string | null;
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
}

/**
 * Lists the named packages and all packages that they depend on, sorted by name, each version once. @param root folder that contains
 * `node_modules`
 */
function listPackageTree(root: string, names: readonly string[]): ShippedPackage[] {
  const packages = new Map<string, ShippedPackage>();
  const add = (name: string, from: string): void => {
    const folder = findPackageFolder(name, from);
    if (folder === null) return;
    const shippedPackage = readPackage(folder);
    const key = `${shippedPackage.name}@${shippedPackage.version}`;
    if (packages.has(key)) return;
    packages.set(key, shippedPackage);
    for (const needed of Object.keys(manifestIn(folder).dependencies ?? {})) add(needed, folder);
  };
  for (const name of names) add(name, root);
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function listPackages(root: string, names: readonly string[]): ShippedPackage[] {
  return names.flatMap((name) => {
    const folder = findPackageFolder(name, root);
    return folder === null ? [] : [readPackage(folder)];
  });
}

/** Reads the name, version and licence of the package in a folder. */
function readPackage(folder: string): ShippedPackage {
  const { name, version, license = 'unknown' } = manifestIn(folder);
  return { name, version, licence: license, text: licenceText(folder) };
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Returns the folder of a package as Node resolves it, in the nearest `node_modules` above `from`; null if there is none. */
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

// A build writes the list of packages to a file, because the built program has no node_modules.
const LIST_FILE = 'licences.json';
/** Packages that are bundled for browsers, without their dependencies. */
const BROWSER_PACKAGES = ['swagger-ui-dist', 'preact', 'uplot'];

/** Lists all packages whose code is part of Bonafide, sorted by name. */
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
