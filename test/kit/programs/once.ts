// Builds a file or folder once for all tests of a run. The first test that needs it builds it; tests in other processes wait for it.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MAX_WAIT_MS = 300_000;

/** Returns the path of a file or folder that `build` makes once in a test run; null outside a test run. After a failure, the next caller builds. */
export function buildOnce(name: string, build: (path: string) => void): string | null {
  const folder = process.env.TESTS_FOLDER;
  if (folder === undefined) return null;
  const built = join(folder, name);
  const [unfinished, lock] = [`${built}.new`, `${built}.lock`];
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !existsSync(built); waited += 100) {
    if (waited > MAX_WAIT_MS) throw new Error(`${built} was not built`);
    if (mkdirSync(lock, { recursive: true }) === undefined) {
      Atomics.wait(pause, 0, 0, 100);
      continue;
    }
    try {
      build(unfinished);
      renameSync(unfinished, built);
    } catch (error) {
      for (const path of [unfinished, lock]) rmSync(path, { recursive: true, force: true });
      throw error;
    }
  }
  return built;
}
