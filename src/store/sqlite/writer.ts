// The writer thread: only this thread writes accepted calls to `store.db`. It has a separate connection, so
// that a commit that waits for the disk never blocks the serving event loop.
import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { createCallBatchCommitter, type CallBatch } from '../serving/ledger.ts';
import type { StoreWriterReply, StoreWriterRequest } from '../serving/recorder.ts';
import {
  createOldRowBatchRemover,
  saveLastUsed,
  addSuspiciousCheckCounts,
  saveRefusals,
  type CallLogRemovalRequest,
} from '../serving/writer-statements.ts';
import { connectSqliteStore, toSqliteStoreError } from './connect.ts';

export interface SqliteWriterThreadData {
  file: string;
  waitMs: number;
  notify: boolean;
}

if (parentPort === null) throw new Error('The writer runs in a thread of its own.');
const mainPort = parentPort;
const { file, waitMs, notify }: SqliteWriterThreadData = workerData;
// A missing file must not be created: new data would go into an empty file, and replace the log of the open
// file.
if (!existsSync(file)) throw new Error('The store file does not exist.');
const db = connectSqliteStore(file);
// Another connection (the command line) may be writing. Waiting for it is better than failing calls that were
// answered.
db.pragma(`busy_timeout = ${waitMs}`);
const commit = createCallBatchCommitter(db, { notify });
const removeBatch = createOldRowBatchRemover(db);

/** Pause (ms) between two batches of removals, in which waiting calls are committed. */
const PAUSE_MS = 50;

async function removeOld(request: CallLogRemovalRequest): Promise<void> {
  try {
    while (db.open && removeBatch(request)) await pause(PAUSE_MS);
    // Deleted claims and results stay in the log until it is overwritten. Nobody waits for this: it ends at once if another connection reads.
    db.pragma('busy_timeout = 0');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // The disk may be full, for example. Calls are still counted; the next round removes these rows.
  } finally {
    if (db.open) db.pragma(`busy_timeout = ${waitMs}`);
  }
}

/** Message ports to the threads that serve calls, except the main thread. */
const ports = new Set<MessagePort>();

/** Handles the requests of one thread. Replies to its batches by the same port. */
function listen(port: MessagePort, close: () => void): void {
  port.on('message', (request: StoreWriterRequest) => {
    if (!request) close();
    else if ('rows' in request) port.postMessage(commitBatch(request));
    else if ('lastUsed' in request) ignoreErrors(() => saveLastUsed(db, request.lastUsed));
    else if ('probes' in request) ignoreErrors(() => addSuspiciousCheckCounts(db, request.probes));
    else if ('refusals' in request) ignoreErrors(() => saveRefusals(db, request.refusals));
    else if ('port' in request) listenToThread(request.port);
    else void removeOld(request);
  });
}

function listenToThread(port: MessagePort): void {
  ports.add(port.on('close', () => ports.delete(port)));
  listen(port, () => port.close());
}

listen(mainPort, () => {
  db.close();
  for (const port of [mainPort, ...ports]) port.close();
});

/** Runs `work` and ignores its errors, because only calls must not be lost. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // A later write of the same kind may succeed.
  }
}

/** Minimum time (ms) between two checks of the file. A check takes about 10 µs, a commit 80 µs. */
const CHECK_FILE_EVERY_MS = 50;
const openedFile = statSync(file);
let fileCheckedAt = 0;

/**
 * Throws if the store file was removed or replaced. Calls written to it would be lost, because no other process reads the old file. Errors:
 * store_unavailable.
 */
function requireSameFile(): void {
  if (performance.now() - fileCheckedAt < CHECK_FILE_EVERY_MS) return;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.ino !== openedFile.ino || found.dev !== openedFile.dev)
    throw new BonafideError(
      'store_unavailable',
      `${file} was removed or replaced while in use. Put it back, or restart the server to use the new file.`,
    );
  fileCheckedAt = performance.now();
}

function commitBatch(batch: CallBatch): StoreWriterReply {
  try {
    requireSameFile();
    return { failed: null, outcomes: commit(batch, Date.now) };
  } catch (error) {
    const { code, message } = toSqliteStoreError(error, file);
    return { failed: { code: code === 'internal_error' ? 'store_unavailable' : code, message } };
  }
}
