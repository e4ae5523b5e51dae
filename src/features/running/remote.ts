// Plugins that run in a thread of their own: every function of theirs is a call.
import { ModelError } from '../plugin/errors.ts';
import type { FeatureManifest, Manifest, ModelManifest, Operation } from './protocol.ts';
import type { GivenTo } from './operations.ts';
import type { Accepted, FeatureRunner, ModelRunner, Parsed, Prepared, StartedModel } from './runner.ts';
import type { PluginThread } from './thread.ts';

/** A step of a feature is arithmetic on a few facts. */
const STEP_MS = 2_000;
/** Loading weights may take its time. */
const OPEN_MS = 60_000;
const CLOSE_MS = 5_000;

type Settings = Record<string, unknown>;

/** A feature in a thread. Whatever happens to the thread is a failure of the feature. */
export function remoteFeature(thread: PluginThread, manifest: FeatureManifest): FeatureRunner {
  const index = thread.plugins.indexOf(manifest);
  async function step<O extends Operation, T>(operation: O, given: GivenTo[O]): Promise<T> {
    try {
      return (await thread.call(index, operation, given, { withinMs: STEP_MS })) as T;
    } catch (error) {
      const { code, hint } = error instanceof ModelError ? error : { code: '', hint: '' };
      throw code === 'model_unavailable' ? new ModelError('feature_failed', hint) : error;
    }
  }
  const { name, version, gives, facts, advice, jsonSchema, hasRules } = manifest;
  return {
    name,
    version,
    gives,
    facts,
    advice,
    jsonSchema,
    hasRules,
    // The options are read again in each step, from what the settings say: they may be more than plain data.
    async accept(options) {
      const accepted = await step<'accept', Accepted<null>>('accept', { settings: options as Settings });
      return accepted.ok ? { ok: true, value: options } : accepted;
    },
    prepare: (known, options) =>
      step<'prepare', Prepared>('prepare', { facts: known, settings: options as Settings }),
    rules: ({ facts: known, options }) => step('rules', { facts: known, settings: options as Settings }),
    parse: (answer) => step<'parse', Parsed>('parse', { answer }),
    check: (answer, { facts: known, options }) =>
      step('check', { answer, facts: known, settings: options as Settings }),
    finish: (answer, { facts: known, options }) =>
      step('finish', { answer, facts: known, settings: options as Settings }),
  };
}

/** A model in a thread. */
export function remoteModel(thread: PluginThread, manifest: ModelManifest): ModelRunner {
  const index = thread.plugins.indexOf(manifest);
  const { name, version, concurrency, opens } = manifest;
  return {
    name,
    version,
    // Nothing that can hang answers at once.
    instant: false,
    concurrency,
    async accept(options) {
      const given = { settings: options as Settings };
      const accepted = (await thread.call(index, 'accept', given, { withinMs: STEP_MS })) as Accepted<{
        label?: string;
      }>;
      return accepted.ok ? { ok: true, value: { options, label: accepted.value.label } } : accepted;
    },
    start: ({ name: model, settings }) => {
      thread.configure(model, settings);
      return startedThere({ thread, index, opens }, { name: model, settings });
    },
  };
}

interface There {
  thread: PluginThread;
  index: number;
  opens: boolean;
}

function startedThere({ thread, index, opens }: There, given: GivenTo['open']): StartedModel {
  const open = () => opens && thread.call(index, 'open', given, { withinMs: OPEN_MS });
  return {
    open,
    async generate({ signal, rules, ...ask }) {
      await open();
      // A function does not cross threads, but its answer does.
      const ruled = rules && { value: await rules() };
      return thread.call(index, 'generate', { ...given, ask, rules: ruled }, { signal });
    },
    async close() {
      if (thread.lives) await thread.call(index, 'close', given, { withinMs: CLOSE_MS });
    },
  };
}

export interface Remote {
  kind: Manifest['kind'];
  runner: FeatureRunner | ModelRunner;
}

/** Every plugin of a thread, as the server uses it; a graph is asked as a model is. */
export function remotePlugins(thread: PluginThread): Remote[] {
  return thread.plugins.map((one) => ({
    kind: one.kind,
    runner: one.kind === 'feature' ? remoteFeature(thread, one) : remoteModel(thread, one),
  }));
}
