import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = new URL('..', import.meta.url).pathname;

// Each of these files has a process of its own: it changes a module, the environment or a clock, keeps something for all of its tests, starts
// programs that it kills, measures memory and time of its process, or is slow in a process of many files (after hundreds of others,
// `consistency/random/run` took 350 s in place of 12). All others share one process for each worker, and the modules that it has loaded.
const CHANGES_PROCESS =
  /\bvi\.(mock|doMock|resetModules|stubEnv|stubGlobal|useFakeTimers)\b|\bprocess\.(env|chdir)\b/;
const OWN_PROCESS =
  /^test\/(trials|score|console\/\w+\.|binary|pack|graph\/upstream\/|features\/turns|consistency\/random\/run|import\/feed\/waiting|import\/formats\/limits)/;
const ALONE = globSync('test/**/*.test.ts', { cwd: ROOT }).filter(
  (file) => OWN_PROCESS.test(file) || CHANGES_PROCESS.test(readFileSync(join(ROOT, file), 'utf8')),
);

// The longest files, longest first: begun first, none of them is left over at the end.
const LONGEST = [
  'console/pages',
  'trials/short/others',
  'trials/short/servers',
  'binary',
  'trials/short/commands',
  'http/admin/examples',
  'import/linking/threads',
  'http/openapi/client',
  'pack',
  'features/running/isolation',
  'import/formats/limits',
  'watches/recheck',
  'watches/forget',
  'http/connection/listen',
  'http/admin/graph/imports',
  'http/openapi/fuzz',
  'http/admin/graph/people',
  'store/postgres/app',
  'commands/maintenance/migrate-to',
  'console/hostile',
  'http/connection/parts',
  'people/erase/erase',
  'http/openapi/document',
  'commands/check/file',
  'commands/plugins',
  'graph/numbers',
  'app/workers/ends',
  'commands/serve/index',
  'store/postgres/servers',
  'app/graph/plugin-graph',
];

/** Files with a process of their own first, because a worker is shared by files that follow each other; then the longest first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const orderOf = ({ moduleId, project }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return (project.name === 'sharing' ? 1000 : 0) + (place < 0 ? LONGEST.length : place);
    };
    return sorted.toSorted((a, b) => orderOf(a) - orderOf(b));
  }
}

export default defineConfig({
  root: ROOT,
  test: {
    // For what hangs. The few claims about time by the clock are tried up to three times (`retry`): a busy machine may delay one.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // What is waited for comes when it comes: the claim is that it does.
    expect: { poll: { timeout: 120_000 } },
    // One more than can run at once: much of a test is waiting for a disk or for another process.
    maxWorkers: availableParallelism() + 1,
    globalSetup: 'test/kit/programs/compiled.ts',
    setupFiles: 'test/kit/programs/contract.ts',
    // As Node runs it: the same code, and sooner than what would be made of it for Vite.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'own', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE],
          isolate: false,
        },
      },
    ],
  },
});
