import { execFile } from 'node:child_process';
import { LAUNCHER } from './server.ts';

/** Runs a command line to its end, in an environment without settings. */
export function bonafide(args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [LAUNCHER, ...args],
      { env: { PATH: process.env.PATH, NO_COLOR: '1', ...env }, timeout: 15_000 },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
