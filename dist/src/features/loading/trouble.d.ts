/** Half a sentence on why a file could not be loaded, with file and line where its syntax is wrong. */
export declare function troubleOf(error: unknown, file: string): string;
