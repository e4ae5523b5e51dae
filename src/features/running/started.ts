// One life of a plugin's thread, seen from the server: calls go in, answers come out, and whatever the plugin does, every
// call ends.
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { getModuleFile } from '../../platform/assets.ts';
import { toHeapLimit, watchMemory } from '../../platform/threads/calls.ts';
import { isModelError, ModelError } from '../plugin/errors.ts';
import { endedBy, packed, unpacked } from './protocol.ts';
import type { Call, Ended, FromThread, SecretAsked, SecretTold, ThreadData, ToThread } from './protocol.ts';

export interface ThreadOptions {
  /** The plugin's file or folder. */
  path: string;
  /** What its objects and buffers may take together. */
  memoryMb: number;
  /** Reads a key for a model, by the name that the settings give it. Errors: model_misconfigured. */
  secret: (model: string, from: { env?: string; file?: string }) => string | undefined;
  /** Told once when the thread is gone, and why: half a sentence that holds nothing of the plugin's own. */
  onEnd: (reason: string) => void;
}
export interface CallOptions {
  /** The thread is ended where it has not answered by then. */
  withinMs?: number;
  /** Aborts the call in the thread, which has some time to settle then; see `GRACE_MS`. */
  signal?: AbortSignal;
}
export interface Started {
  call(call: Omit<Call, 'id'>, options: CallOptions): Promise<unknown>;
  /** The plugins in the thread, as it tells them. */
  loaded: Promise<Ended>;
  end(reason: string): Promise<void>;
}

/** How long after its deadline a call may take to settle, and how long after its caller has left. */
const GRACE_MS = 1_000;
const LEFT_MS = 10_000;
type Settle = (ended: Ended) => void;

/** Starts a thread on a plugin. */
export function startThread({ path, memoryMb, secret, onEnd }: ThreadOptions): Started {
  const calls = new MessageChannel();
  const secrets = new MessageChannel();
  const told = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(getModuleFile('features/running/worker'), {
    name: 'plugin',
    env: {},
    execArgv: [],
    // What a plugin prints may hold what was submitted: the thread drops it, and none of it is passed on here.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: toHeapLimit(memoryMb), stackSizeMb: 4 },
    workerData: { path, port: calls.port2, secrets: secrets.port2, told } satisfies ThreadData,
    transferList: [calls.port2, secrets.port2],
  });
  const waiting = new Map<number, Settle>();
  let gone: string | undefined;
  let calledLast = 0;

  function over(reason: string): void {
    if (gone !== undefined) return;
    gone = reason;
    clearInterval(watch);
    calls.port1.close();
    secrets.port1.close();
    for (const settle of waiting.values()) settle({ ok: false, code: 'model_unavailable', hint: reason });
    onEnd(reason);
  }
  async function end(reason: string): Promise<void> {
    over(reason);
    await worker.terminate();
  }
  const watch = watchMemory(worker, memoryMb, () => void end('its thread took too much memory'));
  worker.on('error', (error) =>
    over(isMemory(error) ? 'its thread took too much memory' : 'its thread threw an error'),
  );
  worker.on('exit', () => over('its thread ended'));
  calls.port1.on('message', ({ id, text }: FromThread) => waiting.get(id)?.(unpacked(text)));
  answerSecrets(secrets.port1, told, secret);
  // A thread with nothing to do keeps no program from ending.
  for (const one of [worker, calls.port1, secrets.port1]) one.unref();

  function settled(id: number, { withinMs, signal }: CallOptions): Promise<Ended> {
    return new Promise((resolve) => {
      const late = (ms: number) => setTimeout(() => void end('its thread did not answer in time'), ms);
      let timer = withinMs === undefined ? undefined : late(withinMs);
      const abort = (): void => {
        calls.port1.postMessage({ abort: id } satisfies ToThread);
        const left = isModelError(signal?.reason) && signal.reason.code === 'cancelled';
        timer ??= late(left ? LEFT_MS : GRACE_MS);
      };
      signal?.addEventListener('abort', abort, { once: true });
      if (waiting.size === 0) worker.ref();
      waiting.set(id, (ended) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        waiting.delete(id);
        if (waiting.size === 0) worker.unref();
        resolve(ended);
      });
    });
  }
  return {
    loaded: settled(0, {}),
    end,
    async call(call, options) {
      if (gone !== undefined) throw new ModelError('model_unavailable', gone);
      calledLast += 1;
      const answer = settled(calledLast, options);
      calls.port1.postMessage({ ...call, id: calledLast } satisfies ToThread);
      const ended = await answer;
      if (ended.ok) return ended.value;
      // What the plugin threw is not told: it may hold what was submitted.
      throw ended.code === null
        ? new Error('The plugin threw an error.')
        : new ModelError(ended.code, ended.hint);
    },
  };
}

const isMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** The thread stands still while it waits for a key, so it is always told something. */
function answerSecrets(port: MessagePort, told: Int32Array, secret: ThreadOptions['secret']): void {
  port.on('message', ({ id, model, from }: SecretAsked) => {
    let ended: Ended;
    try {
      ended = { ok: true, value: secret(model, from) };
    } catch (error) {
      ended = endedBy(error);
    }
    port.postMessage({ id, text: packed(ended) } satisfies SecretTold);
    Atomics.store(told, 0, 1);
    Atomics.notify(told, 0);
  });
}
