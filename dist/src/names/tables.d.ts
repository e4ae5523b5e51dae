/** Text of one shipped table, by file name. */
export declare function readTable(name: string): string;
/** Text of an operator's own table. @throws BonafideError file_not_found, unreadable_file */
export declare function readOwnTable(path: string): string;
/** Lines of a table without comments (`#` to the end of the line) and empty lines. */
export declare function tableLines(text: string): string[];
