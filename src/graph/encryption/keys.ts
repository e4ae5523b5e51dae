import type { Awaitable } from '../../model.ts';
import {
  type FingerprintFunctions,
  type FingerprintsOfAllSecrets,
  createFingerprintFunctionsFromKey,
  createFingerprintFunctions,
} from './fingerprints.ts';
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

/** Storage of one text: the encrypted list of a graph's previous secrets, in base64. */
export interface EarlierSecretStorage {
  /** Returns null if the secret never changed. */
  read(): Awaitable<string | null>;
  write(text: string): Awaitable<void>;
}

/** Previous secrets of a graph. Suppression marks and computed record ids can depend on them. */
export interface EarlierSecrets {
  /** Returns the fingerprint key of each secret (see `deriveFingerprintKey`), oldest first. */
  list(): Promise<string[]>;
  /** Replaces the list. Does nothing if both lists are empty. */
  replace(keys: string[]): Promise<void>;
  /** Returns the fingerprint functions for the present secret, then for each previous secret, oldest first. */
  allFingerprints(): Promise<FingerprintsOfAllSecrets>;
}

export function createEarlierSecrets(
  storage: EarlierSecretStorage,
  { cipher, fingerprints }: Pick<GraphCiphersAndFingerprints, 'cipher' | 'fingerprints'>,
): EarlierSecrets {
  let cached: { text: string | null; all: FingerprintsOfAllSecrets } = { text: null, all: [fingerprints] };
  const decode = (text: string | null): string[] =>
    text === null ? [] : (JSON.parse(cipher.decrypt(Buffer.from(text, 'base64'))) as string[]);
  return {
    list: async () => decode(await storage.read()),
    async replace(keys) {
      if (keys.length === 0 && (await storage.read()) === null) return;
      await storage.write(cipher.encrypt(JSON.stringify(keys)).toString('base64'));
    },
    async allFingerprints() {
      const text = await storage.read();
      if (text !== cached.text)
        cached = { text, all: [fingerprints, ...decode(text).map(createFingerprintFunctionsFromKey)] };
      return cached.all;
    },
  };
}
