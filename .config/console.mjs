// Builds the console into dist/console, or the folder that is named; with --stale only where its sources are newer than what is there.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src/console');
const named = process.argv.slice(2).find((word) => !word.startsWith('--'));
const target = named === undefined ? join(ROOT, 'dist/console') : resolve(named);

if (!process.argv.includes('--stale') || isStale()) {
  const { build } = await import('vite');
  rmSync(target, { recursive: true, force: true });
  await build({
    configFile: false,
    root: SOURCE,
    base: '/console/',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
}

/** Whether anything that it is made of is newer than what was made. */
function isStale() {
  const made = statSync(join(target, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).map((file) =>
    join(SOURCE, file),
  );
  return [...sources, import.meta.filename].some((file) => statSync(file).mtimeMs > made);
}
