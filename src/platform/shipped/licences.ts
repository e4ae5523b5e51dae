// What comes with Bonafide that others made. A build writes the list down, for it has no packages beside it any more.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../assets.ts';
import { packagesAt, packagesFor } from './packages.ts';
import type { Package } from './packages.ts';

/** Where a build keeps the list. */
const LIST = 'licences.json';
/** Bundled by their makers or by a build, and served to browsers; what they were made from does not come along. */
const SERVED = ['swagger-ui-dist', 'preact', 'uplot'];

/** Every package whose code is part of Bonafide, by name. */
export function shippedPackages(): Package[] {
  const list = join(ROOT, LIST);
  if (existsSync(list)) return JSON.parse(readFileSync(list, 'utf8')) as Package[];
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return [...packagesFor(ROOT, Object.keys(dependencies)), ...packagesAt(ROOT, SERVED)];
}
