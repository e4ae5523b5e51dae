// The program that tests start. It is a bundle of the source: a command takes two thirds of the processor time of one that loads 700 files.
// test/bonafide.test.ts and test/readme.test.ts start the source itself.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Launcher of the source, as a clone has it. */
export const SOURCE_LAUNCHER = fileURLToPath(new URL('../../../src/bonafide.mjs', import.meta.url));
const BUILDER = fileURLToPath(new URL('bundle.mjs', import.meta.url));
const MAX_WAIT_MS = 300_000;

/** Returns the file of the program, for `node FILE …`. The first caller of a test run builds it; outside a test run it is the source. */
export function getLauncher(): string {
  const folder = process.env.TESTS_FOLDER;
  if (folder === undefined) return SOURCE_LAUNCHER;
  const program = join(folder, 'program');
  if (existsSync(program)) return join(program, 'src/cli.js');
  try {
    mkdirSync(`${program}.lock`);
  } catch {
    return waitForBuild(program);
  }
  execFileSync(process.execPath, [BUILDER, program], { stdio: ['ignore', 'ignore', 'inherit'] });
  return getLauncher();
}

/** Waits until another process of the test run has built the program. */
function waitForBuild(program: string): string {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !existsSync(program); waited += 100) {
    if (waited > MAX_WAIT_MS) throw new Error('the program for the tests was not built');
    Atomics.wait(pause, 0, 0, 100);
  }
  return getLauncher();
}
