// Supervision of a plugin's thread. A thread that has ended is started again at the next call, after a pause if it keeps dying.
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import { ModelError } from '../plugin/errors.ts';
import { createSecretReader } from '../model.ts';
import {
  PLUGIN_MANIFESTS_SCHEMA,
  toSingleLineText,
  type PluginManifest,
  type PluginOperation,
} from './protocol.ts';
import type { PluginOperationInputs } from './operations.ts';
import { startPluginThread, type PluginCallOptions, type RunningPluginThread } from './started.ts';

export interface PluginThreadOptions {
  path: string;
  memoryMb: number;
  env: Readonly<Record<string, string | undefined>>;
  log: { warn(line: string): void };
  now: () => number;
}
export interface RestartingPluginThread {
  plugins: PluginManifest[];
  /**
   * Calls an operation of a plugin. Errors: model_unavailable; a ModelError of the plugin, or a plain Error for any other error of the plugin.
   */
  call<O extends PluginOperation>(
    plugin: number,
    operation: O,
    given: PluginOperationInputs[O],
    options: PluginCallOptions,
  ): Promise<unknown>;
  /** Applies the settings of a model. The plugin may read only the API keys that these settings name. */
  configure(model: string, settings: Record<string, unknown>): void;
  readonly isRunning: boolean;
  close(): Promise<void>;
}

const LOAD_MS = 30_000;
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** Minimum lifetime (ms) of a plugin thread whose end does not count as a failed start. */
const HEALTHY_AFTER_MS = 60_000;
/** Time (ms) that a call waits for the end of the stopped thread, so that a new one can start. After it, the call fails. */
const EXIT_MS = 1_000;

/** Returns the pause (ms) before a thread is started again: 0 after its first end, then 250 ms, doubled each time up to 30 s. */
export function getThreadRestartPause(deaths: number): number {
  return deaths < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** (deaths - 2));
}

/** Lists every string inside the options. Only these strings may be names of API key variables or files. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(listTexts) : [];
}

/** Returns the result of a promise, or rejects with model_unavailable and `hint` after `ms` milliseconds. */
async function withTimeout<T>(promise: Promise<T>, ms: number, hint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ModelError('model_unavailable', hint)), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export async function openRestartingPluginThread(
  options: PluginThreadOptions,
): Promise<RestartingPluginThread> {
  const { path, memoryMb, env, log, now } = options;
  const namedBy = new Map<string, ReadonlySet<string>>();
  const read = createSecretReader(env);
  let thread: RunningPluginThread | undefined;
  let loaded: Promise<PluginManifest[]> | undefined;
  let exited = Promise.resolve();
  let closed = false;
  let deaths = 0;
  let diedAt = 0;
  let startedAt = 0;

  function secret(model: string, from: { env?: string; file?: string }): string | undefined {
    // As `read` chooses: an empty name of a variable does not hide the file.
    const name = from.env || from.file;
    if (name && !namedBy.get(model)?.has(name))
      throw new ModelError(
        'model_misconfigured',
        `The model "${model}" asks for an API key that its settings do not name. Set the variable or file of the key in its options.`,
      );
    return read(from);
  }
  function start(): RunningPluginThread {
    const started = startPluginThread({
      path,
      memoryMb,
      secret,
      onEnd(reason) {
        if (thread === started) thread = undefined;
        if (closed || reason === CLOSING) return;
        diedAt = now();
        deaths = diedAt - startedAt > HEALTHY_AFTER_MS ? 1 : deaths + 1;
        log.warn(`plugin ${path}: ${reason}; it is started again for the next call`);
      },
    });
    thread = started;
    exited = started.exited;
    startedAt = now();
    loaded = readManifests(started, path);
    // Callers receive the error; this handler avoids an unhandled rejection if there is no caller.
    loaded.catch(() => undefined);
    return started;
  }
  async function getLoadedThread(): Promise<RunningPluginThread> {
    if (closed) throw new ModelError('model_unavailable', 'the plugin is closed');
    if (thread === undefined && now() - diedAt < getThreadRestartPause(deaths))
      throw new ModelError(
        'model_unavailable',
        'the thread of the plugin keeps ending, so it is not restarted for a while',
      );
    // Without this limit, each restart would leave another thread that takes time and memory.
    if (thread === undefined)
      await withTimeout(exited, EXIT_MS, 'its thread cannot be stopped; restart the server');
    const started = thread ?? start();
    await loaded;
    return started;
  }

  start();
  const first = loaded as unknown as Promise<PluginManifest[]>;
  const plugins = await first.catch(async (error: unknown) => {
    closed = true;
    await thread?.end(CLOSING);
    throw error;
  });
  return {
    plugins,
    async call(plugin, operation, given, callOptions) {
      const started = await withTimeout(
        getLoadedThread(),
        callOptions.withinMs ?? LOAD_MS,
        'the thread of the plugin is still starting',
      ).catch(asModelError);
      return started.call({ plugin, operation, given }, callOptions);
    },
    configure: (model, settings) => void namedBy.set(model, new Set(listTexts(settings))),
    get isRunning() {
      return thread !== undefined;
    },
    async close() {
      closed = true;
      await thread?.end(CLOSING);
    },
  };
}

const CLOSING = 'the plugin is closed';
/** Maximum length of the error of a plugin that does not load. It contains the path and text of the plugin. */
const MAX_PROBLEM_LENGTH = 2000;

function asModelError(error: unknown): never {
  if (error instanceof BonafideError)
    throw new ModelError('model_unavailable', 'the plugin could not be loaded again');
  throw error;
}

async function readManifests(started: RunningPluginThread, path: string): Promise<PluginManifest[]> {
  const timer = setTimeout(
    () =>
      void started.end(
        `it did not load within ${LOAD_MS / 1000} seconds; look for an endless loop outside its functions`,
      ),
    LOAD_MS,
  );
  const ended = await started.loaded;
  clearTimeout(timer);
  const manifest = ended.ok ? v.safeParse(PLUGIN_MANIFESTS_SCHEMA, ended.value) : undefined;
  if (manifest?.success) return manifest.output;
  const why = ended.ok ? 'its name, version or another property is invalid' : ended.hint.replace(/\.$/, '');
  const problem = (!ended.ok && ended.problem) || `plugin ${path} does not load: ${why}.`;
  throw new BonafideError('invalid_config', toSingleLineText(problem, MAX_PROBLEM_LENGTH));
}
