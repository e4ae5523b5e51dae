import { existsSync } from 'node:fs';

/** Returns the environment of programs that tests start: no settings, except that servers skip their warm-up. */
export const bareEnvironment = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  NO_COLOR: '1',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  BONAFIDE_WARM_UP: '0s',
});

const SETPRIV = '/usr/bin/setpriv';

/** Returns the command line of a program that the system kills when this process ends in any way; the same command line if the system cannot do so. */
export const endWithThisProcess = ([file, ...args]: [string, ...string[]]): [string, string[]] =>
  existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig=KILL', '--', file, ...args]] : [file, args];
