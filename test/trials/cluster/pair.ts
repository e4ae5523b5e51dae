// A PostgreSQL primary and its standby on loopback, with the steps of an operator's failover.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { commandOf, findFreePort, makePostgresFolder } from '../../kit/programs/postgres.ts';

/** Ways to lose a primary: killed, frozen, or stopped cleanly for a planned switch-over. */
export const LOSSES = ['kill', 'freeze', 'switch'] as const;
export type Loss = (typeof LOSSES)[number];

export interface Pair {
  /** Address with both hosts. */
  address: string;
  /** Both hosts, for `graph.readers`. */
  hosts: string;
  /** Address of the primary alone. */
  primaryAddress(): string;
  /** Loses the primary. A frozen one keeps its connections open. */
  lose(loss: Loss): Promise<void>;
  /** Promotes the standby; resolves when it takes writes. */
  promote(): Promise<void>;
  /** Continues the frozen primary for a while, beside the promoted standby, then kills it. */
  thaw(ms: number): Promise<void>;
  /** Makes the lost primary a standby of the promoted server; resolves when it follows. */
  rejoin(): Promise<void>;
  /** Processor time of the primary, in milliseconds. */
  primaryCpuMs(): number;
  /** Freezes the standby (SIGSTOP), or continues it. */
  freezeStandby(isFrozen: boolean): void;
  /** Stops the replay of the standby, or continues it. */
  pauseStandby(isPaused: boolean): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

interface Node {
  data: string;
  port: number;
}

export async function startPair({ isSynchronous = true } = {}): Promise<Pair> {
  const folder = makePostgresFolder();
  const nodes: Node[] = [];
  for (const name of ['a', 'b']) nodes.push({ data: join(folder, name), port: await findFreePort() });
  let [primary, standby] = nodes as [Node, Node];
  const pg = (program: string, ...args: string[]) => run(...commandOf(program, ...args), { cwd: folder });
  const ctl = (node: Node, ...args: string[]) => pg('pg_ctl', '-D', node.data, ...args);
  const start = async (node: Node) => {
    // Starts the server without pg_ctl, whose server would outlive a killed trial.
    const server = spawn(...commandOf('postgres', '-D', node.data, '-p', String(node.port)), {
      stdio: 'ignore',
      cwd: folder,
    });
    for (let tries = 0; tries < 2400; tries++) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended at its start (${server.exitCode}).`);
      const isUp = await pg('pg_isready', '-h', '127.0.0.1', '-p', String(node.port)).then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await pause(50);
    }
    throw new Error('PostgreSQL does not answer.');
  };
  const setSynchronous = async (node: Node, names: string) => {
    writeFileSync(join(node.data, 'trial.conf'), `synchronous_standby_names = '${names}'\n`);
  };
  const query = async <T>(node: Node, text: string): Promise<T[]> => {
    const sql = postgres(addressOf([node], 'postgres'), {
      max: 1,
      fetch_types: false,
      onnotice: () => undefined,
    });
    try {
      return (await sql.unsafe(text)) as unknown as T[];
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const follow = async () => {
    rmSync(standby.data, { recursive: true, force: true });
    const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
    await pg('pg_basebackup', ...source, '-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
    await setSynchronous(standby, '');
    await start(standby);
    if (isSynchronous) {
      await setSynchronous(primary, '*');
      await ctl(primary, 'reload');
    }
    const wanted = isSynchronous ? 'sync' : 'async';
    for (let tries = 0; tries < 2400; tries++) {
      const states = await query<{ sync_state: string }>(
        primary,
        'SELECT sync_state FROM pg_stat_replication',
      );
      if (states.some(({ sync_state }) => sync_state === wanted)) return;
      await pause(50);
    }
    throw new Error('The standby does not follow.');
  };

  execFileSync(
    ...commandOf(
      'initdb',
      '-D',
      primary.data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '--locale=C',
      '-E',
      'UTF8',
      '--no-sync',
    ),
    { cwd: folder },
  );
  appendFileSync(join(primary.data, 'postgresql.conf'), SETTINGS);
  await setSynchronous(primary, '');
  await start(primary);
  await query(primary, 'CREATE DATABASE trial');
  await follow();
  return {
    address: addressOf(nodes, 'trial'),
    hosts: nodes.map(({ port }) => `127.0.0.1:${port}`).join(),
    primaryAddress: () => addressOf([primary], 'trial'),
    async lose(loss) {
      if (loss === 'freeze') signalAll(primary, 'SIGSTOP');
      else await ctl(primary, 'stop', '-w', '-m', loss === 'kill' ? 'immediate' : 'fast');
    },
    async promote() {
      await ctl(standby, 'promote', '-w');
      [primary, standby] = [standby, primary];
    },
    async thaw(ms) {
      signalAll(standby, 'SIGCONT');
      await pause(ms);
      await ctl(standby, 'stop', '-w', '-m', 'immediate');
    },
    rejoin: follow,
    primaryCpuMs: () => familyOf(primary).reduce((sum, pid) => sum + cpuMsOf(pid), 0),
    freezeStandby: (isFrozen) => signalAll(standby, isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    async pauseStandby(isPaused) {
      await query(standby, `SELECT pg_wal_replay_${isPaused ? 'pause' : 'resume'}()`);
    },
    async close() {
      for (const node of nodes) {
        signalAll(node, 'SIGCONT');
        await ctl(node, 'stop', '-w', '-m', 'immediate').catch(() => undefined);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = '128MB'
wal_keep_size = '256MB'
wal_receiver_status_interval = '1s'
fsync = off
include_if_exists 'trial.conf'
`;

const addressOf = (nodes: Node[], database: string): string =>
  `postgres://postgres@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/${database}`;

/** Returns the processes of a server, the main process first; none if it does not run. */
function familyOf({ data }: Node): number[] {
  try {
    const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
    return [Number(pid), ...children.map(Number)];
  } catch {
    return [];
  }
}

function statOf(pid: string | number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
  } catch {
    return [];
  }
}

const parentOf = (pid: string) => statOf(pid)[1];
const TICK_MS = 10;
/** Processor time of a process and of its children that ended, in milliseconds. */
const cpuMsOf = (pid: number) =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;

/** Signals all processes of a server, the main process first, so that it starts no other meanwhile. */
function signalAll(node: Node, signal: NodeJS.Signals): void {
  const [first] = familyOf(node);
  for (const pid of [first, ...familyOf(node).slice(1)])
    try {
      if (pid !== undefined) process.kill(pid, signal);
    } catch {
      // The process has ended.
    }
}
