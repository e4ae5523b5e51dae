import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';

/** The Node that is put into the executable of a platform, from the package that the lock file pins. */
export function nodeFor(target) {
  const file = join(import.meta.dirname, '../../node_modules', `node-${target}`, 'bin/node');
  if (existsSync(file)) return file;
  throw new Error(`There is no ${file}.`);
}
