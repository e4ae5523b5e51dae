// The writer thread: the one place that writes accepted calls. It has a connection of its own, so a commit that
// waits for the disk never holds up the event loop that serves.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorCode } from '../../errors.ts';
import { asStoreError, connect } from './connect.ts';
import {
  appender,
  counter,
  KEY_COLUMN,
  monthOf,
  removalClock,
  REMOVED_AT_ONCE,
  remover,
  TEST_COLUMN,
  TIME_COLUMN,
} from './write.ts';
import type { Row } from './write.ts';

/** How old calls must be to be removed, and what time it is: milliseconds. */
export interface Removal {
  thanMs: number;
  now: number;
}

/** To the writer: a batch of calls to commit together, which calls to remove, or null to close. */
export type ToWriter = Row[] | Removal | null;
/** From the writer: `committed` null, or the code and sentence of what failed (then nothing of the batch is kept). */
export interface FromWriter {
  failed: { code: ErrorCode; message: string } | null;
}

/** What the writer is started with; `waitMs` is how long it waits for another process that writes. */
export interface WriterData {
  file: string;
  waitMs: number;
}

if (parentPort === null) throw new Error('The writer runs in a thread of its own.');
const port = parentPort;
const { file, waitMs }: WriterData = workerData;
// A file that is away must not be made anew: what it holds would be lost beside the empty one, and the log of the open one with it.
if (!existsSync(file)) throw new Error('The store is away.');
const raw = connect(file);
// Another connection (the command line) may be writing: wait for it rather than fail calls that were answered.
raw.pragma(`busy_timeout = ${waitMs}`);
const append = appender(raw);
const count = counter(raw);
const remove = remover(raw);
const removalTime = removalClock(raw);

/** Between two steps, calls that wait are committed. */
const PAUSE_MS = 50;

/** Removes what is older, step by step. What fails now (a full disk, say) is done the next time. */
function removeOlder({ thanMs, now }: Removal): void {
  try {
    if (!raw.open) return;
    const before = removalTime(now, performance.now()) - thanMs;
    if (remove(before) === REMOVED_AT_ONCE) void pause(PAUSE_MS).then(() => removeOlder({ thanMs, now }));
  } catch {
    // Calls go on being counted; the next round removes these.
  }
}

const commit = raw.transaction((rows: Row[]) => {
  const months = new Map<string, { account: string; month: string; calls: number }>();
  for (const row of rows) {
    append(row);
    if (row[TEST_COLUMN] === 1) continue;
    const account = String(row[KEY_COLUMN]);
    const month = monthOf(Number(row[TIME_COLUMN]));
    const entry = months.get(account + month);
    if (entry) entry.calls++;
    else months.set(account + month, { account, month, calls: 1 });
  }
  for (const { account, month, calls } of months.values()) count(account, month, calls);
});

port.on('message', (told: ToWriter) => {
  if (!told) {
    raw.close();
    port.close();
    return;
  }
  if (!Array.isArray(told)) return removeOlder(told);
  const answer: FromWriter = { failed: null };
  try {
    commit.immediate(told);
  } catch (error) {
    const { code, message } = asStoreError(error, file);
    answer.failed = { code: code === 'internal_error' ? 'store_unavailable' : code, message };
  }
  port.postMessage(answer);
});
