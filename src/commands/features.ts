import { join } from 'node:path';
import { type Config, processEnvironment } from '../config.ts';
import { BonafideError } from '../errors.ts';
import {
  changeSettingsAndListFeatures,
  assignModelChoiceToSettings,
  type FeatureAndPluginList,
  type FeatureAdministrationContext,
  listFeatures,
  parseFeatureNameOrAlias,
  runFeatureTests,
  toFeatureAuditDetail,
  setFeatureEnabled,
} from '../features/administer.ts';
import type { FeatureTestResult } from '../features/diagnose.ts';
import { loadPlugins, type PluginRegistry } from '../features/load-plugins.ts';
import { type AiInsightsPartName, AI_INSIGHTS_PART_NAMES } from '../features/plugin/facts.ts';
import { readFeatureSettings, type FeatureSettingsFileContent } from '../features/settings.ts';
import {
  defineArgument,
  defineChoiceOption,
  defineOption,
  defineOptionalArgument,
  parseDurationOption,
  parseKeyValueOptions,
  PLUGINS_OPTION,
  createUsageError,
} from './helpers/arguments.ts';
import {
  type CommonArgs,
  defineCommand,
  defineCommandGroup,
  formatTable,
  loadSettings,
  printResult,
  printNote,
} from './helpers/command.ts';
import { recordCommandInAuditLog } from './helpers/open.ts';

const FEATURES = AI_INSIGHTS_PART_NAMES.join(', ').replace(/, (?=[^,]*$)/, ' or ');
const FEATURE = { feature: defineArgument(FEATURES) };

function parseFeature(name: string): AiInsightsPartName {
  try {
    return parseFeatureNameOrAlias(name);
  } catch (error) {
    throw error instanceof BonafideError ? createUsageError(error.message) : error;
  }
}

interface OpenedFeatures extends FeatureAdministrationContext {
  config: Config;
}

async function openFeatures(args: CommonArgs & { plugins?: string | undefined }): Promise<OpenedFeatures> {
  const config = await loadSettings(args, { plugins: args.plugins });
  const { dataDir, plugins: paths } = config;
  const settingsFile = join(dataDir, 'features.json');
  const { optional_plugins: optional, plugin_memory_mb: memoryMb } = readFeatureSettings(settingsFile);
  const log = { info: () => undefined, warn: printNote };
  const plugins = await loadPlugins({
    paths,
    skipMissing: true,
    optional,
    log,
    memoryMb,
    env: processEnvironment,
  });
  return { config, settingsFile, plugins, env: processEnvironment };
}

function formatSaved(slot: AiInsightsPartName, saved: ReturnType<typeof toFeatureAuditDetail>): string {
  const rows = Object.entries({ ...saved, fallback: saved.fallback ?? 'none' })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [`  ${name.replace('_', ' ')}`, String(value)]);
  return `Saved in features.json: ${slot}\n${formatTable(rows)}`;
}

function formatFeatures({ features, plugins }: FeatureAndPluginList): string {
  const rows = features.map(({ feature, on, plugin, model, label, address, fallback, deadline_ms: ms }) => [
    feature,
    on ? 'on' : 'off',
    plugin,
    [label === model ? model : `${model} (${label})`, address ? `at ${address}` : '']
      .filter(Boolean)
      .join(' '),
    fallback ? `falls back to ${fallback}` : 'no fallback',
    model === 'rules' ? '' : `deadline ${ms / 1000} s`,
  ]);
  const names = plugins.map(({ kind, name, version }) => `${name} ${version} (${kind})`).join(', ');
  const problems = features.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  return [formatTable(rows), ...problems, `Plugins: ${names}`].join('\n\n');
}

const list = defineCommand('Show each feature with its plugin and model', {
  args: PLUGINS_OPTION,
  examples: ['features list', 'features list --json'],
  run: async (args) => {
    const features = await listFeatures(await openFeatures(args));
    printResult(args, features, formatFeatures(features));
  },
});

const turn = (on: boolean) =>
  defineCommand(on ? 'Turn a feature on' : 'Turn a feature off; its answers are then "Disabled"', {
    args: { ...FEATURE, ...PLUGINS_OPTION },
    examples: [`features ${on ? 'on' : 'off'} fraud_detection`],
    run: async (args) => {
      const opened = await openFeatures(args);
      const slot = parseFeature(args.feature);
      const features = await setFeatureEnabled(opened, slot, on);
      const act = on ? 'features.on' : 'features.off';
      recordCommandInAuditLog(opened.config, {
        act,
        target: slot,
        detail: toFeatureAuditDetail(features, slot),
      });
      printResult(args, features, formatFeatures(features));
    },
  });

