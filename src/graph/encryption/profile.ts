// Encrypted profile of an identity: its names, the signatures by which values with a typo are found, and hashes of birth dates.
import type { BirthDateHashes, StoredTypoSearchData } from '../resolve/reader.ts';
import type { DataCipher } from './cipher.ts';

export interface IdentityProfile {
  names: string[];
  signatures: StoredTypoSearchData[];
  births: BirthDateHashes[];
}

/** Decrypted profile of an identity: its names, and the hashes by which its values are compared. Each function decodes one part. */
export interface DecryptedIdentityProfile {
  readNames(): string[];
  readSignatures(): StoredTypoSearchData[];
  /** Returns the hashes of the identity's birth dates; empty for profiles of older versions of Bonafide, which contain none. */
  readBirthDateHashes(): BirthDateHashes[];
}

/** Encrypts and decrypts the profiles of identities. Errors of decryption: `damaged_database`. */
export interface ProfileCipher {
  encrypt(profile: IdentityProfile): Buffer;
  decrypt(sealed: Buffer): DecryptedIdentityProfile;
}

/** A profile is padded to a multiple of this number of bytes, which hides the length of the names. */
const PADDING = 16;
const KINDS = ['email', 'address'] as const;
/** Maximum number of bytes of an encoded count or length. */
const MAX_COUNT_BYTES = 5;
/** Number of bytes of an encoded fingerprint, which has 52 bits. */
const FINGERPRINT_BYTES = 7;

export function createProfileCipher(
  cipher: Pick<DataCipher, 'encryptBytes' | 'decryptBytes'>,
): ProfileCipher {
  return {
    encrypt: (profile) => cipher.encryptBytes(encodeProfile(profile)),
    decrypt(sealed) {
      const bytes = cipher.decryptBytes(sealed);
      return {
        readNames: () => decodeNames(new ProfileReader(bytes)),
        readSignatures() {
          const reader = new ProfileReader(bytes);
          decodeNames(reader);
          return decodeSignatures(reader);
        },
        readBirthDateHashes() {
          const reader = new ProfileReader(bytes);
          decodeNames(reader);
          decodeSignatures(reader);
          return decodeBirthDateHashes(reader);
        },
      };
    },
  };
}

/**
 * Encodes a profile as bytes: counts and lengths as varint, fingerprints in 7 bytes, fingerprints of letter pairs in 2 bytes (little-endian). Birth
 * dates come last, so that a profile without them is the same as in older versions.
 */
function encodeProfile({ names, signatures, births }: IdentityProfile): Buffer {
  let most = 3 * MAX_COUNT_BYTES + 3 * births.length + PADDING;
  for (const name of names) most += MAX_COUNT_BYTES + Buffer.byteLength(name);
  for (const { grams } of signatures) most += 2 * MAX_COUNT_BYTES + FINGERPRINT_BYTES + 2 * grams.length;
  const bytes = Buffer.alloc(most);
  let end = 0;
  const writeCount = (count: number) => {
    let rest = count;
    for (; rest > 0x7f; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80;
    bytes[end++] = rest;
  };
  writeCount(names.length);
  for (const name of names) {
    writeCount(Buffer.byteLength(name));
    end += bytes.write(name, end);
  }
  writeCount(signatures.length);
  for (const { kind, exactPart, grams } of signatures) {
    writeCount(KINDS.indexOf(kind));
    end = bytes.writeUInt32LE(exactPart % 2 ** 32, end);
    end = bytes.writeUIntLE(Math.floor(exactPart / 2 ** 32), end, FINGERPRINT_BYTES - 4);
    writeCount(grams.length);
    for (const gram of grams) end = bytes.writeUInt16LE(gram, end);
  }
  if (births.length > 0) writeCount(births.length);
  for (const mark of births) for (const part of mark) bytes[end++] = part;
  return bytes.subarray(0, Math.ceil(end / PADDING) * PADDING);
}

function decodeNames(reader: ProfileReader): string[] {
  return reader.readList(() => reader.readText());
}

function decodeSignatures(reader: ProfileReader): StoredTypoSearchData[] {
  return reader.readList(() => ({
    kind: KINDS[reader.readCount()] ?? 'email',
    exactPart: reader.readFingerprint(),
    grams: reader.readList(() => reader.readGram()),
  }));
}

function decodeBirthDateHashes(reader: ProfileReader): BirthDateHashes[] {
  return reader.readList(() => [reader.readByte(), reader.readByte(), reader.readByte()]);
}

/** Decodes the parts of an encoded profile one after the other. */
class ProfileReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  readByte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  readCount(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.readByte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  /** Reads a list: its length, then each item with `readItem`. Throws a RangeError if the profile is too short for the list. */
  readList<T>(readItem: () => T): T[] {
    const items: T[] = [];
    const length = this.readCount();
    // Each item has at least one byte.
    if (length > 0 && length > this.#bytes.length - this.#at)
      throw new RangeError('The profile of an identity is truncated.');
    while (items.length < length) items.push(readItem());
    return items;
  }

  readText(): string {
    const length = this.readCount();
    return this.#bytes.toString('utf8', this.#at, (this.#at += length));
  }

  readFingerprint(): number {
    this.#at += FINGERPRINT_BYTES;
    return this.#bytes.readUIntLE(this.#at - 3, 3) * 2 ** 32 + this.#bytes.readUInt32LE(this.#at - 7);
  }

  readGram(): number {
    return this.readByte() + this.readByte() * 0x100;
  }
}
