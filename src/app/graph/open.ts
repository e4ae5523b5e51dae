import { listConfiguredGraphEngines, processEnvironment, DEFAULT_GRAPH_SETTINGS } from '../../config.ts';
import type { Config, GraphSettings } from '../../config.ts';
import type { BonafideError } from '../../errors.ts';
import { isBuiltInEngine, openGraphFromSettings, type GraphEngineOptions } from '../../graph/engines.ts';
import type { IdentityGraph } from '../../graph/graph.ts';
import type { Log } from '../../observe/log.ts';
import { openPluginGraph } from './plugin-graph.ts';

interface OpenGraphOptions extends Pick<GraphEngineOptions, 'create'> {
  log: Pick<Log, 'info' | 'warn'>;
}

/** Opens the graph that the settings name, with its graph plugins. Errors: invalid_config; those of the graph engines. */
export async function openConfiguredGraph(
  config: Config,
  { log, create = true }: OpenGraphOptions,
): Promise<IdentityGraph> {
  const { graph: settings = DEFAULT_GRAPH_SETTINGS } = config;
  const pluginGraphs = new Map<string, IdentityGraph>();
  const closeAll = () => Promise.all([...pluginGraphs.values()].map((graph) => graph.close()));
  try {
    for (const name of listConfiguredGraphEngines(settings))
      if (!isBuiltInEngine(name))
        pluginGraphs.set(name, await openPluginGraph(name, { config, settings, log }));
    return openGraphFromSettings({
      ...config,
      env: processEnvironment,
      openGraphs: pluginGraphs,
      create,
      onPartChange: logPartChange(settings.partial, log),
    });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

const logPartChange =
  (partial: GraphSettings['partial'], log: OpenGraphOptions['log']) =>
  (name: string, problem: BonafideError | null): void => {
    if (problem === null) return log.info(`the graph ${name} answers again`);
    const what = partial === 'allow' ? 'is left out of checks' : 'fails, and checks are refused';
    log.warn(`The graph ${name} ${what}: ${problem.message}`);
  };
