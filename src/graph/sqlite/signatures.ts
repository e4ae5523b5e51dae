import type { TextSealing } from '../sealing.ts';
import type { KnownSignature } from '../resolve/reader.ts';

/** How the signatures of an identity are kept: sealed, and beside them their exact parts in short (numbers with spaces between). */
export interface SealedSignatures {
  sealed: Buffer;
  parts: string;
}

/** Kept of an exact part in clear: enough to know most strangers by, and so little that very many values have it in common. */
const short = (exactPart: number) => exactPart % 4096;

export function sealSignatures(signatures: KnownSignature[], sealing: TextSealing): SealedSignatures {
  return {
    // The names of its properties are part of the file: another name is another version.
    sealed: sealing.seal(JSON.stringify(signatures)),
    parts: [...new Set(signatures.map(({ exactPart }) => short(exactPart)))].join(' '),
  };
}

export function openSignatures(sealed: Buffer | null | undefined, sealing: TextSealing): KnownSignature[] {
  return sealed ? (JSON.parse(sealing.open(sealed)) as KnownSignature[]) : [];
}

/** The exact parts in short; none where there is no signature. */
export function partsOf(parts: string | undefined): number[] {
  return parts === undefined ? [] : parts.split(' ').map(Number);
}

/** May one of these exact parts be among those that are kept in short? */
export function mayHold(parts: number[], exactParts: number[]): boolean {
  return exactParts.some((exactPart) => parts.includes(short(exactPart)));
}
