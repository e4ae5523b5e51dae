// Builds `dist`, which runs where types are not stripped: below node_modules. It mirrors the repository, so that what lies
// beside the code is found the same way (src/platform/assets.ts). File by file and without a bundler: a stack still
// names the module that it came from, and the declarations are those of the code that runs.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { copyAssets } from './assets.mjs';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

// But for the pages, which a server that runs from the sources may be showing: they are put in place of the old ones file by file.
for (const name of existsSync(DIST) ? readdirSync(DIST) : [])
  if (name !== 'console') rmSync(join(DIST, name), { recursive: true, force: true });
execFileSync(
  process.execPath,
  [TSC, '--project', join(import.meta.dirname, 'build.json'), '--checkers', '1'],
  {
    stdio: 'inherit',
  },
);
copyAssets(DIST);
process.stdout.write('Built dist: the program as JavaScript, its declarations and its data.\n');
