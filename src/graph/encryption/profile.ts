// Encrypted profile of an identity: its names, and the signatures by which values with a typo are found.
import type { KnownSignature } from '../resolve/reader.ts';
import type { Sealing } from './sealing.ts';

export interface Profile {
  names: string[];
  signatures: KnownSignature[];
}

/** Encrypts and decrypts profiles. Errors of decryption: `damaged_database`. */
export interface ProfileSealing {
  seal(profile: Profile): Buffer;
  openNames(sealed: Buffer): string[];
  openSignatures(sealed: Buffer): KnownSignature[];
}

/** Length of a profile is a multiple of this number of bytes, so that it does not reveal the exact length of a name. */
const PADDING = 16;
const KINDS = ['email', 'address'] as const;

export function createProfileSealing(sealing: Sealing): ProfileSealing {
  return {
    seal: (profile) => sealing.sealBytes(encodeProfile(profile)),
    openNames: (sealed) => decodeNames(createByteReader(sealing.openBytes(sealed))),
    openSignatures(sealed) {
      const bytes = createByteReader(sealing.openBytes(sealed));
      decodeNames(bytes);
      return decodeSignatures(bytes);
    },
  };
}

function encodeProfile({ names, signatures }: Profile): Buffer {
  const bytes = createByteWriter();
  bytes.count(names.length);
  for (const name of names) bytes.text(name);
  bytes.count(signatures.length);
  for (const { kind, exactPart, grams } of signatures) {
    bytes.count(KINDS.indexOf(kind));
    bytes.fingerprint(exactPart);
    bytes.count(grams.length);
    for (const gram of grams) bytes.short(gram);
  }
  return bytes.padded(PADDING);
}

function decodeNames(bytes: ByteReader): string[] {
  return Array.from({ length: bytes.count() }, () => bytes.text());
}

function decodeSignatures(bytes: ByteReader): KnownSignature[] {
  return Array.from({ length: bytes.count() }, () => {
    const kind = KINDS[bytes.count()] ?? 'email';
    const exactPart = bytes.fingerprint();
    return { kind, exactPart, grams: Array.from({ length: bytes.count() }, () => bytes.short()) };
  });
}

/** Writes values one after another. They are read in the same order with a `ByteReader`. */
interface ByteWriter {
  /** Writes a whole number from 0 to 2^31 in one to five bytes: seven bits per byte, lowest first. */
  count(value: number): void;
  text(value: string): void;
  /** Writes 52 bits in seven bytes. */
  fingerprint(value: number): void;
  /** Writes 16 bits. */
  short(value: number): void;
  /** Returns all bytes, with zeros added up to a multiple of `step` bytes. */
  padded(step: number): Buffer;
}

type ByteReader = ReturnType<typeof createByteReader>;

const HIGH = 2 ** 32;

function createByteWriter(): ByteWriter {
  let bytes = Buffer.allocUnsafe(256);
  let at = 0;
  const reserve = (more: number) => {
    if (at + more <= bytes.length) return;
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.allocUnsafe(bytes.length + more)]);
  };
  const count = (value: number) => {
    reserve(5);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
  };
  return {
    count,
    text(value) {
      const length = Buffer.byteLength(value);
      count(length);
      reserve(length);
      at += bytes.write(value, at);
    },
    fingerprint(value) {
      reserve(7);
      at = bytes.writeUInt32LE(value % HIGH, at);
      at = bytes.writeUIntLE(Math.floor(value / HIGH), at, 3);
    },
    short(value) {
      reserve(2);
      at = bytes.writeUInt16LE(value, at);
    },
    padded(step) {
      const padding = (step - (at % step)) % step;
      reserve(padding);
      bytes.fill(0, at, at + padding);
      return bytes.subarray(0, at + padding);
    },
  };
}

function createByteReader(bytes: Buffer) {
  let at = 0;
  const count = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  return {
    count,
    text() {
      const length = count();
      return bytes.toString('utf8', at, (at += length));
    },
    fingerprint() {
      at += 7;
      return bytes.readUIntLE(at - 3, 3) * HIGH + bytes.readUInt32LE(at - 7);
    },
    short() {
      at += 2;
      return bytes.readUInt16LE(at - 2);
    },
  };
}
