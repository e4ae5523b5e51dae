interface WordTables {
    titles: Set<string>;
    /** Titles that are names as well (King, Major): dropped only in front of a whole name. */
    softTitles: Set<string>;
    degrees: Set<string>;
    /** Degrees that are names as well (Do, Ma): dropped only behind a comma. */
    softDegrees: Set<string>;
    particles: Set<string>;
    suffixes: Map<string, string>;
}
/** The word lists, read on first use. */
export declare function wordTables(): WordTables;
export {};
