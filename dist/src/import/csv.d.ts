import { type Line } from './lines.ts';
import type { RawRecord } from './record.ts';
/** A CSV row as a raw record, or why it is none. `line` is where the row starts. */
export interface CsvRow {
    line: number;
    raw?: RawRecord;
    problem?: string;
}
/**
 * Turns lines into rows by RFC 4180, with a forgiving eye: quotes count only at the start of a cell, rows may be
 * short or long, and a quote that is never closed costs its own line, not the rest of the file. The delimiter is the commonest of comma, semicolon,
 * tab and bar in the header.
 */
export declare class CsvReader {
    private readonly options;
    private readonly onColumns;
    private columns;
    private delimiter;
    /** Lines of a row whose quoted cell is still open, and the row so far. */
    private open;
    private openLength;
    private cells;
    /** @param onColumns told at the header what each column was taken for */
    constructor(options: {
        name: string;
        map?: string;
    }, onColumns?: CsvReader['onColumns']);
    /** Errors: `invalid_arguments`, at the header; see `readColumns`. */
    push(lines: Line[]): CsvRow[];
    /** What is left at the end of the file. */
    end(): CsvRow[];
    private take;
    /** The first open line was not to be closed: it is a problem, and those behind it are read anew. */
    private giveUp;
    private row;
}
