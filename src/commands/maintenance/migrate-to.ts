// Command `bonafide migrate-to`: copies the store and the graph to another engine.
import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import {
  findRecordStoringEngineName,
  getGraphDatabaseUrl,
  openRecordStoringGraph,
  replaceEngineInGraphSettings,
} from '../../graph/engines.ts';
import { copyGraphBetweenEngines } from '../../graph/move.ts';
import { getGraphFilePath } from '../../graph/sqlite/open.ts';
import { registerDataFolderDatabase } from '../../platform/data-folder.ts';
import { findPostgresAddressProblem, POSTGRES_ADDRESS_DESCRIPTION } from '../../platform/postgres/address.ts';
import { recordAuditEntry } from '../../store/audit.ts';
import {
  copyStoreBetweenEngines,
  lockFolderForStoreMove,
  lockPostgresForStoreMove,
  openPostgresSourceMonitor,
} from '../../store/move.ts';
import { getStoreLocation, openStoreAtLocation } from '../../store/open.ts';
import type { StoreLocation } from '../../store/store.ts';
import { defineArgument, defineChoiceOption, createUsageError } from '../helpers/arguments.ts';
import { defineCommand, formatTable, loadSettings, printResult } from '../helpers/command.ts';
import { findRunningServer, getServerAddressFile } from '../serve/console.ts';
import { recordCommandInAuditLog } from '../helpers/open.ts';
import { createProgressBar } from '../helpers/terminal.ts';

type Part = 'graph' | 'store';

interface GraphMove {
  engine: string;
  records: number;
  identities: number;
  compared: number;
}

interface StoreMove {
  data: object;
  text: string;
}

export const migrateToCommand = defineCommand('Copy store and graph to PostgreSQL or back, and compare', {
  args: {
    target: defineArgument('postgres://…, or sqlite for the data folder', 'TARGET'),
    only: defineChoiceOption(['store', 'graph'], 'Copy only one part'),
  },
  examples: ['migrate-to postgres://bonafide@db.internal/bonafide', 'migrate-to sqlite --only graph'],
  run: async (args) => {
    const config = await loadSettings(args);
    const { only, target, json = false } = args;
    const location = parseTarget(target, config.dataDir);
    refuseRunningServer(config.dataDir);
    const obstacles = {
      graph: findGraphObstacle(config, target),
      store: isStoreAt(config, location) ? 'The settings already name this store. It was not copied.' : null,
    };
    const parts: Part[] =
      only === undefined ? (['graph', 'store'] as const).filter((part) => !obstacles[part]) : [only];
    const { graph, store } = await withLocks(config, { location, parts }, async (requireSourcesUnused) => {
      // The graph is copied first: a repeated run compares a complete graph again, but refuses a store that exists.
      const graph = parts.includes('graph') ? await migrateGraph(config, target, json) : null;
      if (graph) requireSourcesUnused();
      if (only !== 'graph' && obstacles.store && !graph) throw createUsageError(obstacles.store);
      const store = parts.includes('store') ? migrateStore(config, location, requireSourcesUnused) : null;
      return { graph, store };
    });
    if (only === 'graph' && graph) return printResult(args, graph, formatGraphMove(graph));
    const data = { ...store?.data, ...(only === undefined && { graph }) };
    const storeText = store?.text ?? obstacles.store ?? '';
    const graphText = graph ? formatGraphMove(graph) : obstacles.graph;
    printResult(args, data, only === 'store' ? storeText : `${graphText}\n${storeText}`);
  },
});

/** Throws if a server runs on the data folder, because the copied store would lack its later calls. Errors: database_busy. */
function refuseRunningServer(dataDir: string): void {
  const server = findRunningServer(dataDir);
  if (server === null) return;
  const { pid, url, isElsewhere } = server;
  const subject = isElsewhere ? 'A server of another machine or container' : 'A server';
  throw new BonafideError(
    'database_busy',
    `${subject} uses ${dataDir} (process ${pid}, ${url}). Calls that it answers after the copy would be missing in the new store. Stop the server, run this command again, change the settings, then start the server. If the server was killed, delete ${getServerAddressFile(dataDir)}.`,
  );
}

/** Parses the argument TARGET. The error message never contains the target, which may have a password. Errors: invalid_arguments. */
function parseTarget(target: string, dataDir: string): StoreLocation {
  if (target === 'sqlite') return getStoreLocation({ dataDir });
  const problem = findPostgresAddressProblem(target);
  if (problem === null) return { url: target };
  throw createUsageError(`TARGET must be sqlite, or ${POSTGRES_ADDRESS_DESCRIPTION}: ${problem}.`);
}

/** Returns the reason that the configured graph cannot be copied; null if it can. */
function findGraphObstacle({ graph, dataDir }: Config, target: string): string | null {
  const engine = findRecordStoringEngineName(graph);
  if (engine === null)
    return 'The graph was not copied: the graph of the settings does not store records on this machine.';
  if (engine === toEngine(target)) return GRAPH_IS_THERE;
  if (engine === 'sqlite' && !existsSync(getGraphFilePath(dataDir)))
    return 'There is no graph in the data folder. No graph was copied.';
  return null;
}

