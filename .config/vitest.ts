import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const ROOT = new URL('..', import.meta.url).pathname;

// Files that put something in a module's place or set the environment, which would stay there for the next file; and those that take
// longest, which are begun first so that none of them is left over at the end: they build what is delivered, kill it, or walk its pages.
const ALONE = [
  'test/keep/restore.test.ts',
  'test/platform/upgrade.test.ts',
  'test/trials/**/*.test.ts',
  'test/pack.test.ts',
  'test/binary.test.ts',
  'test/console/walk.test.ts',
];

export default defineConfig({
  root: ROOT,
  test: {
    // For what hangs; no claim is about how quick a machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes when it comes: the claim is that it does.
    expect: { poll: { timeout: 30_000 } },
    // One more than can run at once: much of a test is waiting for a disk or for another process.
    maxWorkers: availableParallelism() + 1,
    globalSetup: 'test/kit/programs/compiled.ts',
    setupFiles: 'test/kit/programs/contract.ts',
    // As Node runs it: the same code, and sooner than what would be made of it for Vite.
    experimental: { viteModuleRunner: false },
    projects: [
      {
        extends: true,
        // Modules are loaded once for many files, which would take as long as many a test.
        test: {
          name: 'sharing',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
  },
});
