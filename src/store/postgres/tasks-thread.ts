// The thread of src/store/postgres/tasks.ts: it runs one task after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open.ts';
import { createTasks, type TaskName, type TaskReply, type TaskRequest } from './tasks.ts';

/** How long one task waits for PostgreSQL: its caller waits, and so do all tasks behind it. */
const MAX_WAIT_MS = 10_000;

if (parentPort === null) throw new Error('Tasks are done in a thread of its own.');
const port = parentPort;
const { url }: { url: string } = workerData;
let opened: { store: Store; tasks: ReturnType<typeof createTasks> } | undefined;

port.on('message', ({ id, task, args }: TaskRequest) => {
  port.postMessage({ id, ...runTask(task, args) } satisfies TaskReply);
});

function runTask(name: TaskName, args: unknown[]) {
  try {
    opened ??= open();
    const task = opened.tasks[name] as (...args: unknown[]) => unknown;
    return { result: task(...args) };
  } catch (thrown) {
    const error = opened ? opened.store.toStoreError(thrown) : thrown;
    if (!(error instanceof BonafideError))
      return { failed: { code: 'internal_error' as const, message: String(error) } };
    return { failed: { code: error.code, message: error.message } };
  }
}

function open() {
  const store = openPostgres(url, 'store', MAX_WAIT_MS);
  return { store, tasks: createTasks(store) };
}
