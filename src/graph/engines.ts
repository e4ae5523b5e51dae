// The engines by name: the one place that goes by the setting `graph`.
import { enginesOf, parseKeep, DEFAULT_GRAPH, type GraphSettings } from '../config/graph.ts';
import { BonafideError } from '../errors.ts';
import { requireRecords, noRecordsError, type IdentityGraph, type RecordGraph } from './graph.ts';
import { createMergedGraph, type PartListener } from './merged/engine.ts';
import { databaseOf, openPostgres } from './postgres/open.ts';
import { openGraph } from './sqlite/open.ts';
import { openUpstream } from './upstream/engine.ts';
import { checkUpstreamSettings } from './upstream/exchange.ts';

export interface EngineOptions {
  dataDir: string;
  /** From the environment; else the one in the folder. */
  secret?: string | undefined;
  /** The setting; the embedded engine without it. */
  graph?: GraphSettings | undefined;
  /** The variables of the environment, where a key may be. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Graphs that are open already, by the name that the setting has for them. */
  openGraphs?: ReadonlyMap<string, IdentityGraph>;
  /** Told where one of several graphs fails, and when it is back. */
  onPartChange?: PartListener;
  /** Make files where the folder is new; they are unless this is false. */
  create?: boolean;
  /** Open a copy of another graph that is not whole, too: for whoever fills it. */
  allowUnfinishedCopy?: boolean;
}

interface Engine {
  open(options: EngineOptions): IdentityGraph;
  /** It keeps records, so that they can be imported here. */
  keeps: boolean;
  /** Looks whether the settings can be used, without opening or asking anything. Errors: invalid_config. */
  check?(options: EngineOptions): void;
}

const ENGINES = new Map<string, Engine>(
  Object.entries<Engine>({
    sqlite: {
      open: ({ graph = DEFAULT_GRAPH, ...place }) =>
        openGraph({ ...place, keepsWhole: parseKeep(graph).whole }),
      keeps: true,
    },
    postgres: {
      open: ({ graph = DEFAULT_GRAPH, ...place }) =>
        openPostgres({ ...place, ...graph, keepsWhole: parseKeep(graph).whole }),
      keeps: true,
      check: ({ graph = DEFAULT_GRAPH }) => void databaseOf(graph),
    },
    upstream: {
      open: ({ graph = DEFAULT_GRAPH, env = {} }) => openUpstream(graph, env),
      keeps: false,
      check: ({ graph = DEFAULT_GRAPH, env = {} }) => void checkUpstreamSettings(graph, env),
    },
  }),
);

/**
 * Opens the graph that checks are answered from.
 *
 * Errors: invalid_config for an engine that is not there; those of the engine on opening.
 */
export function openEngine(options: EngineOptions): IdentityGraph {
  const names = enginesOf(options.graph ?? DEFAULT_GRAPH);
  const graphs: IdentityGraph[] = [];
  try {
    for (const name of names) graphs.push(opened(name, options));
  } catch (error) {
    for (const graph of graphs) void graph.close();
    throw error;
  }
  const [only, ...others] = graphs;
  return only && others.length === 0
    ? only
    : createMergedGraph({
        graphs,
        partial: options.graph?.partial === 'allow',
        onPartChange: options.onPartChange,
      });
}

/**
 * Opens the engine that keeps the records: of several the first that does.
 *
 * Errors: invalid_arguments where none does; those of the engine on opening.
 */
export function openRecordGraph(options: EngineOptions): RecordGraph {
  const keeper = findRecordEngine(options.graph);
  if (keeper !== null) return requireRecords(opened(keeper, options));
  throw noRecordsError(enginesOf(options.graph ?? DEFAULT_GRAPH).join(', '));
}

/**
 * Whether the setting can be used, without opening or asking anything.
 *
 * @param hasPlugins whether a name may be a plugin's
 *
 * Errors: invalid_config.
 */
export function checkGraphSettings(options: EngineOptions, hasPlugins = false): void {
  for (const name of enginesOf(options.graph ?? DEFAULT_GRAPH)) {
    const engine = ENGINES.get(name);
    if (engine) engine.check?.(options);
    else if (!hasPlugins) throw unknownEngine(name);
  }
}

/** Whether the graph, or a part of it, lies in files of the data folder. */
export const isGraphInDataFolder = ({ graph = DEFAULT_GRAPH }: Pick<EngineOptions, 'graph'>): boolean =>
  enginesOf(graph).includes('sqlite');

/** The engine of a setting that keeps the records: of several the first that does; null where none does. */
export const findRecordEngine = (setting: GraphSettings = DEFAULT_GRAPH): string | null =>
  enginesOf(setting).find((name) => ENGINES.get(name)?.keeps) ?? null;

/** The address of the PostgreSQL that keeps the records; null where none does. Errors: invalid_config. */
export const graphDatabaseUrl = (setting: GraphSettings = DEFAULT_GRAPH): string | null =>
  findRecordEngine(setting) === 'postgres' ? databaseOf(setting) : null;

/** Whether one of the engines of a setting keeps records. */
export const hasRecordEngine = (setting?: GraphSettings): boolean => findRecordEngine(setting) !== null;

/** Whether a name is of an engine that comes with Bonafide. */
export const isBuiltInEngine = (name: string): boolean => ENGINES.has(name);

function opened(name: string, options: EngineOptions): IdentityGraph {
  const graph = options.openGraphs?.get(name) ?? ENGINES.get(name)?.open(options);
  if (graph) return graph;
  throw unknownEngine(name);
}

function unknownEngine(name: string): BonafideError {
  const known = [...ENGINES.keys()].join(', ');
  return new BonafideError(
    'invalid_config',
    `graph.engine names ${name}; there is ${known}, and graph plugins where the setting plugins names any.`,
  );
}

/** The setting, with the graph in another engine. */
export const withGraphEngine = (
  graph: GraphSettings | undefined,
  place: Pick<GraphSettings, 'engine' | 'database'>,
): GraphSettings => ({ ...(graph ?? DEFAULT_GRAPH), ...place });
