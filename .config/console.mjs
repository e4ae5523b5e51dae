// Builds the console into dist/console or a named folder; with --stale only if its sources are newer than the build. A server may be serving
// the folder, and another build may be writing to it. So each file is moved into place whole, index.html last, and files that the new
// build does not contain are removed at the end.
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { namesBelow } from './binary/files.mjs';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src/console');
const PAGE = 'index.html';
const named = process.argv.slice(2).find((word) => !word.startsWith('--'));
const target = named === undefined ? join(ROOT, 'dist/console') : resolve(named);

const isStart = process.argv.includes('--stale');
if (!isStart || isStale()) {
  if (isStart)
    process.stderr.write(
      'Building the console. This takes up to a minute, only at the first start and after a change.\n',
    );
  const made = join(dirname(target), `.console-${process.pid}`);
  try {
    await buildInto(made);
    putInPlace(made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function buildInto(made) {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: SOURCE,
    base: '/console/',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: made,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
}

function putInPlace(made) {
  const names = namesBelow(made);
  for (const name of [...names.filter((name) => name !== PAGE), PAGE]) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    renameSync(join(made, name), join(target, name));
  }
  for (const name of namesBelow(target))
    if (!names.includes(name)) rmSync(join(target, name), { force: true });
}

/** Returns true if a source file is newer than the built page, or if there is no built page. */
function isStale() {
  const made = statSync(join(target, PAGE), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = namesBelow(SOURCE).map((file) => join(SOURCE, file));
  return [...sources, import.meta.filename].some((file) => statSync(file).mtimeMs > made);
}
