import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { RecordGraph } from '../graph.ts';
import { canMakeGraph, remade } from '../../platform/held.ts';
import { loadSecret } from '../encryption/secret.ts';
import { openSqliteGraph } from './engine.ts';
import { connectToRead, type Db, translated } from '../../platform/sqlite.ts';
import { deriveGraphKeys } from '../encryption/keys.ts';
import { recordsFile } from './database.ts';
import { readEarlierFingerprints } from './rekey.ts';
import { RECORDS } from './schema.ts';
import type { GraphErasing } from '../capabilities.ts';
import { createSuppressionList } from '../sql/suppression-list.ts';
import { createSqliteSession } from './session.ts';

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

// Who was forgotten, asked without changing anything.
export interface ForgottenHere {
  /** Under which records are to be read that are asked about. */
  secret: string;
  checkSuppressed: GraphErasing['checkSuppressed'];
  close(): void;
}

/**
 * Those of a data folder; null where nobody was forgotten in it. Nothing is made, and no file changed.
 * Errors: those of `loadSecret`, and of a database that cannot be read.
 */
export function openForgotten(dataDir: string, given?: string): ForgottenHere | null {
  const file = recordsFile(graphFile(dataDir));
  if (!existsSync(file)) return null;
  const { secret, fingerprints, sealing } = deriveGraphKeys(loadSecret(dataDir, given));
  const db = connectToRead(file, RECORDS);
  const opened = () => {
    if (!anybody(db)) return null;
    const all = [fingerprints, ...readEarlierFingerprints(db, sealing)];
    const { countMatches } = createSuppressionList(createSqliteSession(db, file), all);
    return { secret, checkSuppressed: countMatches, close: () => void db.close() };
  };
  const found = translated(file, opened, RECORDS);
  if (found === null) db.close();
  return found;
}

const anybody = (db: Db) => db.prepare('SELECT 1 FROM forgotten LIMIT 1').get() !== undefined;
