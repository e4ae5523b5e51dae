// Store of a server in a file: requests are answered synchronously, and the writer thread writes calls.
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { getModuleFile } from '../../platform/assets.ts';
import { countKeyChainCallsBySpan, findCallOfApiKeyChain, listRecentCallsOfKeyChain } from '../call-log.ts';
import type { StoreForCalls, StoreForCallsOptions, StoreEngine } from '../engine.ts';
import { openWatchStore } from '../events/watches.ts';
import { getApiAndTestKeyPresence, findCaller, createApiKeyLookup } from '../keys.ts';
import { countJobsByState, hasDueOrExpiredJob, hasLeasedJob } from '../serving/jobs.ts';
import { createIdempotentCallStarter } from '../serving/idempotency.ts';
import { openCallLimiter, enforceHourlySingleContactLimit } from '../serving/limiter.ts';
import { openWebhookMessageQueue } from '../serving/notices.ts';
import {
  createCallRecorder,
  type ConnectToStoreWriterFunction,
  type CallRecorder,
} from '../serving/recorder.ts';
import { createConsoleSessionStorage } from '../serving/sessions.ts';
import { listSuspiciousCheckSumsSince } from '../serving/writer-statements.ts';
import { getCallerUsage, getQuotaUsage } from '../usage.ts';
import { openLimitsDatabase } from './limits.ts';
import type { SqliteStore } from './open.ts';
import { openSharedIdempotencyKeyAttempts, openSharedCallLimits } from './shared-limits.ts';
import type { SqliteWriterThreadData } from './writer.ts';

/** Creates the engine of an open store. `limitsDir` is the folder of `limits.db`. */
export function createSqliteEngine(
  store: SqliteStore,
  recorder: CallRecorder,
  limitsDir: string,
): StoreEngine {
  return {
    location: { file: store.file },
    store,
    recorder,
    notices: openWebhookMessageQueue(store.raw),
    watches: withStoreErrors(store, openWatchStore(store)),
    isHealthy: store.isHealthy,
    getFailure: () => null,
    getKeyPresence: () => getApiAndTestKeyPresence(store),
    sumSuspiciousChecksSince: (since) => listSuspiciousCheckSumsSince(store.raw, since),
    jobs: {
      hasWork: (now) => hasDueOrExpiredJob(store.raw, now),
      hasLeased: () => hasLeasedJob(store.raw),
      count: () => countJobsByState(store.raw),
    },
    openCalls: (options) => openCalls(store, limitsDir, options),
  };
}

/** Wraps functions so that they throw BonafideErrors in place of errors of SQLite. */
function withStoreErrors<T extends object>(store: SqliteStore, functions: T): T {
  const wrap = (call: (...args: unknown[]) => unknown) =>
    function run(...args: unknown[]) {
      try {
        return call(...args);
      } catch (error) {
        throw store.toStoreError(error);
      }
    };
  return Object.fromEntries(Object.entries(functions).map(([name, call]) => [name, wrap(call)])) as T;
}

function openCalls(
  store: SqliteStore,
  limitsDir: string,
  { inFlight, alone, ...idempotency }: StoreForCallsOptions,
): StoreForCalls & { close(): void } {
  const limits = openLimitsDatabase(limitsDir, alone);
  const shared = openSharedCallLimits(limits, (caller, now) => getQuotaUsage(store, caller, now));
  return {
    findKey: createApiKeyLookup(store),
    findCaller: (id, now) => findCaller(store, id, now),
    limiter: openCallLimiter(inFlight, shared),
    idempotency: createIdempotentCallStarter(openSharedIdempotencyKeyAttempts(store, limits), idempotency),
    takeProbe: (request, now) => enforceHourlySingleContactLimit(shared, request, now),
    sessions: createConsoleSessionStorage(limits.change),
    getUsage: (caller, query) => getCallerUsage(store, caller, query),
    findCall: (keyId, requestId) => findCallOfApiKeyChain(store, keyId, requestId),
    earlierCalls: {
      within: (keyId, window) => listRecentCallsOfKeyChain(store, keyId, window),
      counts: (keyId, spans) => countKeyChainCallsBySpan(store, keyId, spans),
    },
    close() {
      shared.close();
      limits.close();
    },
  };
}

/** Creates a function that connects to a writer thread of a store. Each call of the function starts a new thread. */
export function createWriterThreadConnectFunction(
  data: SqliteWriterThreadData,
): ConnectToStoreWriterFunction {
  return ({ onReply, onLost }) => {
    const worker = new Worker(getModuleFile('store/sqlite/writer'), { workerData: data });
    worker.on('message', onReply).on('error', onLost).on('exit', onLost);
    return (request) => worker.postMessage(request, request && 'port' in request ? [request.port] : []);
  };
}

/** Creates a function that connects to the writer thread that another thread started. `hand` must pass a message port to that other thread. */
export function createSharedWriterConnectFunction(
  hand: (port: MessagePort) => void,
): ConnectToStoreWriterFunction {
  return ({ onReply, onLost }) => {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', onReply).on('close', onLost);
    hand(port2);
    return (request) => port1.postMessage(request);
  };
}

export interface CallRecorderOptions {
  file: string;
  waitMs?: number;
  notify?: boolean;
}

/** Starts the writer thread of a store that is already open. Returns a recorder that sends calls to this thread. */
export function startCallRecorder({
  file,
  waitMs = 5000,
  notify = false,
}: CallRecorderOptions): CallRecorder {
  return createCallRecorder(createWriterThreadConnectFunction({ file, waitMs, notify }));
}
