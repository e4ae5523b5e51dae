// The writer thread: the one place that writes accepted calls. It has a connection of its own, so a commit that
// waits for the disk never holds up the event loop that serves.
import { parentPort, workerData } from 'node:worker_threads';
import { asStoreError, connect } from './connect.js';
import { appender, counter, KEY_COLUMN, monthOf, TIME_COLUMN } from './write.js';
const file = workerData.file;
const raw = connect(file);
// Another connection (the command line) may be writing: wait for it rather than fail calls that were answered.
raw.pragma('busy_timeout = 10000');
const append = appender(raw);
const count = counter(raw);
const commit = raw.transaction((rows) => {
    const months = new Map();
    for (const row of rows) {
        append(row);
        const account = String(row[KEY_COLUMN]);
        const month = monthOf(Number(row[TIME_COLUMN]));
        const entry = months.get(account + month);
        if (entry)
            entry.calls++;
        else
            months.set(account + month, { account, month, calls: 1 });
    }
    for (const { account, month, calls } of months.values())
        count(account, month, calls);
});
parentPort.on('message', (rows) => {
    if (!rows) {
        raw.close();
        parentPort.close();
        return;
    }
    const answer = { failed: null };
    try {
        commit.immediate(rows);
    }
    catch (error) {
        const { code, message } = asStoreError(error, file);
        answer.failed = { code, message };
    }
    parentPort.postMessage(answer);
});
