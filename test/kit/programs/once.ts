// What all tests of a run share: the first that needs it builds it, the others wait for it and use it.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const MAX_WAIT_MS = 300_000;

/** Returns the path of a file or folder that `build` makes once in a test run. Outside a test run it is null. */
export function buildOnce(name: string, build: (path: string) => void): string | null {
  const folder = process.env.TESTS_FOLDER;
  if (folder === undefined) return null;
  const built = join(folder, name);
  if (existsSync(built)) return built;
  try {
    mkdirSync(`${built}.lock`);
  } catch {
    return waitFor(built);
  }
  build(`${built}.new`);
  renameSync(`${built}.new`, built);
  return built;
}

/** Waits until another process of the test run has built it. */
function waitFor(built: string): string {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !existsSync(built); waited += 100) {
    if (waited > MAX_WAIT_MS) throw new Error(`${built} was not built`);
    Atomics.wait(pause, 0, 0, 100);
  }
  return built;
}
