// Removes from node_modules what nothing reads: C headers of Node, the sources of SQLite, and source maps. They are a third of an
// installation. npm runs this after each install, on any Node.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '../node_modules');
const FOLDERS = [/^node-(?:bin-)?\w+-\w+\/include$/, /^better-sqlite3\/(?:deps|src)$/];
const SOURCE_MAP = /\.(?:[cm]?[jt]s|css)\.map$/;

for (const entry of readdirSync(MODULES, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const name = path.slice(MODULES.length + 1).replaceAll('\\', '/');
  const isUnread = entry.isDirectory() ? FOLDERS.some((folder) => folder.test(name)) : SOURCE_MAP.test(name);
  if (isUnread) rmSync(path, { recursive: true, force: true });
}
