// What lies beside the code in a clone, and is read there: every build carries it along.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['data/names', 'data/generate', 'data/sample', 'data/docs', 'src/store/sqlite/migrations'];
const SWAGGER_UI = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'];

/** Copies them below a folder that mirrors the repository. */
export function copyAssets(to) {
  for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(to, folder), { recursive: true });
  for (const file of SWAGGER_UI)
    cpSync(join(ROOT, 'node_modules/swagger-ui-dist', file), join(to, 'swagger-ui', file));
}
