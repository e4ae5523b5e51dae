import type { App } from '../app.ts';
import type { Config } from '../config.ts';
/** Where the demo works when nobody names a folder: apart from the folder of one's own records. */
export declare const DEMO_FOLDER = "data/demo";
/**
 * Imports the sample records into a folder that has no records yet; a folder that has them is left as it is.
 * Errors: mixed_records where the folder holds records of its own.
 */
export declare function fillDemoGraph(config: Config): Promise<void>;
/** Keeps records of one's own out of a folder that the demo filled. Errors: mixed_records. */
export declare function refuseDemoFolder(config: Config): void;
/**
 * The demo key of this data folder, with every scope. Its text is kept in the file `demo-key` (mode 0600), the one
 * place where a key is ever kept, so that starting again prints the same line.
 */
export declare function demoKey({ config, store }: App): string;
/** A curl line for a POSIX shell. */
export declare function curlLine(url: string, key: string): string;
