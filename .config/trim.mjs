// Removes files that nothing reads from node_modules: C headers of Node, sources of SQLite and zod, test data, types for require(), unused
// builds of the API page and of the trace viewer, and source maps. They are a third of an installation. npm runs this after each install, on any Node.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '../node_modules');
const FOLDERS = [
  /^node-(?:bin-)?\w+-\w+\/include$/,
  /^better-sqlite3\/(?:deps|src)$/,
  /^(?:zod\/src|bintrees\/test|playwright-core\/lib\/vite)$/,
];
const FILES = [
  /\.(?:[cm]?[jt]s|css)\.map$/,
  /^(?:drizzle-orm|@modelcontextprotocol)\/.*\.d\.cts$/,
  /^swagger-ui-dist\/swagger-ui(?:-es-[\w-]+)?\.js$/,
];

for (const entry of readdirSync(MODULES, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const name = path.slice(MODULES.length + 1).replaceAll('\\', '/');
  const isUnread = (entry.isDirectory() ? FOLDERS : FILES).some((pattern) => pattern.test(name));
  if (isUnread) rmSync(path, { recursive: true, force: true });
}
