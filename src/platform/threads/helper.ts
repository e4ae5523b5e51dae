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
const known = new Map<string, Promise<WorkerTaskFunctions>>();
let last = Promise.resolve();

port.on('message', (asked: TaskRequestMessage) => {
  last = last.then(() => answer(asked));
});

async function answer(asked: TaskRequestMessage): Promise<void> {
  const told = await done(asked);
  const moved = listTransferableBuffers('answer' in told ? told.answer : null);
  port.postMessage({ id: asked.id, ...told } satisfies TaskReplyMessage, moved);
}

/**
 * Loads a module of tasks. An error is not reported here: every task of the module fails with the same error.
 */
async function begin(file: string, boot: unknown): Promise<null> {
  const beginning = import(pathToFileURL(file).href).then(
    ({ works }: { works(boot: unknown): WorkerTaskFunctions }) => works(boot),
  );
  known.set(file, beginning);
  await beginning;
  return null;
}

type Told = { answer: unknown } | { failed: { code: BonafideError['code'] | null; message: string } };

async function done(asked: TaskRequestMessage): Promise<Told> {
  try {
    if ('boot' in asked) return { answer: await begin(asked.file, asked.boot) };
    const works = await known.get(asked.file);
    if (!works) throw new Error('the tasks of this module were never loaded');
    return { answer: await works[asked.name]?.(asked.given as never) };
  } catch (error) {
    if (error instanceof BonafideError) return { failed: { code: error.code, message: error.message } };
    // The message may contain submitted values, so only the stack is reported.
    const [, ...frames] = error instanceof Error ? (error.stack ?? '').split('\n    at ') : [];
    return { failed: { code: null, message: `a thread failed at ${frames.slice(0, 4).join(' < ')}` } };
  }
}
