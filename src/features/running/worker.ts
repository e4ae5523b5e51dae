import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { loadPluginsFromPath } from '../plugin-file.ts';
import type { ModelContext } from '../plugin/define.ts';
import { ModelError } from '../plugin/errors.ts';
import {
  createPluginManifest,
  toPluginErrorResult,
  serializePluginCallResult,
  parsePluginCallResult,
  type PluginCallResult,
  type MessageFromPluginThread,
  type ProviderKeyRequest,
  type ProviderKeyReply,
  type PluginThreadData,
  type MessageToPluginThread,
} from './protocol.ts';
import { createPluginOperationRunner } from './operations.ts';

const { path, port, secrets, isReplied } = workerData as PluginThreadData;
for (const key of Object.keys(workerData as object)) delete (workerData as Record<string, unknown>)[key];

for (const stream of [process.stdout, process.stderr])
  stream.write = (_chunk: unknown, encoding?: unknown, done?: unknown) => {
    const written = typeof encoding === 'function' ? encoding : done;
    if (typeof written === 'function') queueMicrotask(() => written());
    return true;
  };

const SECRET_MS = 5_000;
let secretRequestCount = 0;

/** Creates a function that reads API keys synchronously. The server reads the key while this thread blocks. */
function createSecretReader(model: string): ModelContext['secret'] {
  return (from) => {
    secretRequestCount += 1;
    Atomics.store(isReplied, 0, 0);
    const { env, file } = from;
    secrets.postMessage({ id: secretRequestCount, model, from: { env, file } } as ProviderKeyRequest);
    Atomics.wait(isReplied, 0, 0, SECRET_MS);
    for (let at = receiveMessageOnPort(secrets); at; at = receiveMessageOnPort(secrets)) {
      const { id, text } = at.message as ProviderKeyReply;
      if (id !== secretRequestCount) continue;
      const ended = parsePluginCallResult(text);
      if (ended.ok) return ended.value as string | undefined;
      throw new ModelError('model_misconfigured', ended.hint);
    }
    throw new ModelError('model_misconfigured', 'The API key of the model was not read in time.');
  };
}

function send(id: number, ended: PluginCallResult): void {
  port.postMessage({ id, text: serializePluginCallResult(ended) } satisfies MessageFromPluginThread);
}

function load() {
  try {
    const plugins = loadPluginsFromPath(path);
    send(0, { ok: true, value: plugins.map(createPluginManifest) });
    return plugins.map(createPluginOperationRunner);
  } catch (error) {
    const problem = error instanceof BonafideError ? error.message : `plugin ${path} does not load.`;
    send(0, { ok: false, code: null, hint: '', problem });
    return [];
  }
}

const operations = load();
const running = new Map<number, AbortController>();

port.on('message', (message: MessageToPluginThread) => {
  if ('abort' in message) {
    running.get(message.abort)?.abort(new ModelError('model_timeout'));
    return;
  }
  const { id, plugin, operation, given } = message;
  const controller = new AbortController();
  running.set(id, controller);
  void (async () =>
    operations[plugin]?.(operation, given as never, {
      signal: controller.signal,
      secretOf: createSecretReader,
    }))()
    .then((value): PluginCallResult => ({ ok: true, value }), toPluginErrorResult)
    .then((ended) => {
      running.delete(id);
      send(id, ended);
    });
});
