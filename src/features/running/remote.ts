// Runners of plugins in a separate thread: every function of the plugin is a call to its thread.
import { ModelError } from '../plugin/errors.ts';
import type { FeatureManifest, PluginManifest, ModelManifest, PluginOperation } from './protocol.ts';
import type { PluginOperationInputs } from './operations.ts';
import type {
  OptionsValidationResult,
  FeatureRunner,
  ModelRunner,
  ModelAnswerParseResult,
  PreparedModelQuestion,
  RunningModel,
} from './runner.ts';
import type { RestartingPluginThread } from './thread.ts';

/** Time limit (ms) of one operation of a feature, which only computes with a few facts. */
const STEP_MS = 2_000;
/** Time limit (ms) of `open`, which may load model weights. */
const OPEN_MS = 60_000;
const CLOSE_MS = 5_000;

type Settings = Record<string, unknown>;

function createRemoteFeature(thread: RestartingPluginThread, manifest: FeatureManifest): FeatureRunner {
  const index = thread.plugins.indexOf(manifest);
  async function step<O extends PluginOperation, T>(
    operation: O,
    input: PluginOperationInputs[O],
  ): Promise<T> {
    try {
      return (await thread.call(index, operation, input, { withinMs: STEP_MS })) as T;
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
    // The thread parses the options again in each step: the parsed options may not be cloneable.
    async accept(options) {
      const accepted = await step<'accept', OptionsValidationResult<null>>('accept', {
        settings: options as Settings,
      });
      return accepted.ok ? { ok: true, value: options } : accepted;
    },
    prepare: (known, options) =>
      step<'prepare', PreparedModelQuestion>('prepare', { facts: known, settings: options as Settings }),
    rules: ({ facts: known, options }) => step('rules', { facts: known, settings: options as Settings }),
    parse: (answer) => step<'parse', ModelAnswerParseResult>('parse', { answer }),
    check: (answer, { facts: known, options }) =>
      step('check', { answer, facts: known, settings: options as Settings }),
    finish: (answer, { facts: known, options }) =>
      step('finish', { answer, facts: known, settings: options as Settings }),
  };
}

export function createThreadModelRunner(
  thread: RestartingPluginThread,
  manifest: ModelManifest,
): ModelRunner {
  const index = thread.plugins.indexOf(manifest);
  const { name, version, concurrency, opens } = manifest;
  return {
    name,
    version,
    // A thread can hang, so a model in a thread always needs a deadline.
    instant: false,
    concurrency,
    async accept(options) {
      const given = { settings: options as Settings };
      const accepted = (await thread.call(index, 'accept', given, {
        withinMs: STEP_MS,
      })) as OptionsValidationResult<{
        label?: string;
      }>;
      return accepted.ok ? { ok: true, value: { options, label: accepted.value.label } } : accepted;
    },
    start: ({ name: model, settings }) => {
      thread.configure(model, settings);
      return startRemoteModel({ thread, index, opens }, { name: model, settings });
    },
  };
}

interface RemoteModelPosition {
  thread: RestartingPluginThread;
  index: number;
  opens: boolean;
}

function startRemoteModel(
  { thread, index, opens }: RemoteModelPosition,
  input: PluginOperationInputs['open'],
): RunningModel {
  const open = () => opens && thread.call(index, 'open', input, { withinMs: OPEN_MS });
  return {
    open,
    async generate({ signal, rules, ...ask }) {
      await open();
      // Functions cannot be sent to a thread, so the answer of the rules is sent instead.
      const ruled = rules && { value: await rules() };
      return thread.call(index, 'generate', { ...input, ask, rules: ruled }, { signal });
    },
    async close() {
      if (thread.isRunning) await thread.call(index, 'close', input, { withinMs: CLOSE_MS });
    },
  };
}

export interface PluginRunnerWithKind {
  kind: PluginManifest['kind'];
  runner: FeatureRunner | ModelRunner;
}

export function createThreadPluginRunners(thread: RestartingPluginThread): PluginRunnerWithKind[] {
  return thread.plugins.map((one) => ({
    kind: one.kind,
    runner: one.kind === 'feature' ? createRemoteFeature(thread, one) : createThreadModelRunner(thread, one),
  }));
}
