import { hash, hkdfSync } from 'node:crypto';
import type { LookupKeyType, TypoSearchData } from '../../model.ts';
import { createBoundedCache } from '../../link/bounded-cache.ts';

/**
 * Functions that compute fingerprints: keyed hashes that a graph stores instead of readable values. Without the secret, a fingerprint reveals
 * nothing.
 */
export interface FingerprintFunctions {
  /** Returns the fingerprint of a text, an integer of 52 bits. */
  of(type: LookupKeyType | KeyOnly, text: string): number;
  /** Returns the fingerprint of a record's source and record id, 16 bytes. */
  ofRecord(source: string, recordId: string): Buffer;
  /**
   * Computes a record id (32 hexadecimal digits) from the text of a record without an id. Imports always compute it under the graph's first secret.
   */
  generateRecordId(text: string): string;
  /** Returns the fingerprints of all letter pairs of a text, 16 bits each, sorted. Two texts that differ by a typing error share most of them. */
  grams(text: string): number[];
}

/** Fingerprint functions under the present secret of a graph, then those under its previous secrets, oldest first. */
export type FingerprintFunctionsOfAllSecrets = readonly [FingerprintFunctions, ...FingerprintFunctions[]];

/** Types of texts that have fingerprints, but are not look-up keys. The words are part of the hashed input. */
type KeyOnly = 'birth' | 'check' | 'anchor' | 'label' | 'place';

const MAX_CACHED_PAIRS = 100_000;

/** Derives a key of 32 bytes from the secret (64 hexadecimal characters), for encryption or hashing with a certain purpose. By HKDF (RFC 5869). */
export function deriveKeyFromSecret(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', purpose, 32));
}

/** Returns a value by which a store recognises that a secret is the wrong one. It reveals nothing about the secret. */
export const computeStoreSecretCheckValue = (secret: string): string =>
  deriveKeyFromSecret(secret, 'bonafide store 1').toString('hex');

/**
 * Creates the fingerprint functions under a secret. A fingerprint is the first 52 bits of SHA-256 over a key and the value; HMAC would be thirty
 * times slower.
 */
export const createFingerprintFunctions = (secret: string): FingerprintFunctions =>
  createFingerprintFunctionsFromKey(deriveFingerprintKey(secret));

/** Derives the key from which fingerprints are computed from the secret (64 hexadecimal characters). */
export const deriveFingerprintKey = (secret: string): string =>
  deriveKeyFromSecret(secret, 'bonafide fingerprint 1').toString('hex');

/** Creates the fingerprint functions with the key of `deriveFingerprintKey`, which is hashed before each text. */
export function createFingerprintFunctionsFromKey(fingerprintKey: string): FingerprintFunctions {
  // 'binary' (one character per byte) is a third faster to make and to read than hex.
  const digest = (text: string) => hash('sha256', fingerprintKey + text, 'binary');
  const typePrefixes = new Map<string, string>();
  const typePrefix = (type: string) => {
    let start = typePrefixes.get(type);
    if (start === undefined) typePrefixes.set(type, (start = `${fingerprintKey}${type}\0`));
    return start;
  };
  const gram = createPairCache((pair) => {
    const bytes = digest(`gram\0${pair}`);
    return bytes.charCodeAt(0) * 0x100 + bytes.charCodeAt(1);
  });
  const ofRecord = (source: string, recordId: string) =>
    Buffer.from(digest(`record\0${source}\0${recordId}`).slice(0, 16), 'binary');
  return {
    of: (type, text) => first52Bits(hash('sha256', typePrefix(type) + text, 'binary')),
    ofRecord,
    generateRecordId: (text) => ofRecord('row', text).toString('hex'),
    grams(text) {
      const padded = ` ${text} `;
      // The native sort of a typed array takes a third of the time of inserting into a sorted list.
      const values = new Uint16Array(padded.length - 1);
      for (let i = 0; i < values.length; i++) values[i] = gram(padded, i);
      const grams: number[] = [];
      for (const value of values.sort()) if (value !== grams.at(-1)) grams.push(value);
      return grams;
    },
  };
}

/**
 * Creates a function that converts the fingerprint of a look-up key to the 47-bit fingerprint that is stored in watches. The function uses a secret
 * key of its own, so that stored watches cannot be matched with the graph.
 */
export function createWatchKeyFingerprinter(secret: string): (key: number) => number {
  const prefix = deriveKeyFromSecret(secret, 'bonafide watch keys 1').toString('hex');
  return (key) => Math.floor(first52Bits(hash('sha256', prefix + key, 'binary')) / 2 ** 5);
}

const ASCII = 128;
const UNKNOWN = -1;

/**
 * Creates a function that returns the fingerprint of the letter pair at an index of a text, from a cache. Pairs of ASCII letters, nearly all, are in
 * a table.
 */
function createPairCache(digest: (pair: string) => number): (text: string, index: number) => number {
  const table = new Int32Array(ASCII * ASCII).fill(UNKNOWN);
  const rarePairs = createBoundedCache(MAX_CACHED_PAIRS, digest);
  return (text, index) => {
    const [first, second] = [text.charCodeAt(index), text.charCodeAt(index + 1)];
    if (first >= ASCII || second >= ASCII) return rarePairs.get(text.slice(index, index + 2));
    const place = first * ASCII + second;
    let value = table[place] ?? UNKNOWN;
    if (value === UNKNOWN) table[place] = value = digest(text.slice(index, index + 2));
    return value;
  };
}

/**
 * Returns the fingerprint of the part of a value that must be equal when other parts may have a typing error, such as house number and place of an
 * address.
 */
export function fingerprintExactPart(
  fingerprints: FingerprintFunctions,
  { kind, exactPart }: TypoSearchData,
): number {
  return fingerprints.of('anchor', `${kind}|${exactPart}`);
}

/** Converts the first 52 bits of a hash to an integer, highest bits first. Multiplies, because bitwise operators keep only 32 bits. */
function first52Bits(bytes: string): number {
  const high = (bytes.charCodeAt(0) * 0x100 + bytes.charCodeAt(1)) * 0x100 + bytes.charCodeAt(2);
  const low = (bytes.charCodeAt(3) * 0x100 + bytes.charCodeAt(4)) * 0x100 + bytes.charCodeAt(5);
  return (high * 0x100_0000 + low) * 0x10 + (bytes.charCodeAt(6) >> 4);
}
