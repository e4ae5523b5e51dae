import type { ColumnField } from './columns.ts';
import { type ImportRecord } from './record.ts';
export interface ReadOptions {
    /** What errors call the input, and where its format and default source come from: a path, or `-`. */
    name: string;
    /** CSV columns: `name=Full Name,email=Mail`. */
    map?: string;
    /** ISO country in which phone numbers without a country code are read; `US` unless given. */
    region?: string;
    /** For records that name no source; the file's base name unless given. */
    source?: string;
    /** Told at the header of a CSV file what each column was taken for; null where it is not used. */
    onColumns?: (headers: string[], fields: (ColumnField | null)[]) => void;
}
/** One record of the input, or why it can't be used. No text in it holds a submitted value but `record` itself. */
export interface ReadItem {
    /** Where the record starts, counted from 1. */
    line: number;
    recordId: string | null;
    record?: ImportRecord;
    /** Why the whole record was rejected. */
    problem?: string;
    /** Single values that were left out of a usable record, one reason each. */
    dropped: string[];
}
/**
 * Reads records from JSON Lines or CSV, plain or gzip, in bounded memory and in the order of the input. Blank lines are passed over;
 * everything else comes out, as a record or as a problem.
 *
 * Errors: `unreadable_file` (damaged gzip, UTF-16, one JSON array), `invalid_arguments` (a column map that does not fit, no
 * column for the record id).
 */
export declare function readRecords(source: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<ReadItem>;
