// The thread in which `plugins check` loads a plugin and tries it: code that loops for ever loops here.
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { loadPlugin, type Plugin } from '../features/loading/file.ts';
import { featureProblems, graphProblems, modelProblems } from '../features/plugin/test/index.ts';
import type { FromTrial, Trial } from './plugins.ts';

/** Who waits hears so often that the thread is free. */
const BEATS_MS = 200;

const { path, ...asked }: Trial = workerData;
const tell = (told: FromTrial) => parentPort?.postMessage(told);

function problemsOf(plugin: Plugin): Promise<string[]> {
  if (plugin.kind === 'feature') return featureProblems(plugin, asked);
  return plugin.kind === 'graph' ? graphProblems(plugin, asked) : modelProblems(plugin, asked);
}

async function tried(): Promise<void> {
  const plugins = loadPlugin(path);
  tell({ plugins: plugins.map(({ kind, name, version }) => ({ kind, name, version })) });
  for (const plugin of plugins) tell({ problems: await problemsOf(plugin) });
}

tell('alive');
const beats = setInterval(tell, BEATS_MS, 'alive');
try {
  await tried();
} catch (error) {
  if (!(error instanceof BonafideError)) throw error;
  tell({ failed: error.message });
} finally {
  clearInterval(beats);
}
