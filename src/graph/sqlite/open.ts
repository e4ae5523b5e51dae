import { join } from 'node:path';
import type { IdentityGraph } from '../graph.ts';
import { loadSecret } from '../secret.ts';
import { openVault } from '../vault.ts';
import { openSqliteGraph } from './engine.ts';

/** The graph file of a data folder. */
export function graphFile(dataDir: string): string {
  return join(dataDir, 'graph.db');
}

/**
 * Opens the embedded graph of a data folder; makes secret and file where the folder is new.
 * Errors: those of `loadSecret` and `openDatabase`.
 */
export function openGraph({ dataDir, secret }: { dataDir: string; secret?: string }): IdentityGraph {
  return openSqliteGraph({ file: graphFile(dataDir), vault: openVault(loadSecret(dataDir, secret)) });
}
