// Starts a PostgreSQL for tests in a folder that is removed afterwards. Only a socket in the folder leads to it.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { buildOnce } from './once.ts';

/** Folders of PostgreSQL programs. Debian has one for each version. */
const FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  ...(existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []),
];
const programs = FOLDERS.find(
  (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
);

/** True if PostgreSQL is installed on this machine. If not, the tests that need it are skipped with a message. */
export const HAS_POSTGRES = programs !== undefined;

export interface Postgres {
  /** Folder of the socket; the data is in `data` below it. */
  folder: string;
  /** Creates an empty database, and returns its address. */
  database(): Promise<string>;
  /** Kills the server as a power cut would. Resolves when its processes have ended. */
  kill(): Promise<void>;
  /** Starts the server again on the same folder. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot
  ? // The server ends with the process of the tests, however that process ends.
    ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', '--pdeathsig=QUIT', '--']
  : [];

/** Returns the command line of a program of PostgreSQL, as a user that may run it. */
export function commandOf(program: string, ...args: string[]): [file: string, args: string[]] {
  if (programs === undefined) throw new Error('There is no PostgreSQL on this machine.');
  // The folder may contain links to some of the programs only.
  const folder = dirname(realpathSync(join(programs, 'postgres')));
  const [first = '', ...rest] = [...asNobody, join(folder, program), ...args];
  return [first, rest];
}

/** Makes a folder that PostgreSQL may own. */
export function makePostgresFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-pg-'));
  if (isRoot) {
    execFileSync('chown', ['nobody:nogroup', folder]);
    chmodSync(folder, 0o700);
  }
  return folder;
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Returns the TCP address of a database, from its address by the socket. PostgreSQL has to run with `listen_addresses`. */
export const toTcpAddress = (address: string): string => address.replace(/@[^:/]+/, '@127.0.0.1');

/** Returns the driver option `host` for an address with a socket folder, which the driver takes for a host name without the option. */
export function parseSocketFolder(url: string): { host?: string } {
  const host = decodeURIComponent(new URL(url).hostname);
  return host.startsWith('/') ? { host } : {};
}

/** Creates a cluster without databases in a new folder. */
function makeCluster(data: string): void {
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) execFileSync('chown', ['nobody:nogroup', data]);
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = spawnSync(...commandOf('initdb', '-D', data, ...options), { cwd: dirname(data) });
  if (made.status !== 0) throw new Error(`initdb: ${String(made.stderr)}`);
}

export async function startPostgres(settings: Record<string, string> = {}): Promise<Postgres> {
  const folder = makePostgresFolder();
  const data = join(folder, 'data');
  // Copying a cluster takes a tenth of the processor time of initdb.
  const made = buildOnce('postgres', makeCluster);
  if (made === null) makeCluster(data);
  else execFileSync('cp', ['-a', made, data]);
  const port = settings['listen_addresses'] ? await findFreePort() : 5432;
  const address = (database: string) =>
    `postgres://postgres@${encodeURIComponent(folder)}:${port}/${database}`;
  const options = Object.entries({
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: folder,
    max_connections: '200',
    shared_buffers: '64MB',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  let server: ChildProcess | null = null;
  const start = async () => {
    const born = spawn(...commandOf('postgres', '-D', data, ...options), { stdio: 'ignore', cwd: folder });
    server = born;
    for (let tries = 0; tries < 1200; tries++) {
      const sql = postgres(address('postgres'), {
        host: folder,
        max: 1,
        fetch_types: false,
        onnotice: () => undefined,
      });
      try {
        await sql`SELECT 1`;
        return;
      } catch {
        if (born.exitCode !== null) throw new Error('PostgreSQL ended at its start.');
        await pause(50);
      } finally {
        await sql.end({ timeout: 1 });
      }
    }
    throw new Error('PostgreSQL does not answer.');
  };
  const end = async (signal: NodeJS.Signals) => {
    const ended = server;
    server = null;
    if (!ended || ended.exitCode !== null) return;
    const gone = new Promise((resolve) => ended.once('exit', resolve));
    ended.kill(signal);
    await gone;
  };
  let databases = 0;
  await start();
  return {
    folder,
    async database() {
      const name = `test_${++databases}`;
      const sql = postgres(address('postgres'), {
        host: folder,
        max: 1,
        fetch_types: false,
        onnotice: () => undefined,
      });
      await sql.unsafe(`CREATE DATABASE ${name}`);
      await sql.end();
      return address(name);
    },
    kill: () => end('SIGKILL'),
    start,
    async close() {
      // Stops at once: its data is not needed any more.
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
