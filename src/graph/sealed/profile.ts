// What is encrypted of an identity: its names, and the signatures that typos are found by.
import type { KnownSignature } from '../resolve/reader.ts';
import type { Sealing } from '../sealing.ts';
import { bytesReader, type BytesReader, bytesWriter } from './bytes.ts';

export interface Profile {
  names: string[];
  signatures: KnownSignature[];
}

/** How profiles are kept. */
export interface ProfileSealing {
  seal(profile: Profile): Buffer;
  /** Errors: `damaged_database`. */
  names(sealed: Buffer): string[];
  /** Errors: `damaged_database`. */
  signatures(sealed: Buffer): KnownSignature[];
}

/** A profile is a multiple of this long: else its length would tell a name's to the letter. */
const STEP = 16;
const KINDS = ['email', 'address'] as const;

export function profileSealing(sealing: Sealing): ProfileSealing {
  return {
    seal: (profile) => sealing.sealBytes(toBytes(profile)),
    names: (sealed) => namesFrom(bytesReader(sealing.openBytes(sealed))),
    signatures(sealed) {
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
