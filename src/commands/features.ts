import { noteAct } from './audit/note.ts';
import { join } from 'node:path';
import { environment } from '../config.ts';
import { BonafideError } from '../errors.ts';
import { diagnose } from '../features/diagnose.ts';
import type { Diagnosis } from '../features/diagnose.ts';
import { loadPlugins } from '../features/loading/load.ts';
import type { Plugins } from '../features/loading/load.ts';
import { SLOTS } from '../features/plugin/facts.ts';
import type { Slot } from '../features/plugin/facts.ts';
import { readSettings, writeSettings } from '../features/settings.ts';
import type { Settings } from '../features/settings.ts';
import { closeUnused, setUp } from '../features/setup.ts';
import type { Setup } from '../features/setup.ts';
import { COMMON, configOf, defineCommand, duration, PLUGINS, print, table } from './command.ts';
import { keyValues } from './key-value.ts';

const SHARED = { ...COMMON, ...PLUGINS };
const FEATURE = {
  feature: {
    type: 'positional',
    description: 'trust_enhancement, fraud_detection or name_matching',
    required: true,
  },
} as const;
const ALIASES: Record<string, Slot> = {
  narrative: 'trust_enhancement',
  fraud: 'fraud_detection',
  'name-matching': 'name_matching',
};

function slotOf(word: string): Slot {
  const slot = ALIASES[word] ?? SLOTS.find((slot) => slot === word.replaceAll('-', '_'));
  if (slot) return slot;
  throw wrong(`There is no feature ${word}; there are ${SLOTS.join(', ')}.`);
}

const wrong = (text: string) => new BonafideError('invalid_arguments', text);

interface Opened {
  dataDir: string;
  file: string;
  settings: Settings;
  plugins: Plugins;
}

async function open(
  args: Parameters<typeof configOf>[0] & { plugins?: string | undefined },
): Promise<Opened> {
  const { dataDir, plugins: paths } = await configOf(args, { plugins: args.plugins });
  const file = join(dataDir, 'features.json');
  const settings = readSettings(file);
  const log = { info: () => undefined, warn: (line: string) => void process.stderr.write(`${line}\n`) };
  return {
    dataDir,
    file,
    settings,
    plugins: await loadPlugins({
      paths,
      optional: settings.optional_plugins,
      log,
      memoryMb: settings.plugin_memory_mb,
      env: environment,
    }),
  };
}

/** What the settings would make, without opening a model; throws where they are wrong, before anything is written. */
function tryOut({ settings, plugins }: Opened): Promise<Setup> {
  return setUp(settings, plugins, { env: environment, now: Date.now, before: [], warm: false });
}

async function save(opened: Opened): Promise<Setup> {
  const setup = await tryOut(opened);
  writeSettings(opened.file, opened.settings);
  return setup;
}

function show(args: { json?: boolean | undefined }, setup: Setup, plugins: Plugins): void {
  const features = Object.values(setup.features).map((feature) => feature.status());
  const loaded = plugins.loaded.map(({ kind, name, version }) => ({ kind, name, version }));
  const rows = features.map(({ feature, on, plugin, model, label, fallback, deadline_ms: ms }) => [
    feature,
    on ? 'on' : 'off',
    plugin,
    label === model ? model : `${model} (${label})`,
    fallback ? `falls back to ${fallback}` : 'no fallback',
    model === 'rules' ? '' : `${ms / 1000} s`,
  ]);
  const names = loaded.map(({ kind, name, version }) => `${name} ${version} (${kind})`).join(', ');
  print(args, { features, plugins: loaded }, `${table(rows)}\n\nPlugins: ${names}`);
}

const list = defineCommand({
  meta: { name: 'list', description: 'Show each feature with its plugin and model' },
  args: SHARED,
  examples: ['features list', 'features list --json'],
  run: async ({ args }) => {
    const opened = await open(args);
    show(args, await tryOut(opened), opened.plugins);
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
      opened.settings.features[slotOf(args.feature)].on = on;
      const saved = await save(opened);
      noteAct(opened.dataDir, { act: on ? 'features.on' : 'features.off', target: args.feature, detail: {} });
      show(args, saved, opened.plugins);
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
    const { settings, plugins } = opened;
    const chosen = settings.features[slotOf(args.feature)];
    chosen.model = args.model;
    if (args['feature-plugin'] !== undefined) chosen.plugin = args['feature-plugin'];
    configure({ settings, plugins, model: args.model, plugin: args.plugin, set: keyValues(rawArgs) });
    if (args.fallback !== undefined) chosen.fallback = fallbackOf(args.fallback);
    if (args.deadline !== undefined) chosen.deadline_ms = duration(args.deadline, 'deadline');
    const saved = await save(opened);
    noteAct(opened.dataDir, { act: 'features.use', target: args.feature, detail: { model: args.model } });
    show(args, saved, plugins);
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
  const setup = await tryOut(opened);
  const found: Diagnosis[] = [];
  for (const slot of slots)
    if (setup.features[slot].on) found.push(await diagnose(setup.features[slot], Date.now()));
  await closeUnused([...setup.models.values()], undefined);
  await opened.plugins.close();
  return found;
}

const test = defineCommand({
  meta: { name: 'test', description: 'Ask each model about a made-up person and say what is wrong' },
  args: { feature: { ...FEATURE.feature, required: false }, ...SHARED },
  examples: ['features test', 'features test narrative'],
  run: async ({ args }) => {
    const found = await testModels(args, args.feature === undefined ? SLOTS : [slotOf(args.feature)]);
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
