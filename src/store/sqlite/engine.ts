// A store in a file as a server has it: everything is answered at once.
import { isTestKey } from '../../accounts/keys.ts';
import { openNoticeQueue } from '../serving/notices.ts';
import { openUsage } from '../usage.ts';
import { openIdempotency } from '../serving/idempotency.ts';
import { prepareCallerLookup, prepareKeyLookup, listKeys } from '../keys.ts';
import { openLimiter } from '../serving/limiter.ts';
import { takeProbe } from '../serving/key-activity.ts';
import { openSessions } from '../serving/sessions.ts';
import { sumProbesSince } from '../serving/writer-statements.ts';
import { type Recorder, createRecorder, type ConnectWriter } from '../serving/recorder.ts';
import type { CallStore, CallStoreOptions, StoreEngine } from '../engine.ts';
import { listRecentCalls, countCallsBySpan, openEarlierCalls } from '../call-log.ts';
import { openLimits } from './limits.ts';
import type { SqliteStore } from './open.ts';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { codeFile } from '../../platform/assets.ts';
import type { WriterData } from './writer.ts';

/** `limitsDir` is the folder of the limits. */
export function createSqliteEngine(store: SqliteStore, recorder: Recorder, limitsDir: string): StoreEngine {
  return {
    place: { file: store.file },
    store,
    recorder,
    notices: openNoticeQueue(store.raw),
    healthy: store.isHealthy,
    failure: () => null,
    holds() {
      const keys = listKeys(store);
      return { keys: keys.length > 0, testKeys: keys.some(({ prefix }) => isTestKey(prefix)) };
    },
    probesSince: (since) => sumProbesSince(store.raw, since),
    calls: (options) => callsOf(store, limitsDir, options),
  };
}

function callsOf(
  store: SqliteStore,
  limitsDir: string,
  { flights, alone, secret, keepMs }: CallStoreOptions,
): ReturnType<StoreEngine['calls']> {
  const limits = openLimits(limitsDir, alone);
  const usage = openUsage(store);
  const limiter = openLimiter({ limits, flights, quotaUsage: usage.quotaUsage });
  const calls: CallStore = {
    findKey: prepareKeyLookup(store),
    callerOf: prepareCallerLookup(store),
    limiter,
    retries: openIdempotency({ store, limits, secret, keepMs }),
    takeProbe: (probing, now) => takeProbe(limits, probing, now),
    sessions: openSessions(limits),
    usageOf: usage.ofCaller,
    callOf: openEarlierCalls(store).callOf,
    earlierCalls: {
      within: (keyId, window) => listRecentCalls(store, keyId, window),
      counts: (keyId, spans) => countCallsBySpan(store, keyId, spans),
    },
  };
  const close = () => {
    limiter.close();
    limits.close();
  };
  return { ...calls, close };
}

// Ways to the writer thread: of the thread that starts it, and of others that serve beside it.
/** The writer of a store, in a thread that each call starts anew. */
export function connectWriterThread(data: WriterData): ConnectWriter {
  return ({ answered, lost }) => {
    const worker = new Worker(codeFile('store/sqlite/writer'), { workerData: data });
    worker.on('message', answered).on('error', lost).on('exit', lost);
    return {
      tell: (told) => worker.postMessage(told, told && 'line' in told ? [told.line] : []),
    };
  };
}

/** A writer that another thread keeps: `hand` gives that thread the writer's end of a line. */
export function connectSharedWriter(hand: (end: MessagePort) => void): ConnectWriter {
  return ({ answered, lost }) => {
    const { port1: own, port2: end } = new MessageChannel();
    own.on('message', answered).on('close', lost);
    hand(end);
    return { tell: (told) => own.postMessage(told) };
  };
}

export interface RecorderOptions {
  file: string;
  /** How long the writer waits for another process that writes. */
  waitMs?: number;
  /** Whether notices of quotas are to be written for a webhook. */
  notify?: boolean;
}

/** Starts the writer thread for a store that `openStore` has opened before, and records through it. */
export function openRecorder({ file, waitMs = 5000, notify = false }: RecorderOptions): Recorder {
  return createRecorder(connectWriterThread({ file, waitMs, notify }));
}
