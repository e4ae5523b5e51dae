// Started thread of a plugin, from the server's side. Every call settles, whatever the plugin does.
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { getModuleFile } from '../../platform/assets.ts';
import { toThreadHeapLimit, watchThreadMemory } from '../../platform/threads/calls.ts';
import { isModelError, ModelError } from '../plugin/errors.ts';
import { toPluginErrorResult, serializePluginCallResult, parsePluginCallResult } from './protocol.ts';
import type {
  PluginCall,
  PluginCallResult,
  MessageFromPluginThread,
  ProviderKeyRequest,
  ProviderKeyReply,
  PluginThreadData,
  MessageToPluginThread,
} from './protocol.ts';

export interface StartPluginThreadOptions {
  path: string;
  /** Memory limit of the thread in megabytes, for objects and buffers together. */
  memoryMb: number;
  /** Returns an API key for a model; `model` is its name in the settings. Errors: model_misconfigured. */
  secret: (model: string, from: { env?: string; file?: string }) => string | undefined;
  /** Called once when the thread has ended. `reason` is half a sentence without text of the plugin. */
  onEnd: (reason: string) => void;
}
export interface PluginCallOptions {
  /** Time limit of the call in milliseconds, after which the thread is stopped. */
  withinMs?: number;
  /** Aborts the call in the thread. The thread is stopped if the call does not settle within `GRACE_MS`. */
  signal?: AbortSignal;
}
export interface RunningPluginThread {
  call(call: Omit<PluginCall, 'id'>, options: PluginCallOptions): Promise<unknown>;
  /** Manifests of the plugins in the thread. */
  loaded: Promise<PluginCallResult>;
  end(reason: string): Promise<void>;
  /** Resolves when the thread has ended. V8 cannot stop every loop, so this may never happen. */
  exited: Promise<void>;
}

/** Time (ms) that a call has to settle after its deadline, or after the client has disconnected. */
const GRACE_MS = 1_000;
const CANCELLED_GRACE_MS = 10_000;
type Settle = (ended: PluginCallResult) => void;

export function startPluginThread({
  path,
  memoryMb,
  secret,
  onEnd,
}: StartPluginThreadOptions): RunningPluginThread {
  const calls = new MessageChannel();
  const secrets = new MessageChannel();
  const isReplied = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(getModuleFile('features/running/worker'), {
    name: 'plugin',
    env: {},
    execArgv: [],
    // A plugin's output may contain submitted values: it is captured here and dropped.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: toThreadHeapLimit(memoryMb), stackSizeMb: 4 },
    workerData: { path, port: calls.port2, secrets: secrets.port2, isReplied } satisfies PluginThreadData,
    transferList: [calls.port2, secrets.port2],
  });
  const waiting = new Map<number, Settle>();
  let endReason: string | undefined;
  let calledLast = 0;

  function handleEnd(reason: string): void {
    if (endReason !== undefined) return;
    endReason = reason;
    clearInterval(watch);
    calls.port1.close();
    secrets.port1.close();
    for (const settle of waiting.values()) settle({ ok: false, code: 'model_unavailable', hint: reason });
    onEnd(reason);
  }
  async function end(reason: string): Promise<void> {
    handleEnd(reason);
    await worker.terminate();
  }
  const watch = watchThreadMemory(worker, memoryMb, () => void end('its thread took too much memory'));
  worker.on('error', (error) =>
    handleEnd(isMemory(error) ? 'its thread took too much memory' : 'its thread threw an error'),
  );
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      handleEnd('its thread ended');
      resolve();
    });
  });
  // A plugin that changed `postMessage` in its thread can send any value.
  calls.port1.on('message', (message: Partial<MessageFromPluginThread> | null) =>
    waiting.get(message?.id ?? -1)?.(parsePluginCallResult(message?.text)),
  );
  answerSecrets(secrets.port1, isReplied, secret);
  // `unref()`: an idle thread must not keep the process alive.
  for (const port of [worker, calls.port1, secrets.port1]) port.unref();

  function settled(id: number, { withinMs, signal }: PluginCallOptions): Promise<PluginCallResult> {
    return new Promise((resolve) => {
      const endAfter = (ms: number) => setTimeout(() => void end('its thread did not answer in time'), ms);
      let timer = withinMs === undefined ? undefined : endAfter(withinMs);
      const abort = (): void => {
        calls.port1.postMessage({ abort: id } satisfies MessageToPluginThread);
        const wasCancelled = isModelError(signal?.reason) && signal.reason.code === 'cancelled';
        timer ??= endAfter(wasCancelled ? CANCELLED_GRACE_MS : GRACE_MS);
      };
      if (waiting.size === 0) worker.ref();
      waiting.set(id, (ended) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        waiting.delete(id);
        if (waiting.size === 0) worker.unref();
        resolve(ended);
      });
      // The signal may have been aborted while the thread was starting, and then has no further event.
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }
  return {
    loaded: settled(0, {}),
    end,
    exited,
    async call(call, options) {
      if (endReason !== undefined) throw new ModelError('model_unavailable', endReason);
      calledLast += 1;
      const answer = settled(calledLast, options);
      calls.port1.postMessage({ ...call, id: calledLast } satisfies MessageToPluginThread);
      const ended = await answer;
      if (ended.ok) return ended.value;
      // The plugin's own error text is not repeated: it may contain submitted values.
      throw ended.code === null
        ? new Error('The plugin threw an error.')
        : new ModelError(ended.code, ended.hint);
    },
  };
}

const isMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Answers the thread's requests for API keys. Every request gets a reply, because the thread blocks until it arrives. */
function answerSecrets(
  port: MessagePort,
  isReplied: Int32Array,
  secret: StartPluginThreadOptions['secret'],
): void {
  port.on('message', (request: ProviderKeyRequest | null) => {
    let ended: PluginCallResult;
    const id = request?.id ?? 0;
    try {
      ended = { ok: true, value: request?.from && secret(request.model, request.from) };
    } catch (error) {
      ended = toPluginErrorResult(error);
    }
    port.postMessage({ id, text: serializePluginCallResult(ended) } satisfies ProviderKeyReply);
    Atomics.store(isReplied, 0, 1);
    Atomics.notify(isReplied, 0);
  });
}
