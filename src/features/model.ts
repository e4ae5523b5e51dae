// Models as configured in the settings: validated options, a concurrency queue, a circuit breaker, and a state that is opened once.
import { BonafideError } from '../errors.ts';
import { createCircuitBreaker, type CircuitBreaker } from '../platform/resilience/breaker.ts';
import { formatBytes, MAX_TEXT_FILE_BYTES, readTextFile } from '../platform/files.ts';
import type { Ask, ModelContext } from './plugin/define.ts';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from '../platform/resilience/limiter.ts';
import { isModelError, ModelError } from './plugin/errors.ts';
import type { Awaitable } from '../model.ts';
import type { OptionsValidationResult, ModelRunner } from './running/runner.ts';
import type { ModelSettings, FeatureSettingsFileContent } from './settings.ts';

export interface ConfiguredModel {
  name: string;
  label: string;
  instant: boolean;
  /** Fingerprint of the model's settings. If it is equal after a reload, the model and its circuit breaker are kept. */
  fingerprint: string;
  limiter: ConcurrencyLimiter;
  breaker: CircuitBreaker;
  generate(ask: Ask): Promise<unknown> | unknown;
  /** Opens the model before the first question. If this fails, the first question throws the error. */
  warm(): void;
  close(): Promise<void>;
}
/** Dependencies of `createConfiguredModel`: model plugins by name, environment variables, and clock. */
export interface ConfiguredModelDeps {
  models: ReadonlyMap<string, ModelRunner>;
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
}

/**
 * Returns the options that a plugin has accepted. Errors: invalid_config, which names the option but not its value; UnavailablePluginError if the
 * plugin fails.
 */
export async function requireAcceptedOptions<T>(
  plugin: { name: string; accept(options: unknown): Awaitable<OptionsValidationResult<T>> },
  options: unknown,
  where: string,
): Promise<T> {
  const accepted = await withPluginErrors(plugin.name, where, () => plugin.accept(options));
  if (accepted.ok) return accepted.value;
  const parted = accepted.problem.startsWith('options') ? ', ' : ' ';
  throw new BonafideError('invalid_config', `${where}${parted}${accepted.problem}.`);
}

/** Error for a plugin or model that the settings name but no loaded plugin provides (`missing`), and for a plugin that fails (`failing`). */
export class UnavailablePluginError extends BonafideError {
  readonly kind: 'missing' | 'failing';
  constructor(kind: UnavailablePluginError['kind'], message: string) {
    super('invalid_config', message);
    this.kind = kind;
  }
}

/** Runs a step of the set-up of a plugin. Its errors do not contain the plugin's own text, which may repeat options. */
async function withPluginErrors<T>(name: string, where: string, work: () => Awaitable<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = isModelError(error) ? error.hint || error.message : 'it threw an error.';
    throw new UnavailablePluginError(
      'failing',
      `${where} cannot be set up, because the plugin "${name}" failed: ${reason.replace(/\.$/, '')}.`,
    );
  }
}

const WITHOUT_SETTINGS: ModelSettings = {
  plugin: 'rules',
  options: {},
  queue: 0,
  breaker: { failures: 5, pause_ms: 30_000 },
};

/** Waits until a model answers no more questions, for at most 10 seconds. */
async function waitUntilIdle(limiter: ConcurrencyLimiter): Promise<void> {
  for (let waited = 0; limiter.running > 0 && waited < 10_000; waited += 25) {
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** Returns the settings of the model `name`. A model plugin without settings, such as the built-in `rules`, has default settings. */
export function getModelSettings(
  name: string,
  settings: FeatureSettingsFileContent,
  plugins: ConfiguredModelDeps['models'],
): ModelSettings {
  const configured = settings.models[name];
  if (configured) return configured;
  if (plugins.has(name)) return { ...WITHOUT_SETTINGS, plugin: name, queue: 32 };
  const knownModels = [...new Set([...Object.keys(settings.models), ...plugins.keys()])].join(', ');
  throw new UnavailablePluginError('missing', `There is no model "${name}"; known are ${knownModels}.`);
}

/** Creates a model that is ready for questions. Errors: invalid_config. */
export async function createConfiguredModel(
  name: string,
  settings: ModelSettings,
  host: ConfiguredModelDeps,
): Promise<ConfiguredModel> {
  const plugin = host.models.get(settings.plugin);
  if (!plugin)
    throw new UnavailablePluginError(
      'missing',
      `Model "${name}" needs the plugin "${settings.plugin}", which is not loaded.`,
    );
  const where = `Model "${name}"`;
  const { options, label } = await requireAcceptedOptions(plugin, settings.options, where);
  const secret = createSecretReader(host.env);
  const started = await withPluginErrors(plugin.name, where, () =>
    plugin.start({ name, options, settings: settings.options, secret }),
  );
  const limiter = createConcurrencyLimiter({
    concurrency: settings.concurrency ?? plugin.concurrency ?? 4,
    queue: settings.queue,
    toFullError: () => new ModelError('model_busy', 'The queue of the model is full.'),
    toAbortedError: () =>
      new ModelError('model_timeout', 'The question was still in the queue of the model at the deadline.'),
  });
  return {
    name,
    label: label ?? name,
    instant: plugin.instant,
    fingerprint: JSON.stringify(settings),
    limiter,
    breaker: createCircuitBreaker({
      failures: settings.breaker.failures,
      pauseMs: settings.breaker.pause_ms,
      now: host.now,
    }),
    generate: (ask) => started.generate(ask),
    warm: () => void (async () => started.open())().catch(() => undefined),
    async close() {
      await waitUntilIdle(limiter);
      await started.close().catch(() => undefined);
    },
  };
}

/**
 * Creates the function `secret` of a model, which reads an API key from an environment variable or a file at each call. Errors:
 * model_misconfigured.
 */
export function createSecretReader(
  env: Readonly<Record<string, string | undefined>>,
): ModelContext['secret'] {
  return ({ env: variable, file }) => {
    if (variable) {
      const value = env[variable]?.trim();
      if (value) return value;
      throw new ModelError('model_misconfigured', `The environment variable ${variable} is not set.`);
    }
    if (!file) return undefined;
    try {
      return readTextFile(file).trim();
    } catch {
      throw new ModelError(
        'model_misconfigured',
        `The key file ${file} cannot be read. It must be a regular file of at most ${formatBytes(MAX_TEXT_FILE_BYTES)}.`,
      );
    }
  };
}
