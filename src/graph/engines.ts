// Opens graph engines by name. No other file reads the option `graph.engine`.
import {
  listConfiguredGraphEngines,
  parseRecordEncryptionAndRetention,
  DEFAULT_GRAPH_SETTINGS,
  type GraphSettings,
} from '../config/graph.ts';
import { BonafideError } from '../errors.ts';
import {
  requireRecordStoringGraph,
  createEngineStoresNoRecordsError,
  type IdentityGraph,
  type RecordStoringGraph,
} from './graph.ts';
import { createMergedGraph, type GraphAvailabilityListener } from './merged/engine.ts';
import { getDatabaseUrl, openConfiguredPostgresGraph } from './postgres/open.ts';
import { openSqliteGraph } from './sqlite/open.ts';
import { openUpstreamGraph } from './upstream/engine.ts';
import { checkUpstreamSettings } from './upstream/exchange.ts';

export interface GraphEngineOptions {
  dataDir: string;
  /** Secret of the graph (64 hexadecimal characters). Default: the content of the file `secret` in the data folder. */
  secret?: string | undefined;
  /** Value of the setting `graph`. Default: the embedded SQLite graph. */
  graph?: GraphSettings | undefined;
  /** Environment variables, one of which may contain the API key for an upstream graph. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Graphs of plugins, which are open already, by their names in `graph.engine`. */
  openGraphs?: ReadonlyMap<string, IdentityGraph>;
  /** Called when one of several configured graphs fails, and when it answers again. */
  onPartChange?: GraphAvailabilityListener;
  /** True to create missing files of the data folder. Default: true. */
  create?: boolean;
  allowUnfinishedCopy?: boolean;
}

interface Engine {
  open(graph: GraphSettings, options: Omit<GraphEngineOptions, 'graph'>): IdentityGraph;
  storesRecords: boolean;
  /** Validates the settings of an engine without opening anything. Errors: invalid_config. */
  check?(graph: GraphSettings, options: Pick<GraphEngineOptions, 'env'>): unknown;
}

const ENGINES = new Map<string, Engine>(
  Object.entries<Engine>({
    sqlite: {
      open: (graph, options) =>
        openSqliteGraph({ ...options, storesFullRecords: parseRecordEncryptionAndRetention(graph).sealed }),
      storesRecords: true,
    },
    postgres: {
      open: (graph, options) =>
        openConfiguredPostgresGraph({
          ...options,
          ...graph,
          storesFullRecords: parseRecordEncryptionAndRetention(graph).sealed,
        }),
      storesRecords: true,
      check: getDatabaseUrl,
    },
    upstream: {
      open: (graph, { env = {} }) => openUpstreamGraph(graph, env),
      storesRecords: false,
      check: (graph, { env = {} }) => checkUpstreamSettings(graph, env),
    },
  }),
);

/** Opens the configured graph, or a merged graph if several are configured. Errors: invalid_config for an unknown engine; those of the engine. */
export function openGraphFromSettings(options: GraphEngineOptions): IdentityGraph {
  const graphs: IdentityGraph[] = [];
  try {
    for (const name of listConfiguredGraphEngines(options.graph ?? DEFAULT_GRAPH_SETTINGS))
      graphs.push(openByName(name, options));
  } catch (error) {
    for (const graph of graphs) void graph.close();
    throw error;
  }
  const [only, ...others] = graphs;
  if (only && others.length === 0) return only;
  const partial = options.graph?.partial === 'allow';
  return createMergedGraph({ graphs, partial, onPartChange: options.onPartChange });
}

/** Opens the first engine in `graph.engine` that stores records. Errors: invalid_arguments if none stores records; those of the engine. */
export function openRecordStoringGraph(options: GraphEngineOptions): RecordStoringGraph {
  const name = findRecordStoringEngineName(options.graph);
  if (name !== null) return requireRecordStoringGraph(openByName(name, options));
  throw createEngineStoresNoRecordsError(
    listConfiguredGraphEngines(options.graph ?? DEFAULT_GRAPH_SETTINGS).join(', '),
  );
}

/**
 * Validates the setting `graph` without opening anything. Errors: invalid_config.
 * @param hasPlugins true if plugins are configured: an unknown engine may then be one of theirs
 */
export function checkGraphSettings(options: GraphEngineOptions, hasPlugins = false): void {
  const { graph = DEFAULT_GRAPH_SETTINGS } = options;
  for (const name of listConfiguredGraphEngines(graph)) {
    const engine = ENGINES.get(name);
    if (engine) engine.check?.(graph, options);
    else if (!hasPlugins) throw unknownEngine(name);
  }
}

export const isGraphInDataFolder = ({
  graph = DEFAULT_GRAPH_SETTINGS,
}: Pick<GraphEngineOptions, 'graph'>): boolean => listConfiguredGraphEngines(graph).includes('sqlite');

/** Returns the database files in the data folder that are not used, because the settings name other engines or databases. */
export const listUnconfiguredDatabaseFiles = ({
  graph,
  store,
}: Pick<GraphEngineOptions, 'graph'> & { store?: unknown }): ('graph.db' | 'store.db')[] => [
  ...(store ? (['store.db'] as const) : []),
  ...(isGraphInDataFolder({ graph }) ? [] : (['graph.db'] as const)),
];

/**
 * Returns the hours between two re-checks of all watches; null if watches are re-checked after changes of look-up keys instead, which the graph logs.
 */
export const getWatchRecheckIntervalHours = ({
  graph = DEFAULT_GRAPH_SETTINGS,
  recheckEveryHours,
}: Pick<GraphEngineOptions, 'graph'> & { recheckEveryHours: number }): number | null =>
  listConfiguredGraphEngines(graph).every((name) => name === findRecordStoringEngineName(graph))
    ? null
    : recheckEveryHours;

/** Returns the name of the first configured engine that stores records; null if none does. */
export const findRecordStoringEngineName = (setting: GraphSettings = DEFAULT_GRAPH_SETTINGS): string | null =>
  listConfiguredGraphEngines(setting).find((name) => ENGINES.get(name)?.storesRecords) ?? null;

/**
 * Returns the URL of the PostgreSQL database that stores the records; null if another engine stores them, or none does. Errors: invalid_config.
 */
export const getGraphDatabaseUrl = (setting: GraphSettings = DEFAULT_GRAPH_SETTINGS): string | null =>
  findRecordStoringEngineName(setting) === 'postgres' ? getDatabaseUrl(setting) : null;

export const hasRecordStoringEngine = (setting?: GraphSettings): boolean =>
  findRecordStoringEngineName(setting) !== null;

/** True if an engine is part of Bonafide, not a plugin. */
export const isBuiltInEngine = (name: string): boolean => ENGINES.has(name);

function openByName(name: string, options: GraphEngineOptions): IdentityGraph {
  const { graph: settings = DEFAULT_GRAPH_SETTINGS, ...others } = options;
  const graph = options.openGraphs?.get(name) ?? ENGINES.get(name)?.open(settings, others);
  if (graph) return graph;
  throw unknownEngine(name);
}

function unknownEngine(name: string): BonafideError {
  const known = [...ENGINES.keys()].join(', ');
  return new BonafideError(
    'invalid_config',
    `Unknown graph engine "${name}" in graph.engine. Use one of ${known}, or the name of a graph plugin in the setting "plugins".`,
  );
}

export const replaceEngineInGraphSettings = (
  graph: GraphSettings | undefined,
  place: Pick<GraphSettings, 'engine' | 'database'>,
): GraphSettings => ({ ...(graph ?? DEFAULT_GRAPH_SETTINGS), ...place });
