// What a plugin's thread does when it is called. Runs there and nowhere else; it holds no state but the models' own.
import type { Ask, ModelContext } from '../plugin/define.ts';
import type { Facts } from '../plugin/facts.ts';
import type { Plugin } from '../plugin-file.ts';
import { asModel, localFeature, localModel } from './local.ts';
import type { Operation } from './protocol.ts';
import type { FeatureRunner, Given, ModelRunner, StartedModel } from './runner.ts';

/** What the operations are given, by name. `settings` are options as the settings have them. */
export interface GivenTo {
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
  /** The name that the settings give the model. */
  name: string;
  settings: Record<string, unknown>;
}

export interface Surroundings {
  signal: AbortSignal;
  secretOf: (model: string) => ModelContext['secret'];
}
type Run = (operation: Operation, given: never, surroundings: Surroundings) => unknown;

/** The operations of one plugin. Their errors are the plugin's own. */
export function operationsOf(plugin: Plugin): Run {
  return plugin.kind === 'feature'
    ? featureOperations(localFeature(plugin))
    : modelOperations(localModel(plugin.kind === 'graph' ? asModel(plugin) : plugin));
}

async function optionsOf(runner: FeatureRunner, settings: unknown): Promise<unknown> {
  const options = await runner.accept(settings);
  if (!options.ok) throw new Error(options.problem);
  return options.value;
}

/** A brief is made anew for each step: it is the same every time, and so need not survive a way through JSON. */
async function givenOf(runner: FeatureRunner, { facts, settings }: GivenTo['rules']): Promise<Given> {
  const options = await optionsOf(runner, settings);
  const { brief } = await runner.prepare(facts, options);
  return { facts, brief, options };
}

function featureOperations(runner: FeatureRunner): Run {
  const steps: Partial<{ [O in Operation]: (given: GivenTo[O]) => unknown }> = {
    // The options themselves stay in the thread: they need not be plain data.
    accept: async ({ settings }) => ({ ...(await runner.accept(settings)), value: null }),
    prepare: async ({ facts, settings }) => runner.prepare(facts, await optionsOf(runner, settings)),
    rules: async (given) => runner.rules(await givenOf(runner, given)),
    parse: ({ answer }) => runner.parse(answer),
    check: async (given) => runner.check(given.answer, await givenOf(runner, given)),
    finish: async (given) => runner.finish(given.answer, await givenOf(runner, given)),
  };
  return (operation, given) => steps[operation]?.(given);
}

function modelOperations(runner: ModelRunner): Run {
  const started = new Map<string, Promise<StartedModel>>();

  async function start({ name, settings }: ModelGiven, { secretOf }: Surroundings): Promise<StartedModel> {
    const accepted = await runner.accept(settings);
    if (!accepted.ok) throw new Error(accepted.problem);
    return runner.start({ name, settings, options: accepted.value.options, secret: secretOf(name) });
  }
  function startedFor(given: ModelGiven, around: Surroundings): Promise<StartedModel> {
    const key = JSON.stringify([given.name, given.settings]);
    const known = started.get(key) ?? start(given, around);
    started.set(key, known);
    return known;
  }
  const steps: Partial<{ [O in Operation]: (given: GivenTo[O], around: Surroundings) => unknown }> = {
    accept: async ({ settings }) => {
      const accepted = await runner.accept(settings);
      return accepted.ok ? { ok: true, value: { label: accepted.value.label } } : accepted;
    },
    open: async (given, around) => void (await (await startedFor(given, around)).open()),
    generate: async (given, around) => {
      const { ask, rules } = given;
      const whole = { ...ask, signal: around.signal, ...(rules && { rules: () => rules.value }) };
      return (await startedFor(given, around)).generate(whole);
    },
    close: async (given, around) => {
      await (await startedFor(given, around)).close();
      started.delete(JSON.stringify([given.name, given.settings]));
    },
  };
  return (operation, given, around) => steps[operation]?.(given, around);
}
