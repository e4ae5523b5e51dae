// The program that tests start. It is a bundle of the source, because a command then takes a third less CPU time than one that loads 700 files.
// test/bonafide.test.ts and test/readme.test.ts start the source itself.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce } from './once.ts';

/** Launcher of the source, as in a clone. */
export const SOURCE_LAUNCHER = fileURLToPath(new URL('../../../src/bonafide.mjs', import.meta.url));
const BUILDER = fileURLToPath(new URL('bundle.mjs', import.meta.url));

/** Returns the file of the program, for `node FILE …`. The first caller of a test run builds it; outside a test run it is the source. */
export function getLauncher(): string {
  const program = buildOnce('program', (path) => {
    execFileSync(process.execPath, [BUILDER, path], { stdio: ['ignore', 'ignore', 'inherit'] });
  });
  return program === null ? SOURCE_LAUNCHER : join(program, 'src/cli.js');
}
