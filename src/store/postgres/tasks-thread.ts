// Thread of src/store/postgres/tasks.ts, which runs one task after the other.
import { workerData } from 'node:worker_threads';
import { serveThreadCalls } from '../../platform/threads/calls.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './open.ts';
import { createStoreTasks, type StoreTasks } from './tasks.ts';

/** Maximum wait of one task for PostgreSQL, in milliseconds. Later tasks of the thread wait as well. */
const MAX_WAIT_MS = 10_000;

const { url }: { url: string } = workerData;
let opened: { store: Store; tasks: StoreTasks } | undefined;

serveThreadCalls((name, args) => {
  opened ??= open();
  const task = opened.tasks[name as keyof StoreTasks] as (...args: unknown[]) => unknown;
  try {
    return task(...(args as unknown[]));
  } catch (error) {
    throw opened.store.toStoreError(error);
  }
});

function open() {
  const store = openPostgresStore(url, 'store', MAX_WAIT_MS);
  return { store, tasks: createStoreTasks(store) };
}
