import { type Fingerprints, createFingerprints } from './fingerprints.ts';
import { type DataCipher, createDataCipher } from './cipher.ts';
import { type IdentityHintMaker, createIdentityHintMaker } from './hints.ts';
import { createProfileCipher, type ProfileCipher } from './profile.ts';

/** Everything that is derived from the secret of a graph. */
export interface GraphKeys {
  /** The secret of the graph: 64 hex characters. */
  secret: string;
  fingerprints: Fingerprints;
  cipher: DataCipher;
  profiles: ProfileCipher;
  hints: IdentityHintMaker;
}

export function deriveGraphKeys(secret: string): GraphKeys {
  const cipher = createDataCipher(secret);
  return {
    secret,
    fingerprints: createFingerprints(secret),
    cipher,
    profiles: createProfileCipher(cipher),
    hints: createIdentityHintMaker(secret),
  };
}

/** Returns the fingerprint by which a graph detects that its secret is another one. */
export const computeGraphSecretCheck = (fingerprints: Fingerprints) =>
  fingerprints.of('check', 'bonafide graph').toString();
