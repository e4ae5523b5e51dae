import { recordAction } from './shared/open.ts';
import { join } from 'node:path';
import { environment, type Config } from '../config.ts';
import { BonafideError } from '../errors.ts';
import {
  changeFeatures,
  choose,
  listFeatures,
  slotOf,
  testFeatures,
  turnFeature,
  type FeatureList,
  type Installed,
} from '../features/administer.ts';
import type { Diagnosis } from '../features/diagnose.ts';
import { loadPlugins, type Plugins } from '../features/loading/load.ts';
import { SLOTS, type Slot } from '../features/plugin/facts.ts';
import { readSettings, type Settings } from '../features/settings.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  parseDurationOption,
  PLUGINS_OPTION,
  print,
  formatTable,
} from './shared/command.ts';
import { parseSetOptions } from './shared/arguments.ts';

const SHARED = { ...COMMON_OPTIONS, ...PLUGINS_OPTION };
const FEATURE = {
  feature: {
    type: 'positional',
    description: 'trust_enhancement, fraud_detection or name_matching',
    required: true,
  },
} as const;
/** A word that is no feature is a command line that is wrong. Errors: invalid_arguments. */
function slotNamed(word: string): Slot {
  try {
    return slotOf(word);
  } catch (error) {
    throw error instanceof BonafideError ? wrong(error.message) : error;
  }
}

const wrong = (text: string) => new BonafideError('invalid_arguments', text);

interface Opened extends Installed {
  config: Config;
}

async function open(
  args: Parameters<typeof loadSettings>[0] & { plugins?: string | undefined },
): Promise<Opened> {
  const config = await loadSettings(args, { plugins: args.plugins });
  const { dataDir, plugins: paths } = config;
  const settingsFile = join(dataDir, 'features.json');
  const settings = readSettings(settingsFile);
  const log = { info: () => undefined, warn: (line: string) => void process.stderr.write(`${line}\n`) };
  const plugins = await loadPlugins({
    paths,
    optional: settings.optional_plugins,
    log,
    memoryMb: settings.plugin_memory_mb,
    env: environment,
  });
  return { config, settingsFile, plugins, env: environment };
}

function show(args: { json?: boolean | undefined }, all: FeatureList): void {
  const { features, plugins } = all;
  const rows = features.map(({ feature, on, plugin, model, label, fallback, deadline_ms: ms }) => [
    feature,
    on ? 'on' : 'off',
    plugin,
    label === model ? model : `${model} (${label})`,
    fallback ? `falls back to ${fallback}` : 'no fallback',
    model === 'rules' ? '' : `${ms / 1000} s`,
  ]);
  const names = plugins.map(({ kind, name, version }) => `${name} ${version} (${kind})`).join(', ');
  print(args, all, `${formatTable(rows)}\n\nPlugins: ${names}`);
}

const list = defineCommand({
  meta: { name: 'list', description: 'Show each feature with its plugin and model' },
  args: SHARED,
  examples: ['features list', 'features list --json'],
  run: async ({ args }) => {
    show(args, await listFeatures(await open(args)));
  },
});

const turn = (on: boolean) =>
  defineCommand({
    meta: {
      name: on ? 'on' : 'off',
      description: on ? 'Turn a feature on' : 'Turn a feature off: it says "Disabled"',
    },
    args: { ...FEATURE, ...SHARED },
    examples: [`features ${on ? 'on' : 'off'} fraud_detection`],
    run: async ({ args }) => {
      const opened = await open(args);
      const saved = await turnFeature(opened, slotNamed(args.feature), on);
      recordAction(opened.config, {
        act: on ? 'features.on' : 'features.off',
        target: args.feature,
        detail: {},
      });
      show(args, saved);
    },
  });

