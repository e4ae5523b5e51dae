import { type Fingerprints, createFingerprintFunctions } from './fingerprints.ts';
import { type DataCipher, createDataCipher } from './cipher.ts';
import { type IdentityHintEncoder, createIdentityHintEncoder } from './hints.ts';
import { createProfileCipher, type ProfileCipher } from './profile.ts';

/** Keys and functions that are derived from the secret of a graph. */
export interface GraphKeys {
  /** Secret of the graph: 64 hexadecimal characters. */
  secret: string;
  fingerprints: Fingerprints;
  cipher: DataCipher;
  profiles: ProfileCipher;
  hints: IdentityHintEncoder;
}

export function deriveGraphKeys(secret: string): GraphKeys {
  const cipher = createDataCipher(secret);
  return {
    secret,
    fingerprints: createFingerprintFunctions(secret),
    cipher,
    profiles: createProfileCipher(cipher),
    hints: createIdentityHintEncoder(secret),
  };
}

/** Returns the check value by which a graph detects a wrong secret. */
export const computeGraphSecretCheck = (fingerprints: Fingerprints) =>
  fingerprints.of('check', 'bonafide graph').toString();
