import { join } from 'node:path';
import { loadSecret } from '../secret.js';
import { openVault } from '../vault.js';
import { openSqliteGraph } from './engine.js';
/** The graph file of a data folder. */
export function graphFile(dataDir) {
    return join(dataDir, 'graph.db');
}
/**
 * Opens the embedded graph of a data folder; makes secret and file where the folder is new.
 * Errors: those of `loadSecret` and `openDatabase`.
 */
export function openGraph({ dataDir, secret }) {
    return openSqliteGraph({ file: graphFile(dataDir), vault: openVault(loadSecret(dataDir, secret)) });
}
