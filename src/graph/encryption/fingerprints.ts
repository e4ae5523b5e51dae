import { hash, hkdfSync } from 'node:crypto';
import type { LookupKeyType, TypoSearchData } from '../../model.ts';
import { createBoundedCache } from '../../link/bounded-cache.ts';

/**
 * Functions that compute keyed hashes (fingerprints), which a graph stores instead of readable values. Without the secret, a hash reveals nothing.
 */
export interface FingerprintFunctions {
  /** Returns the 52-bit fingerprint of a text, as an integer. */
  of(type: LookupKeyType | KeyOnly, text: string): number;
  /** Returns the 16-byte fingerprint of a record's source and record id. */
  ofRecord(source: string, recordId: string): Buffer;
  /** Computes a record id (32 hexadecimal digits) from the text of a record without an id. Imports use the functions of the graph's first secret. */
  generateRecordId(text: string): string;
  /** Returns the 16-bit fingerprints of a text's letter pairs, sorted. Two texts that differ by a typo share most fingerprints. */
  grams(text: string): number[];
}

/** Fingerprint functions for the present secret of a graph, then those for its previous secrets, oldest first. */
export type FingerprintsOfAllSecrets = readonly [FingerprintFunctions, ...FingerprintFunctions[]];

/** Types of texts that are fingerprinted but are not look-up keys. The words are part of the hashed input. */
type KeyOnly = 'birth' | 'check' | 'anchor' | 'label' | 'place';

const MAX_CACHED_PAIRS = 100_000;

/** Derives an encryption or hash key of 32 bytes from the secret (64 hexadecimal characters) and a purpose, by HKDF (RFC 5869). */
export function deriveKeyFromSecret(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', purpose, 32));
}

/** Returns a derived value that a store saves to detect a wrong secret. It reveals nothing about the secret. */
export const computeStoreSecretCheckValue = (secret: string): string =>
  deriveKeyFromSecret(secret, 'bonafide store 1').toString('hex');

/**
 * Creates the fingerprint functions for a secret. A fingerprint is the first 52 bits of SHA-256 over a key and the value; HMAC would be
 * thirty times slower.
 */
export const createFingerprintFunctions = (secret: string): FingerprintFunctions =>
  createFingerprintFunctionsFromKey(deriveFingerprintKey(secret));

/** Derives the key of the fingerprints from the secret (64 hexadecimal characters). */
export const deriveFingerprintKey = (secret: string): string =>
  deriveKeyFromSecret(secret, 'bonafide fingerprint 1').toString('hex');

/** Creates the fingerprint functions for a fingerprint key, which is hashed before each text. */
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
 * Creates a function that converts the fingerprint of a look-up key to the 47-bit fingerprint that watches store. It uses a separate secret key, so
 * that watches cannot be matched with the graph.
 */
export function createWatchKeyFingerprinter(secret: string): (key: number) => number {
  const prefix = deriveKeyFromSecret(secret, 'bonafide watch keys 1').toString('hex');
  return (key) => Math.floor(first52Bits(hash('sha256', prefix + key, 'binary')) / 2 ** 5);
}

const ASCII = 128;
const UNKNOWN = -1;

/** Creates a cache for the fingerprints of letter pairs. Pairs of ASCII letters, which are nearly all, are in a table. */
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
 * Returns the fingerprint of the exact part of a typo signature: the part that may have no typing error, such as house number and place of an
 * address.
 */
export function fingerprintExactTypoSearchPart(
  fingerprints: FingerprintFunctions,
  { kind, exactPart }: TypoSearchData,
): number {
  return fingerprints.of('anchor', `${kind}|${exactPart}`);
}

/** Converts the first 52 bits of a hash to an integer, first byte highest. Multiplies, because bitwise operators keep only 32 bits. */
function first52Bits(bytes: string): number {
  const high = (bytes.charCodeAt(0) * 0x100 + bytes.charCodeAt(1)) * 0x100 + bytes.charCodeAt(2);
  const low = (bytes.charCodeAt(3) * 0x100 + bytes.charCodeAt(4)) * 0x100 + bytes.charCodeAt(5);
  return (high * 0x100_0000 + low) * 0x10 + (bytes.charCodeAt(6) >> 4);
}
