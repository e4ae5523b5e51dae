// bundle.mjs FOLDER: builds the program with the layout of the executable.
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeHome } from '../../../.config/binary/home.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = process.argv[2];
const node = { version: process.versions.node, text: '' };
await makeHome(folder, { target: `${process.platform}-${process.arch}`, node });
// Threads of the program and the test process open the same files: two copies of SQLite in one process would not see each other's locks.
const packages = `${folder}/node_modules`;
rmSync(join(packages, 'better-sqlite3'), { recursive: true });
symlinkSync(join(ROOT, 'node_modules/better-sqlite3'), join(packages, 'better-sqlite3'), 'junction');
