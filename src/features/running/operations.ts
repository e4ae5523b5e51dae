// Operations of a plugin, called inside the plugin's thread. They keep no state except that of opened models.
import type { Ask, ModelContext } from '../plugin/define.ts';
import type { Facts } from '../plugin/facts.ts';
import type { AnyPlugin } from '../plugin-file.ts';
import { wrapGraphPluginAsModelPlugin, createLocalFeatureRunner, createLocalModelRunner } from './local.ts';
import type { PluginOperation } from './protocol.ts';
import type { FeatureRunner, FeatureInput, ModelRunner, RunningModel } from './runner.ts';

/** Input of each plugin operation. `settings` are the options from the settings, without defaults. */
export interface PluginOperationInputs {
  accept: { settings: Record<string, unknown> };
  prepare: { facts: Partial<Facts>; settings: Record<string, unknown> };
  rules: { facts: Partial<Facts>; settings: Record<string, unknown> };
  parse: { answer: unknown };
  check: { answer: unknown; facts: Partial<Facts>; settings: Record<string, unknown> };
  finish: { answer: unknown; facts: Partial<Facts>; settings: Record<string, unknown> };
  open: ModelGiven;
  generate: ModelGiven & { ask: Omit<Ask, 'signal' | 'rules'>; rules: { value: unknown } | undefined };
  close: ModelGiven;
}
interface ModelGiven {
  name: string;
  settings: Record<string, unknown>;
}

export interface PluginOperationContext {
  signal: AbortSignal;
  secretOf: (model: string) => ModelContext['secret'];
}
type Run = (operation: PluginOperation, given: never, surroundings: PluginOperationContext) => unknown;

/** Creates a function that runs the operations of one plugin. Errors of the plugin are passed on. */
export function createPluginOperationRunner(plugin: AnyPlugin): Run {
  return plugin.kind === 'feature'
    ? featureOperations(createLocalFeatureRunner(plugin))
    : modelOperations(
        createLocalModelRunner(plugin.kind === 'graph' ? wrapGraphPluginAsModelPlugin(plugin) : plugin),
      );
}

async function parseOptions(runner: FeatureRunner, settings: unknown): Promise<unknown> {
  const options = await runner.accept(settings);
  if (!options.ok) throw new Error(options.problem);
  return options.value;
}

/** Prepares the brief (the feature's data for the model) again for each plugin operation, so that it need not be serialisable as JSON. */
async function prepareRequest(
  runner: FeatureRunner,
  { facts, settings }: PluginOperationInputs['rules'],
): Promise<FeatureInput> {
  const options = await parseOptions(runner, settings);
  const { brief } = await runner.prepare(facts, options);
  return { facts, brief, options };
}

function featureOperations(runner: FeatureRunner): Run {
  const steps: Partial<{ [O in PluginOperation]: (given: PluginOperationInputs[O]) => unknown }> = {
    // The parsed options stay in this thread: they may contain values that cannot be cloned.
    accept: async ({ settings }) => ({ ...(await runner.accept(settings)), value: null }),
    prepare: async ({ facts, settings }) => runner.prepare(facts, await parseOptions(runner, settings)),
    rules: async (given) => runner.rules(await prepareRequest(runner, given)),
    parse: ({ answer }) => runner.parse(answer),
    check: async (given) => runner.check(given.answer, await prepareRequest(runner, given)),
    finish: async (given) => runner.finish(given.answer, await prepareRequest(runner, given)),
  };
  return (operation, given) => steps[operation]?.(given);
}

function modelOperations(runner: ModelRunner): Run {
  const started = new Map<string, Promise<RunningModel>>();

  async function start(
    { name, settings }: ModelGiven,
    { secretOf }: PluginOperationContext,
  ): Promise<RunningModel> {
    const accepted = await runner.accept(settings);
    if (!accepted.ok) throw new Error(accepted.problem);
    return runner.start({ name, settings, options: accepted.value.options, secret: secretOf(name) });
  }
  function getStartedModel(given: ModelGiven, around: PluginOperationContext): Promise<RunningModel> {
    const key = JSON.stringify([given.name, given.settings]);
    const startedModel = started.get(key) ?? start(given, around);
    started.set(key, startedModel);
    return startedModel;
  }
  const steps: Partial<{
    [O in PluginOperation]: (given: PluginOperationInputs[O], around: PluginOperationContext) => unknown;
  }> = {
    accept: async ({ settings }) => {
      const accepted = await runner.accept(settings);
      return accepted.ok ? { ok: true, value: { label: accepted.value.label } } : accepted;
    },
    open: async (given, around) => void (await (await getStartedModel(given, around)).open()),
    generate: async (given, around) => {
      const { ask, rules } = given;
      const whole = { ...ask, signal: around.signal, ...(rules && { rules: () => rules.value }) };
      return (await getStartedModel(given, around)).generate(whole);
    },
    close: async (given, around) => {
      await (await getStartedModel(given, around)).close();
      started.delete(JSON.stringify([given.name, given.settings]));
    },
  };
  return (operation, given, around) => steps[operation]?.(given, around);
}
