// Commands `bonafide plugins`: list plugins, and check a plugin against the plugin contract.
import { join, resolve } from 'node:path';
import { processEnvironment } from '../config.ts';
import { BonafideError } from '../errors.ts';
import type { AnyPlugin } from '../features/plugin-file.ts';
import { loadPlugins } from '../features/load-plugins.ts';
import { readFeatureSettings } from '../features/settings.ts';
import { createLazyWorkerThread } from '../platform/threads/calls.ts';
import {
  defineArgument,
  defineFlag,
  defineOption,
  parseKeyValueOptions,
  PLUGINS_OPTION,
} from './helpers/arguments.ts';
import {
  defineCommand,
  defineCommandGroup,
  formatTable,
  loadSettings,
  printResult,
  printNote,
} from './helpers/command.ts';
import { requireFile } from './helpers/files.ts';

const list = defineCommand('Show every plugin that loads, and its file', {
  args: PLUGINS_OPTION,
  examples: ['plugins list', 'plugins list --plugins my-plugin.ts'],
  run: async (args) => {
    const { dataDir, plugins: paths } = await loadSettings(args, { plugins: args.plugins });
    const { optional_plugins: optional } = readFeatureSettings(join(dataDir, 'features.json'));
    const log = { info: () => undefined, warn: printNote };
    const { loaded, close } = await loadPlugins({ paths, optional, log });
    await close();
    const rows = loaded.map(({ kind, name, version, path }) => [name, version, kind, path ?? 'built in']);
    printResult(args, loaded, formatTable(rows));
  },
});

const check = defineCommand('Test whether a plugin obeys the plugin contract, and list its problems', {
  args: {
    file: defineArgument('The plugin: a file, or a folder'),
    set: defineOption('Option of the plugin, key=value; may be repeated', 'key=value'),
    'form-only': defineFlag('Do not call a model or a graph: use this if its server is not available'),
  },
  examples: [
    'plugins check my-feature.ts',
    'plugins check my-model.mjs --set url=http://127.0.0.1:11434 --set model=llama3.2',
  ],
  run: async (args, valuesOf) => {
    const path = resolve(args.file);
    const options = parseKeyValueOptions(valuesOf('set'));
    requireFile(path);
    const checks = await checkPlugins({
      path,
      options,
      answers: !args['form-only'],
      env: { ...processEnvironment },
    });
    const shown = checks.map(({ kind, name, version, problems }) => ({ kind, name, version, problems }));
    printResult(args, shown, shown.map(formatCheck).join('\n'));
    const isUnreachable = !args['form-only'] && checks.some((result) => result.isUnreachable);
    const failed = checks.filter(({ problems }) => problems.length > 0).length;
    if (failed > 0)
      throw new BonafideError(
        'invalid_config',
        `${failed} of ${checks.length} plugins break the plugin contract. The lines above list the problems.${isUnreachable ? ' If a server is not running on purpose, add --form-only.' : ''}`,
      );
  },
});

export const pluginsCommands = defineCommandGroup('List plugins, and test your own plugin', {
  subCommands: { list, check },
  examples: ['plugins list', 'plugins check my-feature.ts'],
});

type PluginName = Pick<AnyPlugin, 'kind' | 'name' | 'version'>;
type PluginCheck = PluginName & PluginCheckResult;

/** Problems of a plugin, one sentence each. `isUnreachable` is true if one of its calls failed because a server could not be reached. */
export interface PluginCheckResult {
  problems: string[];
  isUnreachable?: boolean;
}

function formatCheck({ kind, name, version, problems }: PluginName & PluginCheckResult): string {
  const verdict = problems.length === 0 ? 'obeys the plugin contract' : 'breaks the plugin contract';
  return [`${kind} ${name} ${version} ${verdict}`, ...problems.map((problem) => `- ${problem}`)].join('\n');
}

export interface PluginCheckRequest {
  path: string;
  options: Record<string, unknown>;
  /** True to also call the models and graphs of the plugins; false if their servers cannot be reached from this machine. */
  answers: boolean;
  env: Readonly<Record<string, string | undefined>>;
}

/** Operations of the thread: `load` lists the plugins of the file, `check` checks the plugin at an index. */
export type PluginCheckerThreadOperations = {
  load: (input: undefined) => PluginName[];
  check: (index: number) => Promise<PluginCheckResult>;
};

/** Time (ms) without an event `alive` after which the thread of a plugin check is terminated. */
const MAX_SILENCE_MS = 10_000;

/**
 * Checks the plugins of a file in a separate thread, so that a plugin with an endless loop is reported as a problem. Errors: invalid_config if
 * the file cannot be loaded.
 */
export async function checkPlugins(
  request: PluginCheckRequest,
  maxSilenceMs = MAX_SILENCE_MS,
): Promise<PluginCheck[]> {
  let endReason = 'it ended its thread';
  const terminate = () => {
    endReason = `a call blocked its thread for ${maxSilenceMs / 1000} s and was terminated. Does it loop endlessly?`;
    void thread.close();
  };
  let timer: NodeJS.Timeout | undefined;
  const thread = createLazyWorkerThread<PluginCheckerThreadOperations>({
    file: 'commands/plugin-check-thread',
    workerData: request,
    toEndedError: () => new ThreadEnded(),
    onEvent() {
      clearTimeout(timer);
      timer = setTimeout(terminate, maxSilenceMs);
    },
  });
  const toErrorLogFields = (error: unknown) =>
    error instanceof ThreadEnded ? endReason : 'it threw an error that it did not catch';
  try {
    const plugins = await thread.call('load', undefined).catch((error: unknown) => {
      if (error instanceof BonafideError) throw error;
      throw new BonafideError(
        'invalid_config',
        `The plugin ${request.path} does not load: ${toErrorLogFields(error)}.`,
      );
    });
    const checks: PluginCheck[] = [];
    let hasEnded = false;
    const check = async (index: number): Promise<PluginCheckResult> => {
      if (hasEnded) return { problems: [`was not checked: ${endReason}`] };
      return thread.call('check', index).catch((error: unknown) => {
        hasEnded = error instanceof ThreadEnded;
        return { problems: [toErrorLogFields(error)] };
      });
    };
    for (const [index, plugin] of plugins.entries()) checks.push({ ...plugin, ...(await check(index)) });
    return checks;
  } finally {
    clearTimeout(timer);
    await thread.close();
  }
}

class ThreadEnded extends Error {}
