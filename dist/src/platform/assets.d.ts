/** Folder of the name tables, one text file each. */
export declare const NAME_TABLES: string;
/** Folder of the sample graph and the request that goes with it. */
export declare const SAMPLE: string;
/** Folder of the pages of documentation, one Markdown file a subject. */
export declare const DOCS: string;
/** Folder of the plugins that come with Bonafide, one folder each. */
export declare const BUILTIN_PLUGINS: string;
/** Folder of the store's migrations, as drizzle-kit wrote them. */
export declare const STORE_MIGRATIONS: string;
/** A module of Bonafide's own as a file, for a worker or a loader: `store/sqlite/writer`, below `src` and without its ending. */
export declare function codeFile(module: string): string;
/** The version that package.json gives. */
export declare function packageVersion(): string;
