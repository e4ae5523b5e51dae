// Thread of `plugins check`: loads plugins and checks them. An endless loop of a plugin blocks only this thread.
import { workerData } from 'node:worker_threads';
import { loadPluginsFromPath, type AnyPlugin } from '../features/plugin-file.ts';
import { featureProblems, graphProblems, modelProblems } from '../features/plugin/test/index.ts';
import { sendEventToParentThread, serveThreadCalls } from '../platform/threads/calls.ts';
import type { PluginCheckRequest } from './plugins.ts';

/** Interval (ms) of the event `alive`, which shows that no plugin blocks this thread. */
const ALIVE_INTERVAL_MS = 200;

const { path, ...options }: PluginCheckRequest = workerData;
let plugins: AnyPlugin[] = [];

function findProblems(plugin: AnyPlugin): Promise<string[]> {
  if (plugin.kind === 'feature') return featureProblems(plugin, options);
  return plugin.kind === 'graph' ? graphProblems(plugin, options) : modelProblems(plugin, options);
}

sendEventToParentThread('alive');
setInterval(() => sendEventToParentThread('alive'), ALIVE_INTERVAL_MS).unref();
serveThreadCalls(async (name, input) => {
  if (name === 'check') return findProblems(plugins[input as number] as AnyPlugin);
  plugins = loadPluginsFromPath(path);
  return plugins.map(({ kind, name: pluginName, version }) => ({ kind, name: pluginName, version }));
});
