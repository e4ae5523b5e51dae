import type { Db } from '../../platform/sqlite.ts';
import { type Fingerprints, fingerprintsOf } from '../fingerprints.ts';
import { type Sealing, sealingOf } from '../sealing.ts';
import { readMeta } from './meta.ts';
import { type HintMaker, hintMaker } from './sealed/hints.ts';
import { profileSealing, type ProfileSealing } from './sealed/profile.ts';

/** What a graph keeps its values under. */
export interface GraphKeys {
  fingerprints: Fingerprints;
  sealing: Sealing;
  profiles: ProfileSealing;
  hints: HintMaker;
}

/** @param secret 64 hex characters */
export function graphKeys(secret: string): GraphKeys {
  const sealing = sealingOf(secret);
  return {
    fingerprints: fingerprintsOf(secret),
    sealing,
    profiles: profileSealing(sealing),
    hints: hintMaker(secret),
  };
}

/** What a graph keeps to know its secret by. */
export const checkOf = (fingerprints: Fingerprints) => fingerprints.of('check', 'bonafide graph').toString();

/** Does a secret (64 hex characters) belong to a graph, of whatever version? */
export function isSecretOf(db: Db, secret: string): boolean {
  return readMeta(db, 'secret_check') === checkOf(fingerprintsOf(secret.toLowerCase()));
}
