import { type IdentityGraph } from '../graph.ts';
import type { Vault } from '../vault.ts';
/**
 * The embedded engine: one SQLite file, read by prepared statements inside one read transaction for all checks of a turn of the
 * event loop (a transaction costs more than the look-ups in it).
 * Errors on opening: those of `openDatabase`. Errors of `resolve`: `graph_unavailable`, `damaged_database`.
 */
export declare function openSqliteGraph(options: {
    file: string;
    vault: Vault;
    create?: boolean;
}): IdentityGraph;
