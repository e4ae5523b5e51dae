import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { RecordGraph } from '../graph.ts';
import { canMakeGraph, remade } from '../../platform/held.ts';
import { loadSecret } from '../encryption/secret.ts';
import { openSqliteGraph } from './engine.ts';

export interface OpenGraphOptions {
  dataDir: string;
  /** From the environment; else the one in the folder. */
  secret?: string | undefined;
  /** Make secret and file where the folder is new; they are unless this is false. */
  create?: boolean;
  /** Keep whole records, sealed. */
  keepsWhole?: boolean | undefined;
  /** Use a copy that is not whole. */
  allowUnfinishedCopy?: boolean | undefined;
}

/** The graph file of a data folder. */
export function graphFile(dataDir: string): string {
  return join(dataDir, 'graph.db');
}

/**
 * Opens the embedded graph of a data folder.
 * Errors: those of `loadSecret` and `openDatabase`; `graph_unavailable` where there is none and none is to be made, `data_missing` where it
 * can be made again; those of `openSqliteGraph`.
 */
export function openGraph(options: OpenGraphOptions): RecordGraph {
  const { dataDir, secret, keepsWhole, allowUnfinishedCopy: unfinished, create = true } = options;
  const file = graphFile(dataDir);
  if (!create && canMakeGraph(dataDir)) throw remade(dataDir);
  if (!create && !existsSync(file))
    throw new BonafideError('graph_unavailable', `There is no graph in ${dataDir}: import records first.`);
  return openSqliteGraph({
    file,
    secret: loadSecret(dataDir, secret),
    create,
    keepsWhole,
    allowUnfinishedCopy: unfinished,
  });
}
