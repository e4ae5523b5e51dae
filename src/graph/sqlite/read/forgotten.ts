// Who was forgotten, asked without changing anything.
import { existsSync } from 'node:fs';
import { connectToRead, type Db, translated } from '../../../platform/sqlite.ts';
import { loadSecret } from '../../encryption/secret.ts';
import { deriveGraphKeys } from '../../encryption/keys.ts';
import { graphFile } from '../open.ts';
import { recordsFile } from '../records-file.ts';
import { readEarlierFingerprints } from '../rekey.ts';
import { RECORDS } from '../schema.ts';
import type { GraphErasing } from '../../capabilities.ts';
import { createSuppressionList } from '../../sql/suppression-list.ts';
import { createSqliteSession } from '../session.ts';

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
