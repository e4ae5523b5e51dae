import { Worker } from 'node:worker_threads';
import { BonafideError } from '../errors.js';
import { codeFile } from '../platform/assets.js';
import { toRow } from './sqlite/write.js';
const RESTART_PAUSE_MS = 500;
const UNHEALTHY_MS = 5000;
const ENOUGH = 64;
/**
 * Starts the writer thread for a store that `openStore` has opened before. One batch is being committed while
 * the next one gathers, so a busy server pays for one disk flush per batch and a quiet one waits for nobody.
 */
export function openRecorder({ file }) {
    let worker = null;
    let started = -Infinity;
    let gathering = [];
    let committing = null;
    let scheduled = false;
    let failedAt = -Infinity;
    let closing = null;
    function start() {
        started = performance.now();
        const born = new Worker(codeFile('store/sqlite/writer'), { workerData: { file } });
        born.on('message', (answer) => settle(answer.failed));
        born.on('error', () => lost(born));
        born.on('exit', () => lost(born));
        worker = born;
    }
    /** The writer is gone. What it held may or may not be on disk, so those calls must not be answered as counted. */
    function lost(which) {
        if (worker !== which)
            return;
        worker = null;
        const failed = { code: 'internal_error', message: 'The writer thread ended.' };
        if (closing)
            committing = [...(committing ?? []), ...gathering.splice(0)];
        if (committing)
            settle(failed);
        closing?.();
    }
    function settle(failed) {
        const batch = committing ?? [];
        committing = null;
        failedAt = failed ? performance.now() : -Infinity;
        for (const { resolve, reject } of batch) {
            if (failed)
                reject(new BonafideError(failed.code, failed.message));
            else
                resolve();
        }
        if (gathering.length > 0)
            gather();
        else if (closing)
            worker?.postMessage(null);
    }
    function gather() {
        if (committing || scheduled)
            return;
        scheduled = true;
        setImmediate(turn, 0);
    }
    /**
     * One turn of the event loop has passed. A batch waits for the next turn while it still grows: turns are long
     * when there is much to do, and then a commit (80 us, however small) is shared by many; on a quiet server they
     * take no time.
     */
    function turn(before) {
        if (gathering.length > before && gathering.length < ENOUGH)
            setImmediate(turn, gathering.length);
        else
            send();
    }
    function send() {
        scheduled = false;
        if (gathering.length === 0)
            return;
        if (!worker && performance.now() - started >= RESTART_PAUSE_MS)
            start();
        committing = gathering;
        gathering = [];
        if (worker)
            worker.postMessage(committing.map(({ call }) => toRow(call)));
        else
            settle({ code: 'internal_error', message: 'The writer thread is restarting.' });
    }
    start();
    return {
        record: (call) => new Promise((resolve, reject) => {
            if (closing)
                return reject(new BonafideError('internal_error', 'The recorder is closed.'));
            gathering.push({ call, resolve, reject });
            gather();
        }),
        // A failure fades by itself: only another call can find out whether the disk has room again.
        healthy: () => worker !== null && performance.now() - failedAt > UNHEALTHY_MS,
        close: () => new Promise((resolve) => {
            closing = resolve;
            if (!worker)
                resolve();
            else if (!committing && gathering.length === 0)
                worker.postMessage(null);
        }),
    };
}
