// The writer thread: the one place that writes accepted calls. It has a connection of its own, so a commit that
// waits for the disk never holds up the event loop that serves.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { prepareCommit, type CallBatch } from '../serving/ledger.ts';
import { toSqliteStoreError, connectSqliteStore } from './open.ts';
import {
  prepareForgetKeys,
  prepareRemovalClock,
  REMOVAL_BATCH_SIZE,
  prepareRemoveCalls,
  prepareAddProbeCounts,
} from '../serving/writer-statements.ts';
import { prepareSaveLastUsed } from '../serving/key-activity.ts';
import type { WriterReply, RemovalRequest, WriterRequest } from '../serving/recorder.ts';

/** What the writer is started with. */
export interface WriterData {
  file: string;
  /** How long it waits for another process that writes. */
  waitMs: number;
  /** Whether notices of quotas are to be written for a webhook. */
  notify: boolean;
}

if (parentPort === null) throw new Error('The writer runs in a thread of its own.');
const port = parentPort;
const { file, waitMs, notify }: WriterData = workerData;
// A file that is away must not be made anew: what it holds would be lost beside the empty one, and the log of the open one with it.
if (!existsSync(file)) throw new Error('The store is away.');
const raw = connectSqliteStore(file);
// Another connection (the command line) may be writing: wait for it rather than fail calls that were answered.
raw.pragma(`busy_timeout = ${waitMs}`);
const commit = prepareCommit(raw, { notify });
const keepUsed = prepareSaveLastUsed(raw);
const keepProbes = prepareAddProbeCounts(raw);
const remove = prepareRemoveCalls(raw);
const forget = prepareForgetKeys(raw);
const removalTime = prepareRemovalClock(raw);

/** Between two steps, calls that wait are committed. */
const PAUSE_MS = 50;

/** Removes what is older, and Idempotency-Keys whose time is over, step by step. What fails now (a full disk, say) is done the next time. */
function removeOlder({ thanMs, now }: RemovalRequest): void {
  try {
    if (!raw.open) return;
    const time = removalTime(now, performance.now());
    const removed = [forget(time), thanMs === null ? 0 : remove(time - thanMs)];
    if (removed.includes(REMOVAL_BATCH_SIZE)) void pause(PAUSE_MS).then(() => removeOlder({ thanMs, now }));
  } catch {
    // Calls go on being counted; the next round removes these.
  }
}

/** Lines of threads that serve, beside that of the thread that keeps the writer. */
const lines = new Set<MessagePort>();

/** Hears what comes over a line; batches are answered over the same. What closes the writer closes all lines. */
function listenTo(line: MessagePort, close: () => void): void {
  line.on('message', (told: WriterRequest) => {
    if (!told) close();
    else if ('rows' in told) line.postMessage(answerTo(told));
    else if ('used' in told) quietly(() => keepUsed(told.used));
    else if ('probes' in told) quietly(() => keepProbes(told.probes));
    else if ('line' in told) join(told.line);
    else removeOlder(told);
  });
}

function join(line: MessagePort): void {
  lines.add(line.on('close', () => lines.delete(line)));
  listenTo(line, () => line.close());
}

listenTo(port, () => {
  raw.close();
  for (const line of [port, ...lines]) line.close();
});

/** What is no call's own may fail: calls go on being counted. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The next one may be kept.
  }
}

function answerTo(batch: CallBatch): WriterReply {
  try {
    return { failed: null, outcomes: commit(batch, Date.now) };
  } catch (error) {
    const { code, message } = toSqliteStoreError(error, file);
    return { failed: { code: code === 'internal_error' ? 'store_unavailable' : code, message } };
  }
}
