// Encrypted profile of an identity: its names, the signatures by which values with a typo are found, and hashes of birth dates.
import type { BirthDateHashes, StoredTypoSearchData } from '../resolve/reader.ts';
import type { DataCipher } from './cipher.ts';

export interface IdentityProfile {
  names: string[];
  signatures: StoredTypoSearchData[];
  births: BirthDateHashes[];
}

/** Encrypts and decrypts the profiles of identities. Errors of decryption: `damaged_database`. */
export interface ProfileCipher {
  encrypt(profile: IdentityProfile): Buffer;
  decryptNames(sealed: Buffer): string[];
  decryptSignatures(sealed: Buffer): StoredTypoSearchData[];
  /** Decrypts the hashes of an identity's birth dates. Returns an empty list for profiles of older versions of Bonafide, which contain none. */
  decryptBirthDateHashes(sealed: Buffer): BirthDateHashes[];
}

/** Block size in bytes: a profile is padded to a multiple of it, which hides the length of the names. */
const PADDING = 16;
const KINDS = ['email', 'address'] as const;
/** Number of bytes of an encoded fingerprint, which has 52 bits. */
const FINGERPRINT_BYTES = 7;

export function createProfileCipher(cipher: DataCipher): ProfileCipher {
  return {
    encrypt: (profile) => cipher.encryptBytes(encodeProfile(profile)),
    decryptNames: (sealed) => decodeNames(createReader(cipher.decryptBytes(sealed))),
    decryptSignatures(sealed) {
      const bytes = createReader(cipher.decryptBytes(sealed));
      decodeNames(bytes);
      return decodeSignatures(bytes);
    },
    decryptBirthDateHashes(sealed) {
      const bytes = createReader(cipher.decryptBytes(sealed));
      decodeNames(bytes);
      decodeSignatures(bytes);
      return decodeBirthMarks(bytes);
    },
  };
}

/**
 * Encodes a profile as bytes: counts and lengths as varint, fingerprints in 7 bytes, letter pairs in 2 bytes (little-endian). Birth dates are
 * last, so that a profile without them has the same form as in older versions.
 */
function encodeProfile({ names, signatures, births }: IdentityProfile): Buffer {
  const bytes: number[] = [];
  const writeCount = (count: number) => {
    for (let rest = count; ; rest >>>= 7) {
      if (rest <= 0x7f) return void bytes.push(rest);
      bytes.push((rest & 0x7f) | 0x80);
    }
  };
  const writeNumber = (number: number, length: number) => {
    for (let i = 0, rest = number; i < length; i++, rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  };
  writeCount(names.length);
  for (const name of names) {
    const text = Buffer.from(name);
    writeCount(text.length);
    for (const byte of text) bytes.push(byte);
  }
  writeCount(signatures.length);
  for (const { kind, exactPart, grams } of signatures) {
    writeCount(KINDS.indexOf(kind));
    writeNumber(exactPart, FINGERPRINT_BYTES);
    writeCount(grams.length);
    for (const gram of grams) writeNumber(gram, 2);
  }
  if (births.length > 0) writeCount(births.length);
  for (const mark of births) for (const part of mark) writeNumber(part, 1);
  while (bytes.length % PADDING !== 0) bytes.push(0);
  return Buffer.from(bytes);
}

type ProfileReader = ReturnType<typeof createReader>;

function decodeNames({ readCount, readText }: ProfileReader): string[] {
  return Array.from({ length: readCount() }, readText);
}

function decodeSignatures({ readCount, readFingerprint, readGram }: ProfileReader): StoredTypoSearchData[] {
  return Array.from({ length: readCount() }, () => {
    const kind = KINDS[readCount()] ?? 'email';
    const exactPart = readFingerprint();
    return { kind, exactPart, grams: Array.from({ length: readCount() }, readGram) };
  });
}

function decodeBirthMarks({ readCount, readByte }: ProfileReader): BirthDateHashes[] {
  return Array.from({ length: readCount() }, () => [readByte(), readByte(), readByte()] as const);
}

function createReader(bytes: Buffer) {
  let at = 0;
  const readCount = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  return {
    readCount,
    readByte: () => bytes[at++] ?? 0,
    readText() {
      const length = readCount();
      return bytes.toString('utf8', at, (at += length));
    },
    readFingerprint() {
      at += FINGERPRINT_BYTES;
      return bytes.readUIntLE(at - 3, 3) * 2 ** 32 + bytes.readUInt32LE(at - 7);
    },
    readGram() {
      at += 2;
      return bytes.readUInt16LE(at - 2);
    },
  };
}
