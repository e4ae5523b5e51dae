import type { CallRecord } from '../model.ts';
export interface Recorder {
    /** Resolves once the call's usage count and stream row are committed to disk; rejects with a BonafideError else. */
    record(call: CallRecord): Promise<void>;
    /** Whether the writer lives and its last commit went through. */
    healthy(): boolean;
    /** Commits what is waiting, then ends the writer. */
    close(): Promise<void>;
}
/**
 * Starts the writer thread for a store that `openStore` has opened before. One batch is being committed while
 * the next one gathers, so a busy server pays for one disk flush per batch and a quiet one waits for nobody.
 */
export declare function openRecorder({ file }: {
    file: string;
}): Recorder;