const use = defineCommand({
  meta: { name: 'use', description: 'Choose the model of a feature; a running server follows' },
  args: {
    ...FEATURE,
    model: {
      type: 'positional',
      description: 'A model by its name in the settings, or a model plugin',
      required: true,
    },
    ...SHARED,
    plugin: { type: 'string', description: 'Model plugin, to set up MODEL as a new name for it' },
    set: {
      type: 'string',
      description: 'Option of the model, key=value; may be repeated',
      valueHint: 'key=value',
    },
    'feature-plugin': {
      type: 'string',
      description: 'Feature plugin, where there is more than one',
      valueHint: 'plugin',
    },
    fallback: {
      type: 'string',
      description: 'What answers when the model fails: rules or none',
      valueHint: 'rules',
    },
    deadline: { type: 'string', description: 'Time for the whole answer, such as 8s', valueHint: 'time' },
  },
  examples: [
    'features use narrative rules',
    'features use narrative ollama --plugin openai-compatible --set url=http://127.0.0.1:11434/v1 --set model=llama3.2',
    'features use fraud claude --plugin anthropic --set model=claude-sonnet-4-5 --set key_env=ANTHROPIC_API_KEY --fallback rules',
  ],
  run: async ({ args, rawArgs }) => {
    const opened = await open(args);
    const { model, fallback, deadline } = args;
    const slot = slotNamed(args.feature);
    const saved = await changeFeatures(opened, (settings, plugins) => {
      choose(settings, slot, {
        model,
        plugin: args['feature-plugin'],
        fallback: fallback === undefined ? undefined : fallbackOf(fallback),
        deadlineMs: deadline === undefined ? undefined : parseDurationOption(deadline, 'deadline'),
      });
      configure({ settings, plugins, model, plugin: args.plugin, set: parseSetOptions(rawArgs) });
    });
    recordAction(opened.config, { act: 'features.use', target: args.feature, detail: { model: args.model } });
    show(args, saved);
  },
});

function fallbackOf(text: string): 'rules' | null {
  if (text === 'rules') return 'rules';
  if (text === 'none') return null;
  throw wrong('--fallback takes rules or none.');
}

const NEW_MODEL = { queue: 32, breaker: { failures: 5, pause_ms: 30_000 } };

interface Configuring {
  settings: Settings;
  plugins: Plugins;
  model: string;
  plugin: string | undefined;
  set: Record<string, unknown>;
}

function configure({ settings, plugins, model, plugin, set }: Configuring): void {
  const known = Object.hasOwn(settings.models, model) ? settings.models[model] : undefined;
  if (plugin === undefined && Object.keys(set).length === 0) return;
  const from = plugin ?? known?.plugin ?? (plugins.models.has(model) ? model : undefined);
  if (from === undefined) throw wrong(`${model} is not set up yet; say which plugin it is with --plugin.`);
  const options = { ...(known?.plugin === from ? known.options : {}), ...set };
  settings.models[model] = { ...(known ?? NEW_MODEL), plugin: from, options };
}

/** Asks the model of each feature that is on about a made-up person. Errors: invalid_config, and those of the plugins. */
export async function testModels(
  args: Parameters<typeof open>[0],
  slots: readonly Slot[] = SLOTS,
): Promise<Diagnosis[]> {
  const opened = await open(args);
  const found = await testFeatures(opened, slots);
  await opened.plugins.close();
  return found;
}

const test = defineCommand({
  meta: { name: 'test', description: 'Ask each model about a made-up person and say what is wrong' },
  args: { feature: { ...FEATURE.feature, required: false }, ...SHARED },
  examples: ['features test', 'features test narrative'],
  run: async ({ args }) => {
    const found = await testModels(args, args.feature === undefined ? SLOTS : [slotNamed(args.feature)]);
    const lines = found.map(
      ({ feature, model, ok, ms, says }) =>
        `${ok ? 'ok    ' : 'FAILED'} ${feature} with ${model}, ${ms} ms: ${says}`,
    );
    print(args, found, lines.join('\n') || 'Every feature that was asked for is off.');
    const failed = found.filter(({ ok }) => !ok).length;
    if (failed > 0) {
      const text = `${failed} of ${found.length} features did not pass; what to do is told above.`;
      throw new BonafideError('invalid_config', text);
    }
  },
});

export default defineCommand({
  meta: { name: 'features', description: 'AI features: list, turn on and off, choose models, test them' },
  subCommands: { list, on: turn(true), off: turn(false), use, test },
  examples: ['features list', 'features use narrative rules', 'features test'],
});
