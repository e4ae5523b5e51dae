// The parts of a cluster: a PostgreSQL, two servers on it, and one server in front that queries their graph. Each can be killed and restarted.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { startPostgres } from '../../kit/programs/postgres.ts';
import { ask } from '../kit/ask.ts';
import { bonafide } from '../kit/children.ts';
import { freePort, serve } from '../kit/server.ts';
import type { Server } from '../kit/server.ts';
import { startBalancer } from './balancer.ts';

export interface Part {
  name: string;
  kill(): Promise<void>;
  /** Restarts the part; resolves when it answers. */
  start(): Promise<void>;
}

export interface Cluster {
  /** All parts; PostgreSQL is the last of them. */
  parts: Part[];
  /** Ports that answer checks: those of the two servers, and last that of the server in front. */
  ports: number[];
  /** Key of an account with a plan, for checks. */
  key: string;
  /** Address of the database that all parts share. */
  database: string;
  /** Returns the number of servers that are ready. */
  ready(): Promise<number>;
  close(): Promise<void>;
}

/** Secret of every part. */
const SECRET = '5c'.repeat(32);
/** Deadline that is long enough for a busy machine. */
const PATIENT = 'deadlineMs=10000';

/** Imports records, and starts all parts on them. @param folder empty folder for the parts */
export async function startCluster(folder: string, records: string): Promise<Cluster> {
  const postgres = await startPostgres({ shared_buffers: '128MB' });
  const database = await postgres.database();
  const shared = { BONAFIDE_SECRET: SECRET, BONAFIDE_STORE: `url=${database}` };
  const env = { ...shared, BONAFIDE_GRAPH: `engine=postgres,database=${database},serve=true,${PATIENT}` };
  const on = (place: string) => {
    mkdirSync(join(folder, place), { recursive: true, mode: 0o700 });
    return join(folder, place);
  };
  await bonafide(['graph', 'import', records, '--data-dir', on('import')], { env });
  const { key, graphKey } = keysIn(database);
  const keyFile = join(folder, 'graph.key');
  writeFileSync(keyFile, graphKey, { mode: 0o600 });

  const ports = [await freePort(), await freePort(), await freePort()];
  const balancer = await startBalancer(ports.slice(0, 2));
  const graph = `engine=upstream,url=http://127.0.0.1:${balancer.port},keyFile=${keyFile},${PATIENT}`;
  const servers = [
    serverAt('server 1', on('server-1'), { port: ports[0] ?? 0, env }),
    serverAt('server 2', on('server-2'), { port: ports[1] ?? 0, env }),
    serverAt('the one in front', on('front'), {
      port: ports[2] ?? 0,
      env: { ...shared, BONAFIDE_GRAPH: graph },
    }),
  ];
  for (const { start } of servers) await start();
  return {
    parts: [
      ...servers,
      { name: 'PostgreSQL', kill: postgres.kill, start: () => startedAgain(postgres.start) },
    ],
    ports,
    key,
    database,
    ready: async () => (await Promise.all(ports.map(isReadyAt))).filter(Boolean).length,
    async close() {
      for (const { stop } of servers.toReversed()) await stop();
      balancer.close();
      await postgres.close();
    },
  };
}

/** Creates a key of an account that exceeds its quota, and a key for the graph. */
function keysIn(database: string): { key: string; graphKey: string } {
  const store = openPostgresStore(database);
  const past = Date.now() - 1000;
  try {
    createPlan(store, 'starter', { included: 50, price: '0.01' }, past);
    const { id } = createAccount(store, { name: 'trial', plan: 'starter' }, past);
    const { key } = createKey(store, { name: 'trial', scopes: ['validate'], account: id }, past);
    const { key: graphKey } = createKey(store, { name: 'front', scopes: ['graph'] }, past);
    return { key, graphKey };
  } finally {
    store.close();
  }
}

interface Serving {
  port: number;
  env: Record<string, string>;
}

function serverAt(name: string, folder: string, { port, env }: Serving): Part & { stop(): Promise<void> } {
  let server: Server | null = null;
  return {
    name,
    async start() {
      server = await serve(folder, { port, env, args: ['--init'] });
    },
    kill: async () => server?.kill(),
    stop: async () => void (await server?.stop()),
  };
}

async function isReadyAt(port: number): Promise<boolean> {
  const told = await ask(port, { method: 'GET', path: '/readyz' }).catch(() => null);
  return told?.status === 200;
}

/** Repeats the start of a killed PostgreSQL until its remaining processes have ended: it cannot start before. */
async function startedAgain(start: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return await start();
    } catch (error) {
      if (tries === 50) throw error;
      await pause(100);
    }
}
