// What is encrypted of an identity: its names, and the signatures that typos are found by.
//
// In the file a profile is one byte with the number of its signatures, a mark of a byte for each of them, and the sealed rest.
import { createCipheriv } from 'node:crypto';
import { derivedKey } from '../../fingerprints.ts';
import type { KnownSignature } from '../../resolve/reader.ts';
import type { Sealing } from '../../sealing.ts';
import { bytesReader, type BytesReader, bytesWriter } from './bytes.ts';

export interface Profile {
  names: string[];
  signatures: KnownSignature[];
}

/** How profiles are kept. */
export interface ProfileSealing {
  seal(identity: number, profile: Profile): Buffer;
  /** Errors: `damaged_database`. */
  names(sealed: Buffer): string[];
  /** Errors: `damaged_database`. */
  signatures(sealed: Buffer): KnownSignature[];
  /** Tells which of these identities may have a signature with one of the exact parts: all that have one, and few others. */
  mayHave(exactParts: number[], known: { identity: number; marks: string }[]): boolean[];
}

/** The marks of a profile, a character each. */
export function marksIn(sealed: Buffer | undefined): string {
  return sealed ? sealed.toString('latin1', 1, 1 + (sealed[0] ?? 0)) : '';
}

/** A profile is a multiple of this long: else its length would tell a name's to the letter. */
const STEP = 16;
const KINDS = ['email', 'address'] as const;
const BLOCK = 16;

/** @param secret 64 hex characters */
export function profileSealing(secret: string, sealing: Sealing): ProfileSealing {
  const marker = markerOf(secret);
  return {
    seal(identity, profile) {
      const marks = marker(profile.signatures.map(({ exactPart }) => [identity, exactPart]));
      return Buffer.concat([Buffer.of(marks.length), marks, sealing.sealBytes(toBytes(profile))]);
    },
    names: (sealed) => namesFrom(bytesReader(opened(sealed, sealing))),
    signatures(sealed) {
      const bytes = bytesReader(opened(sealed, sealing));
      namesFrom(bytes);
      return signaturesFrom(bytes);
    },
    mayHave(exactParts, known) {
      const wanted = known.flatMap(({ identity, marks }) =>
        marks === '' ? [] : exactParts.map((part): [number, number] => [identity, part]),
      );
      const found = marker(wanted).toString('latin1');
      let at = 0;
      return known.map(({ marks }) => {
        if (marks === '') return false;
        const own = found.slice(at, (at += exactParts.length));
        return [...own].some((mark) => marks.includes(mark));
      });
    },
  };
}

/**
 * A mark is the first byte of AES over an identity's number and an exact part: so it tells nothing without the secret, not even that two
 * identities have an exact part (a provider of e-mail) in common. One call for all, since each costs more than what it encrypts.
 */
function markerOf(secret: string): (pairs: [identity: number, exactPart: number][]) => Buffer {
  const cipher = createCipheriv('aes-256-ecb', derivedKey(secret, 'bonafide marks 1'), null);
  cipher.setAutoPadding(false);
  return (pairs) => {
    const blocks = Buffer.alloc(pairs.length * BLOCK);
    for (const [i, [identity, exactPart]] of pairs.entries()) {
      blocks.writeDoubleLE(identity, i * BLOCK);
      blocks.writeDoubleLE(exactPart, i * BLOCK + 8);
    }
    const encrypted = cipher.update(blocks);
    const marks = Buffer.alloc(pairs.length);
    for (let i = 0; i < marks.length; i++) marks[i] = encrypted[i * BLOCK] ?? 0;
    return marks;
  };
}

function opened(sealed: Buffer, sealing: Sealing): Buffer {
  return sealing.openBytes(sealed.subarray(1 + (sealed[0] ?? 0)));
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
