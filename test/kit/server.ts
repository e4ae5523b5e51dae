// Starts a server in a separate process, as a user does.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { bareEnvironment, endWithThisProcess } from './programs/environment.ts';
import { getLauncher } from './programs/launcher.ts';

export interface Server {
  process: ChildProcess;
  url: string;
  /** Demo key; only with --demo. */
  demoKey: string | undefined;
  /** Resolves with exit code and signal when the process has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stdout(): string;
  stderr(): string;
}

/** Starts `serve` on a free port, and waits until it listens. */
export function startServer(folder: string, ...args: string[]): Promise<Server> {
  return startLauncher(getLauncher(), ['--data-dir', folder, ...args]);
}

/**
 * Starts `serve` of any installation by its launcher, in a working folder, with these variables in addition
 * to PATH, with this Node or another.
 */
export function startLauncher(
  launcher: string,
  args: string[],
  {
    cwd,
    env = {},
    node = process.execPath,
  }: { cwd?: string; env?: Record<string, string>; node?: string } = {},
): Promise<Server> {
  return startProgram([node, launcher], args, { cwd, env: { ...bareEnvironment(), ...env } });
}

/** Starts `serve` of any program: its file, and its arguments before `serve`. */
export async function startProgram(
  [file, ...before]: [string, ...string[]],
  args: string[],
  options: { cwd?: string | undefined; env: Record<string, string | undefined> },
): Promise<Server> {
  const serve = [...before, 'serve', '--port', '0', '--json', '--log', 'silent', ...args];
  const child = spawn(...endWithThisProcess([file, ...serve]), {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (text) => (stderr += text));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      stdout += text;
      const [line] = /^\{"url":.*\}$/m.exec(stdout) ?? [];
      if (line !== undefined) resolve(line);
    });
    void ended.then(() => reject(new Error(`the server ended: ${stderr}`)));
  });
  const { url, demo_key: demoKey } = JSON.parse(line);
  return { process: child, url, demoKey, ended, stdout: () => stdout, stderr: () => stderr };
}
