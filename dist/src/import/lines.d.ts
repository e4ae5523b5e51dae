/** One line of a text file, without its line end: either its text or why it has none. Counted from 1. */
export interface Line {
    line: number;
    text: string;
    problem?: string;
}
/** A longer line is told as a problem and passed over, so that memory stays bounded. */
export declare const MAX_LINE_BYTES: number;
/**
 * Cuts bytes into lines, a batch for each chunk that comes in. Line ends are `\n` or `\r\n`, or `\r` in a file that
 * starts without any `\n`; a byte order mark is dropped.
 */
export declare function readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]>;
