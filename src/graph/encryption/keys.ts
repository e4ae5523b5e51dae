import { type FingerprintFunctions, createFingerprintFunctions } from './fingerprints.ts';
import { type DataCipher, createDataCipher } from './cipher.ts';
import { type IdentityFilterHashEncoder, createIdentityFilterHashEncoder } from './hints.ts';
import { createProfileCipher, type ProfileCipher } from './profile.ts';

/** Ciphers and fingerprint functions that are derived from the secret of a graph. */
export interface GraphCiphersAndFingerprints {
  /** Secret of the graph: 64 hexadecimal characters. */
  secret: string;
  fingerprints: FingerprintFunctions;
  cipher: DataCipher;
  profiles: ProfileCipher;
  hints: IdentityFilterHashEncoder;
}

export function deriveGraphCiphersAndFingerprints(secret: string): GraphCiphersAndFingerprints {
  const cipher = createDataCipher(secret);
  return {
    secret,
    fingerprints: createFingerprintFunctions(secret),
    cipher,
    profiles: createProfileCipher(cipher),
    hints: createIdentityFilterHashEncoder(secret),
  };
}

/** Returns a derived value that a graph stores to detect a wrong secret. */
export const computeGraphSecretCheckValue = (fingerprints: FingerprintFunctions) =>
  fingerprints.of('check', 'bonafide graph').toString();
