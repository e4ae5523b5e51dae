// Filter hashes (column `hints`): short hashes of an identity's look-up keys and typo signatures. They exclude, without decryption or look-up, most
// identities that cannot match a query. The column also contains the ages of old contacts.
//
// Stored form: the number of part hashes (1 byte), the part hashes (2 bytes each), then one byte per look-up key, ascending; if the identity has old
// contacts, a zero byte and their ages (see contact-ages.ts).
import { deriveKeyFromSecret } from './fingerprints.ts';

/**
 * Short hashes of one identity's values, and the ages of its old contacts. Most identities that cannot match a query are excluded by the hashes,
 * without reading more. Each character is one byte.
 */
export interface IdentityPrefilterHashes {
  partHashes: string;
  keyBytes: string;
  contactAges: string;
}

export interface IdentityPrefilterHashEncoder {
  /** Encodes the filter hashes of an identity, from its data for typo searches (`exactParts`) and its look-up keys, and the ages of its contacts. */
  encode(of: { identity: number; exactParts: number[]; keys: Iterable<number>; contactAges: string }): Buffer;
  /**
   * False if the identity certainly has no value with one of these exact parts (see `TypoSearchData.exactPart`). True if it may have one; true is
   * rarely wrong.
   */
  mayHaveExactPart(identity: number, partHashes: string, exactParts: number[]): boolean;
}

export function parseIdentityPrefilterHashes(bytes: Buffer | undefined): IdentityPrefilterHashes {
  const text = bytes?.toString('latin1') ?? '\0';
  const start = 1 + 2 * text.charCodeAt(0);
  // The bytes of look-up keys ascend, so that only the first can be zero.
  const zero = text.indexOf('\0', start + 1);
  const end = zero < 0 ? text.length : zero;
  return {
    partHashes: text.slice(1, start),
    keyBytes: text.slice(start, end),
    contactAges: text.slice(end + 1),
  };
}

/** Returns the filter character of a look-up key: its last 8 bits. One in 256 other look-up keys has the same character. */
export function toFilterCharacterOfLookupKey(key: number): string {
  return String.fromCharCode(key % 256);
}

const highBits = (number: number) => Math.floor(number / 2 ** 32);

/**
 * Creates the functions that compute and test filter hashes under a secret (64 hexadecimal characters). The identity number is part of the hashed
 * input, so that equal values of two identities have different hashes.
 */
export function createIdentityFilterHashEncoder(secret: string): IdentityPrefilterHashEncoder {
  const hash = createHalfSipHash(deriveKeyFromSecret(secret, 'bonafide marks 1'));
  const partHash = (identity: number, exactPart: number) =>
    hash(identity | 0, highBits(identity), exactPart | 0, highBits(exactPart)) & 0xffff;
  return {
    encode({ identity, exactParts, keys, contactAges }) {
      const hasKeyByte = new Uint8Array(256);
      for (const key of keys) hasKeyByte[key % 256] = 1;
      const bytes = Buffer.alloc(1 + 2 * exactParts.length + hasKeyByte.length + 1 + contactAges.length);
      let end = bytes.writeUInt8(exactParts.length);
      for (const exactPart of exactParts) end = bytes.writeUInt16BE(partHash(identity, exactPart), end);
      for (let byte = 0; byte < hasKeyByte.length; byte++) if (hasKeyByte[byte] === 1) bytes[end++] = byte;
      if (contactAges !== '') end += 1 + bytes.write(contactAges, end + 1, 'latin1');
      return bytes.subarray(0, end);
    },
    mayHaveExactPart(identity, partHashes, exactParts) {
      if (partHashes === '') return false;
      return exactParts.some((exactPart) => {
        const hash = partHash(identity, exactPart);
        for (let at = 0; at < partHashes.length; at += 2)
          if (partHashes.charCodeAt(at) * 256 + partHashes.charCodeAt(at + 1) === hash) return true;
        return false;
      });
    },
  };
}

type Words = [a: number, b: number, c: number, d: number];

/**
 * Creates a HalfSipHash-2-4 function, a keyed hash (github.com/veorq/SipHash). Its input has 16 bytes: four little-endian 32-bit words.
 * @param key only the first 8 bytes are used
 */
export function createHalfSipHash(key: Buffer): (...words: Words) => number {
  const [k0, k1] = [key.readInt32LE(0), key.readInt32LE(4)];
  const state = new Int32Array(4);
  return (a, b, c, d) => {
    state.set([k0, k1, 0x6c796765 ^ k0, 0x74656462 ^ k1]);
    absorb(state, a);
    absorb(state, b);
    absorb(state, c);
    absorb(state, d);
    // Last word: the length of the input in its highest byte.
    absorb(state, 16 << 24);
    state[2] = (state[2] ?? 0) ^ 0xff;
    rounds(state, 4);
    return ((state[1] ?? 0) ^ (state[3] ?? 0)) >>> 0;
  };
}

function absorb(state: Int32Array, word: number): void {
  state[3] = (state[3] ?? 0) ^ word;
  rounds(state, 2);
  state[0] = (state[0] ?? 0) ^ word;
}

function rounds(state: Int32Array, count: number): void {
  let v0 = state[0] ?? 0;
  let v1 = state[1] ?? 0;
  let v2 = state[2] ?? 0;
  let v3 = state[3] ?? 0;
  for (let i = 0; i < count; i++) {
    v0 = (v0 + v1) | 0;
    v1 = rotateLeft(v1, 5) ^ v0;
    v0 = rotateLeft(v0, 16);
    v2 = (v2 + v3) | 0;
    v3 = rotateLeft(v3, 8) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = rotateLeft(v3, 7) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = rotateLeft(v1, 13) ^ v2;
    v2 = rotateLeft(v2, 16);
  }
  state[0] = v0;
  state[1] = v1;
  state[2] = v2;
  state[3] = v3;
}

const rotateLeft = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));
