// A graph that queries a graph plugin in a worker thread, with a deadline and a circuit breaker.
import { resolve } from 'node:path';
import { processEnvironment, type Config, type GraphSettings } from '../../config.ts';
import { BonafideError, type ErrorCode } from '../../errors.ts';
import { listPluginFiles } from '../../features/plugin-file.ts';
import { isModelError, type FeatureErrorCode } from '../../features/plugin/errors.ts';
import { createThreadModelRunner } from '../../features/running/remote.ts';
import type { RunningModel } from '../../features/running/runner.ts';
import { openRestartingPluginThread } from '../../features/running/thread.ts';
import { EMPTY_GRAPH_QUERY, type GraphQuery, type IdentityGraph } from '../../graph/graph.ts';
import { createResilientCaller } from '../../graph/upstream/resilient-calls.ts';
import type { Log } from '../../observe/log.ts';
import { createGraphRecoveryWatcher } from '../../platform/resilience/recovery.ts';
import { parseGraphPluginAnswer, toGraphPluginQuestion } from './plugin-messages.ts';

interface PluginGraphDeps {
  config: Pick<Config, 'plugins'>;
  settings: GraphSettings;
  log: Pick<Log, 'info' | 'warn'>;
}

const MEMORY_MB = 256;

/** Starts the graph plugin with a name. Errors: invalid_config if it does not exist, cannot be loaded, or refuses its options; graph_bad_response and other codes if it fails. */
export async function openPluginGraph(
  name: string,
  { config, settings, log }: PluginGraphDeps,
): Promise<IdentityGraph> {
  const { thread, runner } = await startPluginThread(name, { config, settings, log });
  const accepted = await Promise.resolve(runner.accept(settings.options)).catch(async (error: unknown) => {
    await thread.close();
    throw toGraphError(name, error);
  });
  if (!accepted.ok) {
    await thread.close();
    throw new BonafideError(
      'invalid_config',
      `The options of the graph plugin ${name} (setting graph.options) are invalid: ${accepted.problem}. Correct the setting.`,
    );
  }
  const { options } = accepted.value;
  const started = runner.start({ name, options, settings: settings.options, secret: () => undefined });
  return createPluginGraph(name, { started, settings, close: () => thread.close() });
}

async function startPluginThread(name: string, { config, log }: PluginGraphDeps) {
  for (const path of config.plugins.flatMap((one) => listPluginFiles(resolve(one)))) {
    const thread = await openRestartingPluginThread({
      path,
      memoryMb: MEMORY_MB,
      env: processEnvironment,
      log,
      now: () => performance.now(),
    });
    for (const loadedPlugin of thread.plugins)
      if (loadedPlugin.kind === 'graph' && loadedPlugin.name === name) {
        log.info(`graph ${name} ${loadedPlugin.version} (${path})`);
        return { thread, runner: createThreadModelRunner(thread, loadedPlugin) };
      }
    await thread.close();
  }
  throw new BonafideError(
    'invalid_config',
    `Unknown graph engine ${name} in graph.engine: it is not built in, and no plugin of the setting plugins has this name. Correct graph.engine, or add the plugin's file to plugins.`,
  );
}

interface StartedPlugin {
  started: RunningModel;
  settings: GraphSettings;
  close(): Promise<void>;
}

function createPluginGraph(name: string, { started, settings, close }: StartedPlugin): IdentityGraph {
  const caller = createResilientCaller({ ...settings, target: `the graph ${name}` });
  const resolve = (query: GraphQuery) =>
    caller.call(async (signal) => {
      const mapped = toGraphPluginQuestion(query);
      const ask = { system: '', facts: mapped.question, schema: {}, signal };
      const finding = await Promise.resolve(started.generate(ask)).catch((error: unknown) => {
        throw toGraphError(name, error);
      });
      return parseGraphPluginAnswer(mapped, finding, { query, now: Date.now() });
      // The plugin itself decides about retries; after the end of its thread a retry would have to load it again.
    }, ONCE);
  const recovery = createGraphRecoveryWatcher(
    () => resolve(EMPTY_GRAPH_QUERY),
    () => caller.isHealthy,
  );
  return {
    engine: name,
    resolve: (query) => recovery.watch(resolve(query)),
    stats: async () => ({ ...NO_RECORDS, identities: (await resolve(EMPTY_GRAPH_QUERY)).total }),
    warnings: async () => [],
    ping: caller.requireHealthy,
    async close() {
      recovery.end();
      await started.close().catch(() => undefined);
      await close();
    },
  };
}

const ONCE = { noRetry: true };
const NO_RECORDS = { records: 0, merged: 0, postings: 0, unlinked: 0, linkedAt: null, settled: true };

const CODES: Partial<Record<FeatureErrorCode, ErrorCode>> = {
  model_timeout: 'graph_timeout',
  cancelled: 'graph_timeout',
  model_unavailable: 'graph_unavailable',
  model_rate_limited: 'graph_unavailable',
  model_busy: 'graph_unavailable',
  model_skipped: 'graph_unavailable',
};

/** Converts an error of a graph plugin. The plugin's hint is for the operator and contains no part of the query. */
function toGraphError(name: string, error: unknown): BonafideError {
  if (!isModelError(error))
    return new BonafideError(
      'graph_bad_response',
      `The graph plugin ${name} threw an error that is not a ModelError. Test the plugin: bonafide plugins check FILE`,
    );
  const { code, hint, message } = error;
  return new BonafideError(
    CODES[code] ?? 'graph_bad_response',
    `The graph plugin ${name} failed: ${hint || message}`,
  );
}
