// Builds `dist`, which runs where types are not stripped: below node_modules. It mirrors the repository, so that what lies
// beside the code is found the same way (src/platform/assets.ts). File by file and without a bundler: a stack still
// names the module that it came from, and the declarations are those of the code that runs.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const ASSETS = ['data/names', 'data/generate', 'data/sample', 'data/docs', 'src/store/sqlite/migrations'];

rmSync(DIST, { recursive: true, force: true });
execFileSync(process.execPath, [TSC, '--project', join(import.meta.dirname, 'build.json')], {
  stdio: 'inherit',
});
for (const asset of ASSETS) cpSync(join(ROOT, asset), join(DIST, asset), { recursive: true });
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'])
  cpSync(join(ROOT, 'node_modules/swagger-ui-dist', file), join(DIST, 'swagger-ui', file));
