import { execFile } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/commands/command-line.ts';
import { bareEnvironment } from './programs/environment.ts';
import { getLauncher } from './programs/launcher.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** V8's defaults of flags that commands set for their process, which here is the process of many tests. */
const USUAL_GARBAGE_COLLECTION = [
  '--heap-growing-percent=0',
  '--semi-space-growth-factor=2',
  '--parallel-scavenge',
];

/** Runs a command line in this process, which is faster than a new process. */
export async function runHere(args: string[]): Promise<Ran> {
  const [stdout, stderr] = (['stdout', 'stderr'] as const).map((name) => {
    const texts: string[] = [];
    const spy = vi.spyOn(process[name], 'write').mockImplementation((text) => texts.push(String(text)) > 0);
    return { texts, spy };
  });
  try {
    const code = await runCommandLine(args);
    return { code, stdout: stdout!.texts.join(''), stderr: stderr!.texts.join('') };
  } finally {
    stdout!.spy.mockRestore();
    stderr!.spy.mockRestore();
    for (const flag of USUAL_GARBAGE_COLLECTION) setFlagsFromString(flag);
  }
}

/** Time limit of a command. A busy machine may take many seconds. */
const ENDLESS_MS = 600_000;

/** Runs a command line in a new process, in an environment without settings. */
export function bonafide(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [getLauncher(), ...args],
      { env: { ...bareEnvironment(), ...env }, timeout: ENDLESS_MS },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
