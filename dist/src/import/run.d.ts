import type { ColumnField } from './columns.ts';
import { type Reject } from './rejects.ts';
import type { Readable } from 'node:stream';
import type { Vault } from '../graph/vault.ts';
export interface ImportInput {
    /** What errors and rejects call it: the file's path, or `-`. */
    name: string;
    stream: Readable;
    /** Total bytes where known, for the time left. */
    bytes: number | null;
}
export interface ImportOptions {
    /** The graph file; made where it is missing. */
    file: string;
    /** Null for a dry run, which keeps nothing that would need a secret. */
    vault: Vault | null;
    inputs: ImportInput[];
    /** ISO country in which numbers and addresses without a country are read. */
    region: string;
    /** CSV columns: `name=Full Name,email=Mail`. */
    map?: string;
    /** Where to write what could not be used, one JSON line each; made only when there is something to write. */
    rejects?: string;
    onProgress?: (progress: ImportProgress) => void;
}
export interface ImportProgress {
    phase: 'reading' | 'linking' | 'publishing';
    records: number;
    /** Share of this phase that is done, 0-1; null where the size of the input is unknown. */
    done: number | null;
}
/** What the columns of one CSV input were taken for; null where one is not used. */
export interface ReadColumns {
    input: string;
    columns: {
        header: string;
        field: ColumnField | null;
    }[];
}
export interface ImportSummary {
    read: number;
    added: number;
    replaced: number;
    /** Records that could not be used at all. */
    rejected: number;
    /** Single values that could not be used, in records that were. */
    dropped: number;
    identities: number;
    records: number;
    rejectsFile: string | null;
    /** One for each CSV input. */
    columns: ReadColumns[];
    /** The first few of what could not be used. */
    firstRejects: Reject[];
    seconds: {
        reading: number;
        linking: number;
    };
}
/**
 * Imports records, links all records of the graph anew and publishes the identities. An import that is interrupted leaves the
 * published graph as it was; running it again carries on, because a record with the same source and record id is replaced.
 *
 * Errors: those of `openDatabase`, `unreadable_file`, `invalid_arguments` (a column map that does not fit).
 */
export declare function importRecords(options: ImportOptions): Promise<ImportSummary>;
