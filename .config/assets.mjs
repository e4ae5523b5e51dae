// Copies the files that the code reads at run time: every build has them beside its code, as a clone has.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listShippedPackages } from '../src/platform/shipped-packages.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = [
  'data/names',
  'data/import',
  'data/generate',
  'data/sample',
  'data/docs',
  'README.md',
  'src/store/sqlite/migrations',
  'src/store/postgres/migrations',
];
const SWAGGER_UI = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'];

/** Copies the files below a folder that mirrors the repository. */
export function copyAssets(to) {
  for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(to, folder), { recursive: true });
  for (const file of SWAGGER_UI)
    copy(join('node_modules/swagger-ui-dist', file), join(to, 'swagger-ui', file));
  execFileSync(process.execPath, [join(ROOT, '.config/console.mjs'), join(to, 'console')], {
    stdio: 'inherit',
  });
  writeFileSync(join(to, 'licences.json'), JSON.stringify(listShippedPackages()));
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(ROOT, from), to);
}
