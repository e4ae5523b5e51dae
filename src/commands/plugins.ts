import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment } from '../config.ts';
import { BonafideError } from '../errors.ts';
import { loadPlugins } from '../features/loading/load.ts';
import { readSettings } from '../features/settings.ts';
import { keyValues } from './key-value.ts';
import { COMMON, configOf, defineCommand, PLUGINS, print, table } from './command.ts';
import { type Checked, tryPlugins } from './plugins/trial.ts';

const list = defineCommand({
  meta: { name: 'list', description: 'Show every plugin that loads, and where it comes from' },
  args: { ...COMMON, ...PLUGINS },
  examples: ['plugins list', 'plugins list --plugins my-plugin.ts'],
  run: async ({ args }) => {
    const { dataDir, plugins: paths } = await configOf(args, { plugins: args.plugins });
    const { optional_plugins: optional } = readSettings(join(dataDir, 'features.json'));
    const log = { info: () => undefined, warn: (line: string) => void process.stderr.write(`${line}\n`) };
    const { loaded, close } = await loadPlugins({ paths, optional, log });
    await close();
    const rows = loaded.map(({ kind, name, version, path }) => [name, version, kind, path ?? 'built in']);
    print(args, loaded, table(rows));
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
    ...COMMON,
  },
  examples: [
    'plugins check my-feature.ts',
    'plugins check my-model.mjs --set url=http://127.0.0.1:11434 --set model=llama3.2',
  ],
  run: async ({ args, rawArgs }) => {
    const path = resolve(args.file);
    const options = keyValues(rawArgs);
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
