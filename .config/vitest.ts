import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { getLauncher } from '../test/kit/programs/launcher.ts';

const ROOT = new URL('..', import.meta.url).pathname;

// Files that run in a separate process: they replace a module, start programs that they kill, measure memory and time of their process, or are
// slow in a process of many files (after hundreds of others, `consistency/random/run` took 350 s instead of 12). All others share one process per
// worker, with the loaded modules: loading them takes one to two seconds of CPU time. Tests there restore timers and environment even if they fail.
const REPLACES_MODULES = /\bvi\.(mock|doMock|resetModules|stubGlobal)\b|\bprocess\.chdir\b/;
const OWN_PROCESS =
  /^test\/(trials|console\/\w+\.|binary|pack|graph\/upstream\/|features\/turns|features\/running\/isolation|consistency\/random\/run|import\/feed\/waiting|import\/formats\/limits)/;
const ALONE = globSync('test/**/*.test.ts', { cwd: ROOT }).filter(
  (file) => OWN_PROCESS.test(file) || REPLACES_MODULES.test(readFileSync(join(ROOT, file), 'utf8')),
);
/** Files that share a process only with each other, because they are slow after many other files. */
const SCORE = 'test/score/**/*.test.ts';

// The longest files, longest first, so that a run does not end with one of them alone.
const LONGEST = [
  'console/pages',
  'trials/short/others',
  'trials/short/servers',
  'binary',
  'trials/short/commands',
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
  'store/postgres/erase',
  'maintenance/doctor',
  'commands/serve/quota',
  'graph/contract',
  'graph/postgres/lost',
  'maintenance/restore',
  'docs/guides/cluster',
  'http/accounts/idempotency-processes',
  'app/workers/exact',
  'http/admin/evaluations',
];

/** Number of files above which a run certainly has tests that start the program. */
const MAX_FILES_WITHOUT_PROGRAM = 100;

const PROJECTS = ['own', 'sharing', 'score'];

/** Sorts files with a separate process first, because a worker is shared by consecutive files; then the longest first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    // Builds the program before the first process starts. Without it, the threads of a process load the source, which takes twice the CPU time.
    if (files.length > MAX_FILES_WITHOUT_PROGRAM) getLauncher();
    const sorted = await super.sort(files);
    const orderOf = ({ moduleId, project }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return PROJECTS.indexOf(project.name) * 1000 + (place < 0 ? LONGEST.length : place);
    };
    return sorted.toSorted((a, b) => orderOf(a) - orderOf(b));
  }
}

export default defineConfig({
  root: ROOT,
  test: {
    // Ends tests that hang. The few tests that measure time run up to three times (`retry`), because a busy machine may delay one.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Long, because tests that poll check that an event happens, and not when.
    expect: { poll: { timeout: 120_000 } },
    // One more than there are cores, because tests often wait for a disk or for another process.
    maxWorkers: availableParallelism() + 1,
    globalSetup: 'test/kit/programs/compiled.ts',
    setupFiles: 'test/kit/programs/contract.ts',
    // Runs the files as Node does: it is the code that ships, and starts faster than with the transforms of Vite.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'own', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE, SCORE],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'score', include: [SCORE], isolate: false } },
    ],
  },
});
