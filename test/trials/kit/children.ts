// Processes that a trial starts: few at a time, and none of them outlives the trials.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithThisProcess } from '../../kit/programs/environment.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';
import '../../kit/programs/priority.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Child {
  process: ChildProcess;
  /** Resolves when the process has ended. Never rejects. */
  ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
}

export interface LaunchOptions {
  env?: Record<string, string | undefined>;
  /** Shell commands before the program, such as `ulimit -n 64`. */
  before?: string;
  /** Milliseconds after which the process is killed. */
  limitMs?: number;
}

const AT_MOST = 6;
/** Commands take minutes on a busy machine and at low priority. */
const LIMIT_MS = 300_000;
/** Maximum number of characters that are kept of one output. */
const KEPT = 1_000_000;

const COMPILED = join(tmpdir(), `bonafide-trials-compiled-${process.pid}`);
process.on('exit', () => rmSync(COMPILED, { recursive: true, force: true }));

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
// Without a handler, a signal would end this process without the event `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Environment of a child: it contains no settings. */
export const environment = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  TMPDIR: process.env.TMPDIR,
  NO_COLOR: '1',
  // Keeps compiled code beside the folders of this run, because starts then take half as long.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILED,
  BONAFIDE_WARM_UP: process.env.BONAFIDE_WARM_UP,
});

/** Starts Node on a file. Throws if too many processes run already. */
export function launchNode(args: string[], { env, before, limitMs = LIMIT_MS }: LaunchOptions = {}): Child {
  if (running.size >= AT_MOST) throw new Error(`more than ${AT_MOST} processes at a time`);
  const words = before ? ['-c', `${before}; exec "$@"`, 'sh', process.execPath, ...args] : args;
  const command = endWithThisProcess([before ? '/bin/sh' : process.execPath, ...words]);
  const child = spawn(...command, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment(), ...env } });
  running.add(child);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (text) => texts[name].length < KEPT && (texts[name] += text));
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code, signal, ...texts });
    });
  });
  return { process: child, ended, stdout: () => texts.stdout, stderr: () => texts.stderr };
}

/** Starts the command line in a new process. */
export const launch = (args: string[], options?: LaunchOptions): Child =>
  launchNode([getLauncher(), ...args], options);

/** Runs a command line to its end, and returns its JSON output. Throws if the command fails. */
export async function bonafide(args: string[], options?: LaunchOptions): Promise<Record<string, unknown>> {
  const { code, signal, stdout, stderr } = await launch([...args, '--json'], options).ended;
  if (signal)
    throw new Error(`bonafide ${args.join(' ')} was killed by the trial: it took too long (${signal})`);
  if (code !== 0) throw new Error(`bonafide ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
