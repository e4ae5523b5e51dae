// Thread of `plugins check`: loads a plugin and checks it. An endless loop of the plugin blocks only this thread.
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { loadPlugin, type Plugin } from '../features/loading/file.ts';
import { featureProblems, graphProblems, modelProblems } from '../features/plugin/test/index.ts';
import type { PluginCheckMessage, PluginCheckRequest } from './plugins.ts';

/** Interval of the signs of life, in milliseconds. */
const ALIVE_INTERVAL_MS = 200;

const { path, ...options }: PluginCheckRequest = workerData;
const send = (message: PluginCheckMessage) => parentPort?.postMessage(message);

function findProblems(plugin: Plugin): Promise<string[]> {
  if (plugin.kind === 'feature') return featureProblems(plugin, options);
  return plugin.kind === 'graph' ? graphProblems(plugin, options) : modelProblems(plugin, options);
}

async function checkPlugins(): Promise<void> {
  const plugins = loadPlugin(path);
  send({ plugins: plugins.map(({ kind, name, version }) => ({ kind, name, version })) });
  for (const plugin of plugins) send({ problems: await findProblems(plugin) });
}

send('alive');
const timer = setInterval(send, ALIVE_INTERVAL_MS, 'alive');
try {
  await checkPlugins();
} catch (error) {
  if (!(error instanceof BonafideError)) throw error;
  send({ loadError: error.message });
} finally {
  clearInterval(timer);
}
