// Tasks of a server that no call waits for: sessions, usage, earlier calls, notices, removals. A separate
// thread runs them with the same statements as SQLite and blocks until PostgreSQL answers, so that the
// serving event loop never waits.
import type { UnwrittenRefusal } from '../../accounts/model.ts';
import { BonafideError } from '../../errors.ts';
import { createLazyWorkerThread } from '../../platform/threads/calls.ts';
import { findCallOfApiKeyChain } from '../call-log.ts';
import { openWatchStore } from '../events/watches.ts';
import { getApiAndTestKeyPresence } from '../keys.ts';
import { countJobsByState, hasDueOrExpiredJob, hasLeasedJob } from '../serving/jobs.ts';
import { openWebhookMessageQueue } from '../serving/notices.ts';
import { createConsoleSessionStorage } from '../serving/sessions.ts';
import {
  createOldRowBatchRemover,
  saveLastUsed,
  addSuspiciousCheckCounts,
  saveRefusals,
  listSuspiciousCheckSumsSince,
  type HourlySuspiciousCheckCounts,
} from '../serving/writer-statements.ts';
import type { Store } from '../store.ts';
import { getCallerUsage, type UsageOwner } from '../usage.ts';

/** Creates the tasks on a store that another thread can run, by name. A task may run several statements whose order does not matter. */
export function createStoreTasks(store: Store) {
  const { raw } = store;
  return {
    ...createConsoleSessionStorage((work) => work(raw)),
    ...openWebhookMessageQueue(raw),
    ...openWatchStore(store),
    getCallerUsage: (caller: UsageOwner, query: { month: string | null; now: number }) =>
      getCallerUsage(store, caller, query),
    getKeyPresence: () => getApiAndTestKeyPresence(store),
    sumSuspiciousChecksSince: (since: number) => listSuspiciousCheckSumsSince(raw, since),
    findCall: (keyId: string, requestId: string) => findCallOfApiKeyChain(store, keyId, requestId),
    hasJobWork: (now: number) => hasDueOrExpiredJob(raw, now),
    hasLeasedJob: () => hasLeasedJob(raw),
    countJobsByState: () => countJobsByState(raw),
    saveLastUsed: (lastUsed: ReadonlyMap<string, number>) => saveLastUsed(raw, lastUsed),
    addSuspiciousCheckCounts: (hours: HourlySuspiciousCheckCounts[]) => addSuspiciousCheckCounts(raw, hours),
    saveRefusals: (refusals: UnwrittenRefusal[]) => saveRefusals(raw, refusals),
    removeOld: createOldRowBatchRemover(raw),
  };
}

export type StoreTasks = ReturnType<typeof createStoreTasks>;

/**
 * Tasks on a store, which another thread runs. Errors of each task: its own; overloaded if too many tasks wait; store_unavailable if the thread
 * ended.
 */
export type AsyncStoreTasks = {
  [Name in keyof StoreTasks]: (
    ...args: Parameters<StoreTasks[Name]>
  ) => Promise<ReturnType<StoreTasks[Name]>>;
};

export interface StoreTaskThread {
  tasks: AsyncStoreTasks;
  close(): Promise<void>;
}

const MAX_PENDING = 256;

export function openStoreTaskThread(url: string): StoreTaskThread {
  const thread = createLazyWorkerThread<Record<string, (args: unknown[]) => unknown>>({
    file: 'store/postgres/tasks-thread',
    workerData: { url },
    toEndedError: () =>
      new BonafideError(
        'store_unavailable',
        'The operation stopped because the thread for work on the store ended. Send the request again.',
      ),
    maxPending: {
      calls: MAX_PENDING,
      toError: () => new BonafideError('overloaded', 'Too many requests wait for the store. Try again.'),
    },
  });
  // Each property is a function that calls the function of the same name in the thread.
  const tasks = new Proxy({} as AsyncStoreTasks, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        thread.call(String(name), args),
  });
  return { tasks, close: thread.close };
}
