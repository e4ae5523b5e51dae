// The writer thread: the one place that writes accepted calls. It has a connection of its own, so a commit that
// waits for the disk never holds up the event loop that serves.
import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorCode } from '../../errors.ts';
import { asStoreError, connect } from './connect.ts';
import { appender, counter, KEY_COLUMN, monthOf, TIME_COLUMN } from './write.ts';
import type { Row } from './write.ts';

/** To the writer: a batch of calls to commit together, or null to close. */
export type ToWriter = Row[] | null;
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
const raw = connect(file);
// Another connection (the command line) may be writing: wait for it rather than fail calls that were answered.
raw.pragma(`busy_timeout = ${waitMs}`);
const append = appender(raw);
const count = counter(raw);

const commit = raw.transaction((rows: Row[]) => {
  const months = new Map<string, { account: string; month: string; calls: number }>();
  for (const row of rows) {
    append(row);
    const account = String(row[KEY_COLUMN]);
    const month = monthOf(Number(row[TIME_COLUMN]));
    const entry = months.get(account + month);
    if (entry) entry.calls++;
    else months.set(account + month, { account, month, calls: 1 });
  }
  for (const { account, month, calls } of months.values()) count(account, month, calls);
});

port.on('message', (rows: ToWriter) => {
  if (!rows) {
    raw.close();
    port.close();
    return;
  }
  const answer: FromWriter = { failed: null };
  try {
    commit.immediate(rows);
  } catch (error) {
    const { code, message } = asStoreError(error, file);
    answer.failed = { code: code === 'internal_error' ? 'store_unavailable' : code, message };
  }
  port.postMessage(answer);
});
