// Thread of `plugins check`: loads plugins and checks them. An endless loop of a plugin blocks only this thread.
import { workerData } from 'node:worker_threads';
import { loadPluginsFromPath, type AnyPlugin } from '../features/plugin-file.ts';
import { isUnreachableError } from '../features/plugin/errors.ts';
import { featureProblems, graphProblems, modelProblems } from '../features/plugin/test/index.ts';
import { sendEventToParentThread, serveThreadCalls } from '../platform/threads/calls.ts';
import type { PluginCheckRequest, PluginCheckResult } from './plugins.ts';

/** Interval (ms) of the event `alive`, which shows that no plugin blocks this thread. */
const ALIVE_INTERVAL_MS = 200;

const { path, ...options }: PluginCheckRequest = workerData;
let plugins: AnyPlugin[] = [];

const CALLS_OF_SERVERS = ['open', 'generate', 'lookUp'];

async function checkPlugin(plugin: AnyPlugin): Promise<PluginCheckResult> {
  let isUnreachable = false;
  const watch = ([name, member]: [string, unknown]) => {
    if (!CALLS_OF_SERVERS.includes(name) || typeof member !== 'function') return [name, member];
    const call = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await member.apply(plugin, args);
      } catch (error) {
        isUnreachable ||= isUnreachableError(error);
        throw error;
      }
    };
    return [name, call];
  };
  const watched: AnyPlugin = Object.fromEntries(Object.entries(plugin).map(watch));
  return { problems: await findProblems(watched), isUnreachable };
}

function findProblems(plugin: AnyPlugin): Promise<string[]> {
  if (plugin.kind === 'feature') return featureProblems(plugin, options);
  return plugin.kind === 'graph' ? graphProblems(plugin, options) : modelProblems(plugin, options);
}

sendEventToParentThread('alive');
setInterval(() => sendEventToParentThread('alive'), ALIVE_INTERVAL_MS).unref();
serveThreadCalls(async (name, input) => {
  if (name === 'check') return checkPlugin(plugins[input as number] as AnyPlugin);
  plugins = loadPluginsFromPath(path);
  return plugins.map(({ kind, name: pluginName, version }) => ({ kind, name: pluginName, version }));
});
