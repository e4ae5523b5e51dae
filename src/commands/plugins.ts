import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment } from '../config.ts';
import { BonafideError } from '../errors.ts';
import { loadPlugins } from '../features/loading/load.ts';
import { readSettings } from '../features/settings.ts';
import { parseSetOptions } from './shared/arguments.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  PLUGINS_OPTION,
  print,
  formatTable,
} from './shared/command.ts';
import { Worker } from 'node:worker_threads';
import type { Plugin } from '../features/loading/file.ts';
import { codeFile } from '../platform/assets.ts';

const list = defineCommand({
  meta: { name: 'list', description: 'Show every plugin that loads, and where it comes from' },
  args: { ...COMMON_OPTIONS, ...PLUGINS_OPTION },
  examples: ['plugins list', 'plugins list --plugins my-plugin.ts'],
  run: async ({ args }) => {
    const { dataDir, plugins: paths } = await loadSettings(args, { plugins: args.plugins });
    const { optional_plugins: optional } = readSettings(join(dataDir, 'features.json'));
    const log = { info: () => undefined, warn: (line: string) => void process.stderr.write(`${line}\n`) };
    const { loaded, close } = await loadPlugins({ paths, optional, log });
    await close();
    const rows = loaded.map(({ kind, name, version, path }) => [name, version, kind, path ?? 'built in']);
    print(args, loaded, formatTable(rows));
  },
});

function told({ kind, name, version, problems }: Checked): string {
  const verdict = problems.length === 0 ? 'keeps the contract' : 'breaks the contract';
  return [`${kind} ${name} ${version} ${verdict}`, ...problems.map((problem) => `- ${problem}`)].join('\n');
}

const check = defineCommand({
  meta: { name: 'check', description: 'Try a plugin on the contract and list what it breaks' },
  args: {
    file: { type: 'positional', description: 'The plugin: a file, or a folder of its own', required: true },
    set: {
      type: 'string',
      description: 'Option of the plugin, key=value; may be repeated',
      valueHint: 'key=value',
    },
    'form-only': {
      type: 'boolean',
      description: 'Ask a model or a graph nothing: its server is not at hand',
    },
    ...COMMON_OPTIONS,
  },
  examples: [
    'plugins check my-feature.ts',
    'plugins check my-model.mjs --set url=http://127.0.0.1:11434 --set model=llama3.2',
  ],
  run: async ({ args, rawArgs }) => {
    const path = resolve(args.file);
    const options = parseSetOptions(rawArgs);
    if (!existsSync(path)) throw new BonafideError('file_not_found', `There is no plugin ${path}.`);
    const found = await tryPlugins({ path, options, answers: !args['form-only'], env: { ...environment } });
    print(args, found, found.map(told).join('\n'));
    const broken = found.filter(({ problems }) => problems.length > 0).length;
    if (broken > 0) {
      const text = `${broken} of ${found.length} plugins break the contract; what is wrong is told above.`;
      throw new BonafideError('invalid_config', text);
    }
  },
});

export default defineCommand({
  meta: { name: 'plugins', description: 'Plugins of the AI features: list them, check one of your own' },
  subCommands: { list, check },
  examples: ['plugins list', 'plugins check my-feature.ts'],
});

// Tries the plugins of a file on the contract in a thread, so that one that never gives its thread back is told like any other.
type Tried = Pick<Plugin, 'kind' | 'name' | 'version'>;
type Checked = Tried & { problems: string[] };

export interface Trial {
  /** The plugin's file or folder. */
  path: string;
  options: Record<string, unknown>;
  /** False where a model's or graph's server is not at hand. */
  answers: boolean;
  env: Readonly<Record<string, string | undefined>>;
}

/** From the thread: that it is free; which plugins there are; what each breaks, in their order; why none loads. */
export type FromTrial = 'alive' | { plugins: Tried[] } | { problems: string[] } | { failed: string };

/** So long one call may hold its thread. */
const HELD_MS = 10_000;

/**
 * @param heldMs after how long without a word from it a thread is ended
 * Errors: `invalid_config` where the file does not load, or its code does not end.
 */
export async function tryPlugins(trial: Trial, heldMs = HELD_MS): Promise<Checked[]> {
  const done: string[][] = [];
  let plugins: Tried[] | null = null;
  let failed: string | null = null;
  const why = await ended(trial, heldMs, (told) => {
    if (told === 'alive') return;
    if ('plugins' in told) ({ plugins } = told);
    else if ('failed' in told) ({ failed } = told);
    else done.push(told.problems);
  });
  if (plugins === null)
    throw new BonafideError('invalid_config', failed ?? `plugin ${trial.path} does not load: ${why}.`);
  const untried = `was not tried: ${why}`;
  const problemsAt = (at: number) => done[at] ?? [at === done.length ? why : untried];
  return (plugins as Tried[]).map((plugin, at) => ({ ...plugin, problems: problemsAt(at) }));
}

/** Starts the thread and resolves when it is gone, to what that says of the plugin that was being tried. */
function ended(trial: Trial, heldMs: number, onTold: (told: FromTrial) => void): Promise<string> {
  const thread = new Worker(codeFile('commands/plugin-check-thread'), { workerData: trial });
  let why = 'it ended its thread';
  const late = () => {
    why = `a call held its thread for ${heldMs / 1000} s and was ended: does it loop for ever?`;
    void thread.terminate();
  };
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    thread.on('message', (told: FromTrial) => {
      clearTimeout(timer);
      timer = setTimeout(late, heldMs);
      onTold(told);
    });
    thread.on('error', () => (why = 'it threw an error that nobody caught'));
    thread.on('exit', () => {
      clearTimeout(timer);
      resolve(why);
    });
  });
}
