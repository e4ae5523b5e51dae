// The compared graph engines, each with a server.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HAS_POSTGRES, startPostgres, toTcpAddress } from '../../kit/programs/postgres.ts';
import { bonafide, bonafideWith, startServing } from '../speed/process.ts';
import type { Measured } from '../speed/process.ts';

/** Server of an engine, and the seconds of its import; null for an engine that stores no records. */
export interface Opened {
  server: Measured;
  dataDir: string;
  importSeconds: number | null;
  /** Address of the database with the graph. */
  database?: string;
  /** Returns the process ids that work on checks in addition to the server. */
  others(): number[];
}

export interface Engine {
  name: string;
  /** Starts the engine. @param before engines that were started before it */
  open(place: Place, before: ReadonlyMap<string, Opened>): Promise<Opened>;
}

export interface Place {
  root: string;
  /** File to import. */
  records: string;
}

async function imported({ records }: Place, dataDir: string, env: Record<string, string>): Promise<number> {
  const begun = performance.now();
  await bonafideWith(env, 'graph', 'import', records, '--json', '--data-dir', dataDir);
  return (performance.now() - begun) / 1000;
}

export const keyOf = async (dataDir: string, scopes: string): Promise<string> =>
  JSON.parse(
    await bonafide('keys', 'create', '--name', 'bench', '--scopes', scopes, '--json', '--data-dir', dataDir),
  ).key;

const EMBEDDED: Engine = {
  name: 'sqlite',
  async open(place) {
    const dataDir = join(place.root, 'sqlite');
    const importSeconds = await imported(place, dataDir, {});
    const server = await startServing(dataDir, [], { BONAFIDE_GRAPH: 'serve=true' });
    return { dataDir, importSeconds, server, others: () => [] };
  },
};

/** Returns an engine with its own PostgreSQL and PostgreSQL's default durability. */
const onPostgres = (name: string, settings: Record<string, string> = {}): Engine => ({
  name,
  async open(place) {
    const postgres = await startPostgres({ shared_buffers: '256MB', ...settings });
    const dataDir = join(place.root, name.replaceAll(' ', '-'));
    const address = await postgres.database();
    const database = settings['listen_addresses'] ? toTcpAddress(address) : address;
    const env = { BONAFIDE_GRAPH: `engine=postgres,database=${database},serve=true` };
    const importSeconds = await imported(place, dataDir, env);
    const server = await startServing(dataDir, [], env);
    const stop = async () => {
      await server.stop();
      await postgres.close();
    };
    const first = Number(
      readFileSync(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0],
    );
    const others = () => [first, ...childrenOf(first)];
    return { dataDir, importSeconds, server: { ...server, stop }, database, others };
  },
});

const inFrontOf = (name: string): Engine => ({
  name: `upstream → ${name}`,
  async open({ root }, before) {
    const behind = before.get(name);
    if (!behind) throw new Error(`it stands in front of ${name}`);
    const keyFile = join(root, `${name}.key`);
    writeFileSync(keyFile, await keyOf(behind.dataDir, 'graph'), { mode: 0o600 });
    const env = { BONAFIDE_GRAPH: `engine=upstream,url=${behind.server.url},keyFile=${keyFile}` };
    const dataDir = join(root, `upstream-${name}`);
    const server = await startServing(dataDir, ['--init'], env);
    return { dataDir, importSeconds: null, server, others: () => [behind.server.pid, ...behind.others()] };
  },
});

/** All compared engines; the first one is the baseline. */
export const ENGINES: Engine[] = [
  EMBEDDED,
  inFrontOf('sqlite'),
  ...(HAS_POSTGRES
    ? [
        onPostgres('postgres'),
        onPostgres('postgres by TCP', { listen_addresses: '127.0.0.1' }),
        inFrontOf('postgres'),
      ]
    : []),
];

const TICK_MS = 10;

/** Returns the CPU time of processes so far, in milliseconds; 0 for an ended process. */
export const workOf = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
    return sum + (user + system) * TICK_MS;
  }, 0);

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(statOf(pid)[1]) === parent);

/** Returns the fields after the name of a process, which may contain any character; see proc(5). */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
