import type { IdentityGraph } from '../graph.ts';
/** The graph file of a data folder. */
export declare function graphFile(dataDir: string): string;
/**
 * Opens the embedded graph of a data folder; makes secret and file where the folder is new.
 * Errors: those of `loadSecret` and `openDatabase`.
 */
export declare function openGraph({ dataDir, secret }: {
    dataDir: string;
    secret?: string;
}): IdentityGraph;
