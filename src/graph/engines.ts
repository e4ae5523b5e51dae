// The engines by name: the one place that goes by the setting `graph`.
import { enginesOf, keptOf, USUAL_GRAPH } from '../config/graph.ts';
import type { GraphSettings } from '../config/graph.ts';
import { BonafideError } from '../errors.ts';
import { keeping, keepsNoRecords } from './graph.ts';
import type { IdentityGraph, KeepingGraph } from './graph.ts';
import { mergedGraph } from './merged/engine.ts';
import { databaseOf, openPostgres } from './postgres/open.ts';
import { openGraph } from './sqlite/open.ts';
import { checkUpstream, openUpstream } from './upstream/engine.ts';

export interface EngineOptions {
  dataDir: string;
  /** From the environment; else the one in the folder. */
  secret?: string | undefined;
  /** The setting; the embedded engine without it. */
  graph?: GraphSettings | undefined;
  /** The variables of the environment, where a key may be. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Make files where the folder is new; they are unless this is false. */
  create?: boolean;
}

interface Engine {
  open(options: EngineOptions): IdentityGraph;
  /** It keeps records, so that they can be imported here. */
  keeps: boolean;
  /** Looks whether the settings can be used, without opening or asking anything. Errors: invalid_config. */
  check?(options: EngineOptions): void;
}

const ENGINES: Record<string, Engine> = {
  sqlite: {
    open: ({ graph = USUAL_GRAPH, ...place }) => openGraph({ ...place, keepsWhole: keptOf(graph).whole }),
    keeps: true,
  },
  postgres: {
    open: ({ graph = USUAL_GRAPH, ...place }) =>
      openPostgres({ ...place, ...graph, keepsWhole: keptOf(graph).whole }),
    keeps: true,
    check: ({ graph = USUAL_GRAPH }) => void databaseOf(graph),
  },
  upstream: {
    open: ({ graph = USUAL_GRAPH, env = {} }) => openUpstream(graph, env),
    keeps: false,
    check: ({ graph = USUAL_GRAPH, env = {} }) => void checkUpstream(graph, env),
  },
};

/**
 * Opens the graph that checks are answered from.
 *
 * Errors: invalid_config for an engine that is not there; those of the engine on opening.
 */
export function openEngine(options: EngineOptions): IdentityGraph {
  const engines = named(options);
  const graphs: IdentityGraph[] = [];
  try {
    for (const engine of engines) graphs.push(engine.open(options));
  } catch (error) {
    for (const graph of graphs) void graph.close();
    throw error;
  }
  const [only, ...others] = graphs;
  return only && others.length === 0
    ? only
    : mergedGraph({ graphs, partial: options.graph?.partial === 'allow' });
}

/**
 * Opens the engine that keeps the records: of several the first that does.
 *
 * Errors: invalid_arguments where none does; those of `openEngine`.
 */
export function openKeeping(options: EngineOptions): KeepingGraph {
  const engine = named(options).find(({ keeps }) => keeps);
  if (engine) return keeping(engine.open(options));
  throw keepsNoRecords(enginesOf(options.graph ?? USUAL_GRAPH).join(', '));
}

/** Whether the setting can be used, without opening or asking anything. Errors: invalid_config. */
export function checkEngines(options: EngineOptions): void {
  for (const engine of named(options)) engine.check?.(options);
}

function named({ graph = USUAL_GRAPH }: EngineOptions): Engine[] {
  return enginesOf(graph).map((name) => {
    const engine = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
    if (engine) return engine;
    const known = Object.keys(ENGINES).join(', ');
    throw new BonafideError('invalid_config', `graph.engine names ${name}; there is ${known}.`);
  });
}
