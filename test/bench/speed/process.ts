// Servers in separate processes, and their resource usage.
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Answer } from './client.ts';
import { SOURCE_LAUNCHER } from '../../kit/programs/launcher.ts';

const PROBE = new URL('probe.ts', import.meta.url).href;
const BARE = fileURLToPath(new URL('bare.ts', import.meta.url));

/** CPU time of a process with all its threads, and holds of its event loop since the last measurement. */
export interface Usage {
  cpuMicros: number;
  /** Longest hold by elapsed time and by CPU time of the thread, in milliseconds. */
  holdMs: number;
  busyHoldMs: number;
  busyHoldP99Ms: number;
}

export interface Measured {
  url: string;
  pid: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Runs a command line to its end, and returns its output. */
export const bonafide = (...args: string[]): Promise<string> => bonafideWith({}, ...args);

/** Runs a command line with additional environment variables. */
export async function bonafideWith(env: Record<string, string>, ...args: string[]): Promise<string> {
  const own = { ...environment(), ...env };
  const { stdout } = await promisify(execFile)(process.execPath, [SOURCE_LAUNCHER, ...args], { env: own });
  return stdout;
}

/** Starts `serve` as in production, with its log as JSON, which is discarded. `profile` is the path of a CPU profile. */
export function startBonafide(dataDir: string, profile?: string): Promise<Measured> {
  const serve = [SOURCE_LAUNCHER, 'serve', '--port', '0', '--json', '--data-dir', dataDir];
  const flags = profile ? ['--cpu-prof', `--cpu-prof-name=${profile}`, '--cpu-prof-dir=/'] : [];
  return start([...flags, '--import', PROBE, ...serve], { BONAFIDE_LOG: 'json' });
}

/** Starts `serve` with further arguments and variables; `usage` works only with `isMeasured`, which adds a probe to the process. */
export function startServing(
  dataDir: string,
  args: string[],
  env: Record<string, string> = {},
  isMeasured = false,
): Promise<Measured> {
  const probe = isMeasured ? ['--import', PROBE] : [];
  return start(
    [...probe, SOURCE_LAUNCHER, 'serve', '--port', '0', '--json', '--data-dir', dataDir, ...args],
    {
      BONAFIDE_LOG: 'json',
      ...env,
    },
  );
}

/** Starts a bare node:http server that reads a body and gives this answer. */
export async function startBare({ text, headers }: Answer): Promise<Measured> {
  return start(['--import', PROBE, BARE, text, JSON.stringify(headers)], {});
}

const environment = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  TMPDIR: process.env.TMPDIR,
});

async function start(args: string[], env: Record<string, string>): Promise<Measured> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...environment(), ...env },
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const url = await firstUrl(child);
  // Discards the log at the lowest cost.
  child.stdout!.on('data', () => undefined);
  return {
    url,
    pid: child.pid ?? 0,
    usage: async () => {
      child.send('usage');
      const [usage] = await once(child, 'message');
      return usage as Usage;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function firstUrl(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const line = /^\{"url":.*\}$/m.exec(text);
    if (line) return (JSON.parse(line[0]) as { url: string }).url;
  }
  throw new Error('the server ended before it listened');
}
