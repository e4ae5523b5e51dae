// Builds `dist` for installations below node_modules, where Node strips no types. It mirrors the repository, so that files beside the code
// are found the same way (src/platform/assets.ts). Each file is compiled separately, without a bundler: stack traces name the modules, and
// the declarations are those of the code that runs.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { copyAssets } from './assets.mjs';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

// Keeps the pages of the console, which a server that runs from the sources may be serving: .config/console.mjs replaces them file by file.
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
