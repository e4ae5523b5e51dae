import { existsSync } from 'node:fs';

/** What a program that a test starts finds in its environment: nothing that sets anything up, but that servers are ready at once. */
export const bareEnvironment = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  NO_COLOR: '1',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  BONAFIDE_WARM_UP: '0s',
});

const SETPRIV = '/usr/bin/setpriv';

/** Returns the command line of a program that the system kills when this process ends, however it ends. Unchanged if the system cannot do so. */
export const endWithThisProcess = ([file, ...args]: [string, ...string[]]): [string, string[]] =>
  existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig=KILL', '--', file, ...args]] : [file, args];
