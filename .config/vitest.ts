import { configDefaults, defineConfig } from 'vitest/config';

const ROOT = new URL('..', import.meta.url).pathname;

// Rooms whose tests open all they use by themselves and change nothing of a module: theirs are loaded once for many files, which would
// take as long as many a test.
const SHARING = ['accounts', 'claim', 'http', 'store'].map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
  root: ROOT,
  resolve: {
    alias: [{ find: /^bonafide\/(plugin|plugin\/test)$/, replacement: `${ROOT}src/features/$1/index.ts` }],
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: 'test/kit/programs/compiled.ts',
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
