import { type Fingerprints, createFingerprints } from './fingerprints.ts';
import { type Sealing, createSealing } from './sealing.ts';
import { type HintMaker, createHintMaker } from './hints.ts';
import { createProfileSealing, type ProfileSealing } from './profile.ts';

/** Everything that is derived from the secret of a graph. */
export interface GraphKeys {
  /** The secret of the graph: 64 hex characters. */
  secret: string;
  fingerprints: Fingerprints;
  sealing: Sealing;
  profiles: ProfileSealing;
  hints: HintMaker;
}

export function deriveGraphKeys(secret: string): GraphKeys {
  const sealing = createSealing(secret);
  return {
    secret,
    fingerprints: createFingerprints(secret),
    sealing,
    profiles: createProfileSealing(sealing),
    hints: createHintMaker(secret),
  };
}

/** Returns the fingerprint by which a graph detects that its secret is another one. */
export const graphSecretCheck = (fingerprints: Fingerprints) =>
  fingerprints.of('check', 'bonafide graph').toString();
