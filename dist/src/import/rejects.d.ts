/** One thing that an import could not use: never a value, only where it stands and why. */
export interface Reject {
    input: string;
    line: number;
    recordId: string | null;
    reason: string;
    /** The whole record, or one value of a record that was used otherwise. */
    whole: boolean;
}
export interface Rejects {
    add(reject: Reject): void;
    used(): boolean;
    /** The first few, for a summary. */
    first(): Reject[];
    end(): Promise<void>;
}
/**
 * Writes rejects as JSON Lines; the file (mode 0600) is made with the first one. Without a file they are only counted.
 * Written at once: a stream would gather an endless queue in memory, and would tell a missing folder too late.
 *
 * Errors of `add`: `disk_full`, `read_only`.
 */
export declare function rejectsWriter(file: string | undefined): Rejects;
