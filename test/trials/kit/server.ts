// A server in a separate process, with a probe in its event loop.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tally } from '../trial.ts';
import { launch } from './children.ts';
import type { Child, LaunchOptions } from './children.ts';

const PROBE = new URL('probe.ts', import.meta.url).href;
const START_MS = 180_000;

export interface Server extends Child {
  url: string;
  port: number;
  /** Returns the resident memory in MB; 0 if the server has ended. */
  memory(): number;
  /** Returns the longest hold of the event loop since the last `rested`. */
  holds(): Holds;
  /** Resets the probe; resolves when it is reset. */
  rested(): Promise<void>;
  /** Stops the server as an operator does. Returns how long it took, in milliseconds. */
  stop(): Promise<number>;
  kill(): Promise<void>;
}

export interface ServeOptions extends LaunchOptions {
  port?: number;
  args?: string[];
}

/** Starts `serve` and waits until it is ready. Rejects with the output of the server if it ends before. */
export async function serve(folder: string, options: ServeOptions = {}): Promise<Server> {
  const server = starting(folder, options);
  const begun = performance.now();
  while (!server.stdout().includes('\n')) {
    if (server.process.exitCode !== null || server.process.signalCode !== null) break;
    if (performance.now() - begun > START_MS) await server.kill();
    await pause(10);
  }
  const line = server.stdout().split('\n')[0];
  if (!line) {
    const { code, signal, stderr } = await server.ended;
    throw new NotStarted(code, signal, stderr);
  }
  server.url = JSON.parse(line).url;
  server.port = Number(new URL(server.url).port);
  await server.rested();
  return server;
}

/** Starts `serve` without waiting; `url` is empty until `serve` sets it. */
export function starting(
  folder: string,
  { port = 0, args = [], env, ...options }: ServeOptions = {},
): Server {
  const probe = `${folder}.probe-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const child = launch(
    ['serve', '--port', String(port), '--json', '--log', 'silent', '--data-dir', folder, ...args],
    {
      limitMs: 7_200_000,
      ...options,
      env: { NODE_OPTIONS: `--import=${PROBE}`, TRIAL_PROBE: probe, ...env },
    },
  );
  return {
    ...child,
    url: '',
    port,
    memory: () => memoryOf(child.process.pid),
    holds: () => holdsIn(probe),
    rested: () => rest(child.process, probe),
    stop: async () => {
      const begun = performance.now();
      child.process.kill('SIGTERM');
      await child.ended;
      return performance.now() - begun;
    },
    kill: async () => {
      child.process.kill('SIGKILL');
      await child.ended;
    },
  };
}

interface Holds {
  holdMs: number;
  busyMs: number;
  /** Number of resets of the probe. */
  rests: number;
}

async function rest(child: ChildProcess, probe: string): Promise<void> {
  const { rests } = holdsIn(probe);
  child.kill('SIGUSR2');
  for (let i = 0; i < 3000 && holdsIn(probe).rests === rests; i++) await pause(10);
}

export class NotStarted extends Error {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  constructor(code: number | null, signal: string | null, stderr: string) {
    super(`the server ended with ${code ?? signal}: ${stderr.slice(0, 400)}`);
    [this.code, this.signal, this.stderr] = [code, signal, stderr];
  }
}

function memoryOf(pid = 0): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function holdsIn(file: string): Holds {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { holdMs: 0, busyMs: 0, rests: 0 };
  }
}

/** Adds the holds and the memory of a server to the tally of a trial. */
export function weigh(tally: Tally, server: Server): void {
  const { holdMs, busyMs } = server.holds();
  tally.holdMs = Math.max(tally.holdMs, holdMs);
  tally.busyMs = Math.max(tally.busyMs, busyMs);
  const memory = server.memory();
  tally.memory.before ||= memory;
  tally.memory.after = Math.max(tally.memory.after, memory);
}

/** Returns a free port, for a server that is started several times. */
export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.on('listening', resolve));
  const { port } = taken.address() as { port: number };
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

/** Resolves to true if a server accepts connections at the port. */
export const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });
