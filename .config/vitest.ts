import { defineConfig } from 'vitest/config';

const ROOT = new URL('..', import.meta.url).pathname;

export default defineConfig({
  root: ROOT,
  resolve: {
    alias: [{ find: /^bonafide\/(plugin|plugin\/test)$/, replacement: `${ROOT}src/features/$1/index.ts` }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: 'test/kit/programs/compiled.ts',
  },
});
