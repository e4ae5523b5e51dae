import { closeSync, openSync, writeSync } from 'node:fs';
import { BonafideError } from '../errors.js';
const FIRST = 5;
/**
 * Writes rejects as JSON Lines; the file (mode 0600) is made with the first one. Without a file they are only counted.
 * Written at once: a stream would gather an endless queue in memory, and would tell a missing folder too late.
 *
 * Errors of `add`: `disk_full`, `read_only`.
 */
export function rejectsWriter(file) {
    let open = null;
    let used = false;
    const first = [];
    return {
        first: () => first,
        add(reject) {
            if (first.length < FIRST)
                first.push(reject);
            if (file === undefined)
                return;
            const { input, line, recordId, whole, reason } = reject;
            try {
                open ??= openSync(file, used ? 'a' : 'w', 0o600);
                used = true;
                writeSync(open, `${JSON.stringify({ input, line, record_id: recordId, whole, reason })}\n`);
            }
            catch (error) {
                throw cannotWrite(file, error);
            }
        },
        used: () => used,
        async end() {
            if (open !== null)
                closeSync(open);
            open = null;
        },
    };
}
function cannotWrite(file, error) {
    if (error.code === 'ENOSPC')
        return new BonafideError('disk_full', `The disk that holds ${file} is full: free some space and run this again.`);
    return new BonafideError('read_only', `Cannot write what could not be used to ${file}: choose another with --rejects.`);
}
