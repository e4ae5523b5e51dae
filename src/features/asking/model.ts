// Models as the settings configure them: parsed options, a queue, a circuit breaker, and a state opened once.
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import { createBreaker } from './breaker.ts';
import type { Breaker } from './breaker.ts';
import type { AnyModel, Ask } from '../plugin/define.ts';
import { secretReader } from '../plugin/secrets.ts';
import { createLimiter } from './limiter.ts';
import type { Limiter } from './limiter.ts';
import { firstIssue } from '../settings.ts';
import type { ModelSettings, Settings } from '../settings.ts';

export interface Model {
  /** The name that the settings give it. */
  name: string;
  /** What the response's `model` says. */
  label: string;
  instant: boolean;
  /** Whether the same settings would give the same model, so that a reload can keep it and its breaker. */
  fingerprint: string;
  limiter: Limiter;
  breaker: Breaker;
  generate(ask: Ask): Promise<unknown> | unknown;
  /** Opens the state ahead of the first question; trouble shows again at that question. */
  warm(): void;
  close(): Promise<void>;
}
export interface ModelHost {
  models: ReadonlyMap<string, AnyModel>;
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
}

/** Options as their plugin reads them. Errors: invalid_config, naming the option and never its value. */
export function parseOptions(schema: v.GenericSchema | undefined, options: unknown, where: string): unknown {
  if (!schema) {
    const [extra] = Object.keys(options as object);
    if (extra === undefined) return {};
    throw new BonafideError('invalid_config', `${where} has no option "${extra}".`);
  }
  const result = v.safeParse(schema, options);
  if (result.success) return result.output;
  throw new BonafideError('invalid_config', `${where}, options: ${firstIssue(result.issues)}.`);
}

const WITHOUT_SETTINGS: ModelSettings = {
  plugin: 'rules',
  options: {},
  queue: 0,
  breaker: { failures: 5, pause_ms: 30_000 },
};

/** Questions that are being answered are let finish, for as long as a patient deadline would. */
async function idle(limiter: Limiter): Promise<void> {
  for (let waited = 0; limiter.running > 0 && waited < 10_000; waited += 25) {
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** Settings of a model by name: `rules` and every plugin that needs no options are there without being configured. */
export function modelSettingsOf(
  name: string,
  settings: Settings,
  plugins: ModelHost['models'],
): ModelSettings {
  const configured = settings.models[name];
  if (configured) return configured;
  if (plugins.has(name)) return { ...WITHOUT_SETTINGS, plugin: name, queue: 32 };
  const known = [...new Set([...Object.keys(settings.models), ...plugins.keys()])].join(', ');
  throw new BonafideError('invalid_config', `There is no model "${name}"; known are ${known}.`);
}

/** Makes a model ready to be asked. Errors: invalid_config. */
export function createModel(name: string, settings: ModelSettings, host: ModelHost): Model {
  const plugin = host.models.get(settings.plugin);
  if (!plugin)
    throw new BonafideError(
      'invalid_config',
      `Model "${name}" needs the plugin "${settings.plugin}", which is not loaded.`,
    );
  const options = parseOptions(plugin.options, settings.options, `Model "${name}"`);
  const secret = secretReader(host.env);
  let opened: Promise<unknown> | undefined;
  const open = (): Promise<unknown> => {
    opened ??= Promise.resolve(plugin.open?.({ options, secret })).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const limiter = createLimiter(settings.concurrency ?? plugin.concurrency ?? 4, settings.queue);
  return {
    name,
    label: plugin.label?.(options as never) ?? name,
    instant: plugin.instant ?? false,
    fingerprint: JSON.stringify(settings),
    limiter,
    breaker: createBreaker({
      failures: settings.breaker.failures,
      pauseMs: settings.breaker.pause_ms,
      now: host.now,
    }),
    generate: (ask) =>
      plugin.open
        ? open().then((state) => plugin.generate(ask, { options, state, secret }))
        : plugin.generate(ask, { options, state: undefined, secret }),
    warm: () => void (plugin.open && open().catch(() => undefined)),
    async close() {
      await idle(limiter);
      if (opened && plugin.close) await opened.then((state) => plugin.close?.(state)).catch(() => undefined);
    },
  };
}
