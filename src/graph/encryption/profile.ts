// What is encrypted of an identity: its names, and the signatures that typos are found by.
import type { KnownSignature } from '../resolve/reader.ts';
import type { Sealing } from './sealing.ts';

export interface Profile {
  names: string[];
  signatures: KnownSignature[];
}

/** How profiles are kept. */
export interface ProfileSealing {
  seal(profile: Profile): Buffer;
  /** Errors: `damaged_database`. */
  openNames(sealed: Buffer): string[];
  /** Errors: `damaged_database`. */
  openSignatures(sealed: Buffer): KnownSignature[];
}

/** A profile is a multiple of this long: else its length would tell a name's to the letter. */
const STEP = 16;
const KINDS = ['email', 'address'] as const;

export function createProfileSealing(sealing: Sealing): ProfileSealing {
  return {
    seal: (profile) => sealing.sealBytes(toBytes(profile)),
    openNames: (sealed) => namesFrom(bytesReader(sealing.openBytes(sealed))),
    openSignatures(sealed) {
      const bytes = bytesReader(sealing.openBytes(sealed));
      namesFrom(bytes);
      return signaturesFrom(bytes);
    },
  };
}

function toBytes({ names, signatures }: Profile): Buffer {
  const bytes = bytesWriter();
  bytes.count(names.length);
  for (const name of names) bytes.text(name);
  bytes.count(signatures.length);
  for (const { kind, exactPart, grams } of signatures) {
    bytes.count(KINDS.indexOf(kind));
    bytes.fingerprint(exactPart);
    bytes.count(grams.length);
    for (const gram of grams) bytes.short(gram);
  }
  return bytes.padded(STEP);
}

function namesFrom(bytes: BytesReader): string[] {
  return Array.from({ length: bytes.count() }, () => bytes.text());
}

function signaturesFrom(bytes: BytesReader): KnownSignature[] {
  return Array.from({ length: bytes.count() }, () => {
    const kind = KINDS[bytes.count()] ?? 'email';
    const exactPart = bytes.fingerprint();
    return { kind, exactPart, grams: Array.from({ length: bytes.count() }, () => bytes.short()) };
  });
}

// Values one after the other in bytes: who reads them knows their order.

interface BytesWriter {
  /** A whole number from 0 to 2^31, small ones in one byte (seven bits each, the lowest first). */
  count(value: number): void;
  text(value: string): void;
  /** 52 bits in seven bytes. */
  fingerprint(value: number): void;
  /** 16 bits. */
  short(value: number): void;
  /** Everything, filled with zeros up to a multiple of so many bytes. */
  padded(step: number): Buffer;
}

interface BytesReader {
  count(): number;
  text(): string;
  fingerprint(): number;
  short(): number;
}

const HIGH = 2 ** 32;

function bytesWriter(): BytesWriter {
  let bytes = Buffer.allocUnsafe(256);
  let at = 0;
  const room = (more: number) => {
    if (at + more <= bytes.length) return;
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.allocUnsafe(bytes.length + more)]);
  };
  const count = (value: number) => {
    room(5);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
  };
  return {
    count,
    text(value) {
      const length = Buffer.byteLength(value);
      count(length);
      room(length);
      at += bytes.write(value, at);
    },
    fingerprint(value) {
      room(7);
      at = bytes.writeUInt32LE(value % HIGH, at);
      at = bytes.writeUIntLE(Math.floor(value / HIGH), at, 3);
    },
    short(value) {
      room(2);
      at = bytes.writeUInt16LE(value, at);
    },
    padded(step) {
      const padding = (step - (at % step)) % step;
      room(padding);
      bytes.fill(0, at, at + padding);
      return bytes.subarray(0, at + padding);
    },
  };
}

function bytesReader(bytes: Buffer): BytesReader {
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
