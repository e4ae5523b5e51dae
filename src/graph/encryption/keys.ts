import type { Awaitable } from '../../model.ts';
import {
  type FingerprintFunctions,
  type FingerprintFunctionsOfAllSecrets,
  createFingerprintFunctionsFromKey,
  createFingerprintFunctions,
} from './fingerprints.ts';
import { type DataCipher, createDataCipher } from './cipher.ts';
import { type IdentityPrefilterHashEncoder, createIdentityFilterHashEncoder } from './hints.ts';
import { createProfileCipher, type ProfileCipher } from './profile.ts';

/** Ciphers and fingerprint functions under the secret of a graph. */
export interface GraphCiphersAndFingerprints {
  /** Secret of the graph: 64 hexadecimal characters. */
  secret: string;
  fingerprints: FingerprintFunctions;
  cipher: DataCipher;
  profiles: ProfileCipher;
  hints: IdentityPrefilterHashEncoder;
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

/** Returns a value by which a graph recognises that a secret is the wrong one. */
export const computeGraphSecretCheckValue = (fingerprints: FingerprintFunctions) =>
  fingerprints.of('check', 'bonafide graph').toString();

/** Place where an engine stores one text: the list of a graph's previous secrets, encrypted and in base64. */
export interface EarlierSecretStorage {
  /** Returns the stored text; null if the secret was never changed. */
  read(): Awaitable<string | null>;
  write(text: string): Awaitable<void>;
}

/** Previous secrets of a graph. Marks of the suppression list, and computed record ids, can depend on them. */
export interface EarlierSecrets {
  /** Returns the key of `deriveFingerprintKey` for each previous secret, oldest first. */
  list(): Promise<string[]>;
  /** Replaces the stored keys of all previous secrets by `keys`. Does nothing if there are neither stored nor new keys. */
  replace(keys: string[]): Promise<void>;
  /** Returns the fingerprint functions under the present secret, then under each previous one, oldest first. */
  allFingerprints(): Promise<FingerprintFunctionsOfAllSecrets>;
}

export function createEarlierSecrets(
  storage: EarlierSecretStorage,
  { cipher, fingerprints }: Pick<GraphCiphersAndFingerprints, 'cipher' | 'fingerprints'>,
): EarlierSecrets {
  let cached: { text: string | null; all: FingerprintFunctionsOfAllSecrets } = {
    text: null,
    all: [fingerprints],
  };
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