const use = defineCommand('Choose the model of a feature; a running server uses it at once', {
  args: {
    ...FEATURE,
    model: defineArgument('Name of a configured model, or of a model plugin'),
    ...PLUGINS_OPTION,
    plugin: defineOption('Model plugin; configures MODEL as a new name for this plugin'),
    set: defineOption('Option of the model, key=value; may be repeated', 'key=value'),
    'feature-plugin': defineOption('Feature plugin, if several plugins provide the feature', 'plugin'),
    fallback: defineChoiceOption(['rules', 'none'], 'Model that answers if the chosen model fails'),
    deadline: defineOption('Maximum time for an answer, such as 8s', 'time'),
  },
  examples: [
    'features use narrative rules',
    'features use narrative ollama --plugin openai-compatible --set url=http://127.0.0.1:11434/v1 --set model=llama3.2',
    'features use fraud claude --plugin anthropic --set model=claude-sonnet-4-5 --set key_env=ANTHROPIC_API_KEY --fallback rules',
  ],
  run: async (args, valuesOf) => {
    const opened = await openFeatures(args);
    const { model, fallback, deadline } = args;
    const slot = parseFeature(args.feature);
    const features = await changeSettingsAndListFeatures(opened, (settings, plugins) => {
      assignModelChoiceToSettings(settings, slot, {
        model,
        plugin: args['feature-plugin'],
        fallback: fallback === 'none' ? null : fallback,
        deadlineMs: deadline === undefined ? undefined : parseDurationOption(deadline, '--deadline'),
      });
      const options = parseKeyValueOptions(valuesOf('set'));
      configureModel(settings, { plugins, model, plugin: args.plugin, options });
    });
    const detail = toFeatureAuditDetail(features, slot);
    recordCommandInAuditLog(opened.config, { act: 'features.use', target: slot, detail });
    printResult(args, features, `${formatSaved(slot, detail)}\n\n${formatFeatures(features)}`);
  },
});

const NEW_MODEL = { queue: 32, breaker: { failures: 5, pause_ms: 30_000 } };

interface ModelRequest {
  plugins: PluginRegistry;
  model: string;
  plugin: string | undefined;
  options: Record<string, unknown>;
}

/** Adds an AI model to the settings, or changes its options. A change of its plugin drops the old options. Errors: invalid_arguments. */
function configureModel(
  settings: FeatureSettingsFileContent,
  { plugins, model, plugin, options }: ModelRequest,
): void {
  if (plugin === undefined && Object.keys(options).length === 0) return;
  const existing = Object.hasOwn(settings.models, model) ? settings.models[model] : undefined;
  const pluginName = plugin ?? existing?.plugin ?? (plugins.models.has(model) ? model : undefined);
  if (pluginName === undefined)
    throw createUsageError(`The model ${model} is not configured. Name its plugin with --plugin.`);
  const oldOptions = existing?.plugin === pluginName ? existing.options : {};
  settings.models[model] = {
    ...(existing ?? NEW_MODEL),
    plugin: pluginName,
    options: { ...oldOptions, ...options },
  };
}

/** Sends a test request about an invented person to the model of each active feature. Errors: invalid_config, and those of the plugins. */
export async function testModels(
  args: Parameters<typeof openFeatures>[0],
  slots: readonly AiInsightsPartName[] = AI_INSIGHTS_PART_NAMES,
): Promise<FeatureTestResult[]> {
  const opened = await openFeatures(args);
  const diagnoses = await runFeatureTests(opened, slots);
  await opened.plugins.close();
  return diagnoses;
}

const test = defineCommand('Test each model with an invented person', {
  args: { feature: defineOptionalArgument(`${FEATURES}; by default every feature`), ...PLUGINS_OPTION },
  examples: ['features test', 'features test narrative'],
  run: async (args) => {
    const slots = args.feature === undefined ? AI_INSIGHTS_PART_NAMES : [parseFeature(args.feature)];
    const diagnoses = await testModels(args, slots);
    const lines = diagnoses.map(
      ({ feature, model, ok, ms, says }) =>
        `${ok ? 'ok    ' : 'FAILED'} ${feature} with ${model}, ${ms} ms: ${says}`,
    );
    printResult(
      args,
      diagnoses,
      lines.join('\n') || 'No feature was tested: every requested feature is off.',
    );
    const failed = diagnoses.filter(({ ok }) => !ok).length;
    if (failed > 0)
      throw new BonafideError(
        'invalid_config',
        `${failed} of ${diagnoses.length} features failed. The lines above say what to do.`,
      );
  },
});

export const featuresCommands = defineCommandGroup(
  'AI features: list, turn on and off, choose models, test',
  {
    subCommands: { list, on: turn(true), off: turn(false), use, test },
    examples: ['features list', 'features use narrative rules', 'features test'],
  },
);
