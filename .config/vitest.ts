import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = new URL('..', import.meta.url).pathname;

// Rooms whose tests open all they use by themselves and change nothing of a module: theirs are loaded once for many files, which would
// take as long as many a test.
const SHARING = ['accounts', 'claim', 'http', 'store'].map((room) => `test/${room}/**/*.test.ts`);

// What builds what is delivered, kills it, or walks its pages takes longest: begun first, none of it is left over at the end.
const LONGEST = /test\/(trials\/|binary|pack|console\/(walk|hostile))/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => Number(LONGEST.test(moduleId));
    return sorted.toSorted((a, b) => isLong(b) - isLong(a));
  }
}

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
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      {
        extends: true,
        test: {
          name: 'own',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARING],
        },
      },
    ],
  },
});
