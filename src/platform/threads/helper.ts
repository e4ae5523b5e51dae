// Worker thread of a pool, which runs one task after the other. See helpers.ts.
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { lowerThreadPriority } from './priority.ts';
import {
  type TaskReplyMessage,
  type TaskRequestMessage,
  listTransferableBuffers,
  type WorkerTaskFunctions,
} from './helpers.ts';

lowerThreadPriority();
if (parentPort === null) throw new Error('This module must run in a worker thread.');
const port = parentPort;
/** Task functions of each loaded module, by the path of the module. */
const modules = new Map<string, Promise<WorkerTaskFunctions>>();
let lastTask = Promise.resolve();

port.on('message', (request: TaskRequestMessage) => {
  lastTask = lastTask.then(() => reply(request));
});

async function reply(request: TaskRequestMessage): Promise<void> {
  const result = await run(request);
  const moved = listTransferableBuffers('answer' in result ? result.answer : null);
  port.postMessage({ id: request.id, ...result } satisfies TaskReplyMessage, moved);
}

type TaskResult = { answer: unknown } | { failed: { code: BonafideError['code'] | null; message: string } };

async function run(request: TaskRequestMessage): Promise<TaskResult> {
  try {
    if ('boot' in request) return { answer: await loadModule(request.file, request.boot) };
    const tasks = await modules.get(request.file);
    if (!tasks) throw new Error('the tasks of this module were never loaded');
    return { answer: await tasks[request.name]?.(request.given as never) };
  } catch (error) {
    if (error instanceof BonafideError) return { failed: { code: error.code, message: error.message } };
    // The message may contain submitted values, so only the stack is reported.
    const [, ...frames] = error instanceof Error ? (error.stack ?? '').split('\n    at ') : [];
    return { failed: { code: null, message: `a thread failed at ${frames.slice(0, 4).join(' < ')}` } };
  }
}

/** Loads a module of task functions. If this fails, all its tasks fail with the same error. */
async function loadModule(file: string, boot: unknown): Promise<null> {
  const tasks = import(pathToFileURL(file).href).then(
    ({ createWorkerTaskFunctions }: { createWorkerTaskFunctions(boot: unknown): WorkerTaskFunctions }) =>
      createWorkerTaskFunctions(boot),
  );
  modules.set(file, tasks);
  await tasks;
  return null;
}
