// The thread of src/store/postgres/tasks.ts: one task after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open.ts';
import { createTasks } from './tasks.ts';
import type { Task, TaskReply, TaskRequest, Tasks } from './tasks.ts';

/** Somebody waits for each, and those behind it for all. */
const MOST_WAIT_MS = 10_000;

if (parentPort === null) throw new Error('Tasks are done in a thread of its own.');
const port = parentPort;
const { url }: { url: string } = workerData;
let opened: { store: Store; tasks: Tasks } | undefined;

port.on('message', ({ id, task, asked }: TaskRequest) => {
  port.postMessage({ id, ...outcomeOf(task, asked) } satisfies TaskReply);
});

function outcomeOf(task: Task, asked: unknown[]) {
  try {
    const { tasks } = (opened ??= open());
    const work = tasks[task] as (...asked: unknown[]) => unknown;
    return { done: work(...asked) };
  } catch (thrown) {
    const error = opened ? opened.store.toStoreError(thrown) : thrown;
    if (!(error instanceof BonafideError))
      return { failed: { code: 'internal_error' as const, message: String(error) } };
    return { failed: { code: error.code, message: error.message } };
  }
}

function open() {
  const store = openPostgres(url, 'store', MOST_WAIT_MS);
  return { store, tasks: createTasks(store) };
}
