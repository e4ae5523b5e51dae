import type { Db } from '../../platform/sqlite.ts';
import { createFingerprints } from '../encryption/fingerprints.ts';
import { graphSecretCheck } from '../encryption/keys.ts';
import { readMeta } from './meta.ts';

/** Does a secret (64 hex characters) belong to a graph, of whatever version? */
export function isSecretOf(db: Db, secret: string): boolean {
  return readMeta(db, 'secret_check') === graphSecretCheck(createFingerprints(secret.toLowerCase()));
}