const GRAPH_IS_THERE = 'The settings already name this graph. It was not copied.';

const toEngine = (target: string) => (target === 'sqlite' ? 'sqlite' : 'postgres');

function isStoreAt(config: Config, location: StoreLocation): boolean {
  const current = getStoreLocation(config);
  return 'file' in current === 'file' in location && JSON.stringify(current) === JSON.stringify(location);
}

/**
 * Runs `work` while the data folder or the databases are locked against other copies. Errors: database_busy if servers or commands use a source, now
 * or when `work` calls `requireSourcesUnused`.
 */
async function withLocks<T>(
  config: Config,
  { location, parts }: { location: StoreLocation; parts: readonly Part[] },
  work: (requireSourcesUnused: () => void) => Promise<T>,
): Promise<T> {
  const opened: { close(): void }[] = [];
  const open = <O extends { close(): void }>(lock: O): O => (opened.push(lock), lock);
  try {
    const sources = listSourceDatabases(config, parts);
    if ('file' in location) open(lockFolderForStoreMove(config.dataDir));
    const locked = 'file' in location ? sources : parts.length > 0 ? [location.url] : [];
    for (const url of locked) open(lockPostgresForStoreMove(url));
    const monitors = sources.map((url) => open(openPostgresSourceMonitor(url)));
    return await work(() => {
      refuseRunningServer(config.dataDir);
      for (const monitor of monitors) monitor.requireUnused();
    });
  } finally {
    for (const lock of opened) lock.close();
  }
}

/** Lists the PostgreSQL databases from which the parts are copied. */
function listSourceDatabases(config: Config, parts: readonly Part[]): string[] {
  const store = parts.includes('store') ? getStoreLocation(config) : null;
  const graph = parts.includes('graph') ? getGraphDatabaseUrl(config.graph) : null;
  return [...new Set([...(store && 'url' in store ? [store.url] : []), ...(graph === null ? [] : [graph])])];
}

function migrateStore(config: Config, location: StoreLocation, requireSourceUnused: () => void): StoreMove {
  const { tables, compared, heads } = copyStoreBetweenEngines(getStoreLocation(config), location, {
    requireSourceUnused,
  });
  const counts = tables.map(({ name, to: rows }) => [name, rows] as const);
  recordStoreMove(
    location,
    counts.reduce((sum, [, rows]) => sum + rows, 0),
  );
  if ('file' in location) registerDataFolderDatabase(config.dataDir, 'keys');
  const todo =
    'file' in location
      ? 'Remove `store` from the settings. Servers and commands then use the data folder.'
      : 'Set `store.url` to this address for every server and command.';
  return {
    data: { tables: Object.fromEntries(counts), compared, head: heads[1] },
    text: [
      formatTable(counts.map(([name, rows]) => [name, String(rows)])),
      `Compared ${compared} rows one by one, and the hash chain of the audit log.`,
      todo,
    ].join('\n'),
  };
}

function recordStoreMove(location: StoreLocation, rows: number): void {
  const store = openStoreAtLocation(location);
  try {
    const target = 'file' in location ? 'sqlite' : 'postgres';
    recordAuditEntry(store, { act: 'store.move', target, detail: { rows } });
  } finally {
    store.close();
  }
}

/** Copies the configured graph to `sqlite` or to a PostgreSQL address. Errors: invalid_arguments, those of `copyGraphBetweenEngines`. */
async function migrateGraph(config: Config, target: string, quiet: boolean): Promise<GraphMove> {
  const engine = toEngine(target);
  const from = openRecordStoringGraph({ ...config, create: false });
  const bar = createProgressBar({ quiet, title: 'Copying the graph', unit: 'records' });
  try {
    if (from.engine === engine) throw createUsageError(GRAPH_IS_THERE);
    const to = openRecordStoringGraph({
      ...config,
      graph: replaceEngineInGraphSettings(
        config.graph,
        engine === 'sqlite' ? { engine } : { engine, database: target },
      ),
      allowUnfinishedCopy: true,
    });
    try {
      const { records: total } = await from.stats();
      const onProgress = (count: number) =>
        bar.show({ phase: 'copying', done: count / Math.max(1, total), count });
      const { stats, compared } = await copyGraphBetweenEngines({ from, to, onProgress });
      const { records, identities } = stats;
      recordCommandInAuditLog(config, {
        act: 'graph.move',
        target: to.engine,
        detail: { records, identities },
      });
      return { engine: to.engine, records, identities, compared };
    } finally {
      await to.close();
    }
  } finally {
    bar.stop();
    await from.close();
  }
}

function formatGraphMove({ engine, records, identities, compared }: GraphMove): string {
  const todo =
    engine === 'sqlite'
      ? 'Remove `engine` and `database` from the setting `graph`. Checks then use the data folder.'
      : 'Set `graph.engine` to postgres and `graph.database` to this address for every server and command.';
  return `Copied ${records} records of ${identities} identities, and compared ${compared} answers.\n${todo}`;
}
