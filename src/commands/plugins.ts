// bonafide plugins: plugins of the AI features and graph plugins.
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { environment } from '../config.ts';
import { BonafideError } from '../errors.ts';
import type { Plugin } from '../features/loading/file.ts';
import { loadPlugins } from '../features/loading/load.ts';
import { readSettings } from '../features/settings.ts';
import { codeFile } from '../platform/assets.ts';
import { argument, flag, option, parseSetOptions, PLUGINS_OPTION } from './shared/arguments.ts';
import { defineCommand, defineGroup, formatTable, loadSettings, print, printNote } from './shared/command.ts';
import { requireFile } from './shared/files.ts';

const list = defineCommand('list', 'Show every plugin that loads, and its file', {
  args: PLUGINS_OPTION,
  examples: ['plugins list', 'plugins list --plugins my-plugin.ts'],
  run: async (args) => {
    const { dataDir, plugins: paths } = await loadSettings(args, { plugins: args.plugins });
    const { optional_plugins: optional } = readSettings(join(dataDir, 'features.json'));
    const log = { info: () => undefined, warn: printNote };
    const { loaded, close } = await loadPlugins({ paths, optional, log });
    await close();
    const rows = loaded.map(({ kind, name, version, path }) => [name, version, kind, path ?? 'built in']);
    print(args, loaded, formatTable(rows));
  },
});

const check = defineCommand(
  'check',
  'Test whether a plugin obeys the plugin contract, and list its problems',
  {
    args: {
      file: argument('The plugin: a file, or a folder'),
      set: option('Option of the plugin, key=value; may be repeated', 'key=value'),
      'form-only': flag('Do not call a model or a graph: use this if its server is not available'),
    },
    examples: [
      'plugins check my-feature.ts',
      'plugins check my-model.mjs --set url=http://127.0.0.1:11434 --set model=llama3.2',
    ],
    run: async (args, valuesOf) => {
      const path = resolve(args.file);
      const options = parseSetOptions(valuesOf('set'));
      requireFile(path);
      const checks = await checkPlugins({
        path,
        options,
        answers: !args['form-only'],
        env: { ...environment },
      });
      print(args, checks, checks.map(formatCheck).join('\n'));
      const failed = checks.filter(({ problems }) => problems.length > 0).length;
      if (failed > 0)
        throw new BonafideError(
          'invalid_config',
          `${failed} of ${checks.length} plugins break the plugin contract. The lines above list the problems.`,
        );
    },
  },
);

export const pluginsCommands = defineGroup('plugins', 'List plugins, and test your own plugin', {
  subCommands: { list, check },
  examples: ['plugins list', 'plugins check my-feature.ts'],
});

type PluginName = Pick<Plugin, 'kind' | 'name' | 'version'>;
type PluginCheck = PluginName & { problems: string[] };

function formatCheck({ kind, name, version, problems }: PluginCheck): string {
  const verdict = problems.length === 0 ? 'obeys the plugin contract' : 'breaks the plugin contract';
  return [`${kind} ${name} ${version} ${verdict}`, ...problems.map((problem) => `- ${problem}`)].join('\n');
}

/** Request to the thread that checks the plugins of one file. */
export interface PluginCheckRequest {
  /** File or folder of the plugins. */
  path: string;
  options: Record<string, unknown>;
  /** True if models and graphs are called; false if their servers are not available. */
  answers: boolean;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Message of the thread that checks plugins: a sign of life, the list of plugins, the problems of the next plugin in that list, or the reason
 * that the file does not load.
 */
export type PluginCheckMessage =
  | 'alive'
  | { plugins: PluginName[] }
  | { problems: string[] }
  | { loadError: string };

/** Time without a sign of life after which a thread is terminated, in milliseconds. */
const MAX_SILENCE_MS = 10_000;

/**
 * Checks the plugins of a file in a separate thread, so that a plugin with an endless loop is reported like any other problem.
 * Errors: invalid_config if the file does not load.
 */
export async function checkPlugins(
  request: PluginCheckRequest,
  maxSilenceMs = MAX_SILENCE_MS,
): Promise<PluginCheck[]> {
  const problems: string[][] = [];
  let plugins: PluginName[] | null = null;
  let loadError: string | null = null;
  const endReason = await runCheckThread(request, maxSilenceMs, (message) => {
    if (message === 'alive') return;
    if ('plugins' in message) ({ plugins } = message);
    else if ('loadError' in message) ({ loadError } = message);
    else problems.push(message.problems);
  });
  if (plugins === null)
    throw new BonafideError(
      'invalid_config',
      loadError ?? `The plugin ${request.path} does not load: ${endReason}.`,
    );
  const notChecked = `was not checked: ${endReason}`;
  const problemsAt = (i: number) => problems[i] ?? [i === problems.length ? endReason : notChecked];
  return (plugins as PluginName[]).map((plugin, i) => ({ ...plugin, problems: problemsAt(i) }));
}

/** Starts the thread. Resolves when the thread has ended, to the reason for an early end. */
function runCheckThread(
  request: PluginCheckRequest,
  maxSilenceMs: number,
  onMessage: (message: PluginCheckMessage) => void,
): Promise<string> {
  const thread = new Worker(codeFile('commands/plugin-check-thread'), { workerData: request });
  let endReason = 'it ended its thread';
  const terminate = () => {
    endReason = `a call blocked its thread for ${maxSilenceMs / 1000} s and was terminated. Does it loop endlessly?`;
    void thread.terminate();
  };
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    thread.on('message', (message: PluginCheckMessage) => {
      clearTimeout(timer);
      timer = setTimeout(terminate, maxSilenceMs);
      onMessage(message);
    });
    thread.on('error', () => (endReason = 'it threw an error that it did not catch'));
    thread.on('exit', () => {
      clearTimeout(timer);
      resolve(endReason);
    });
  });
}
