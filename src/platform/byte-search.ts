// Searches files for byte strings, such as encrypted values that must no longer be in any file.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { getErrorCode } from './files.ts';

/** Minimum and maximum number of bytes that are read at once. A file of a size between them is read at once. */
const MIN_BLOCK = 64 * 1024;
const MAX_BLOCK = 4 * 1024 * 1024;

/** Maximum number of byte strings that are searched one by one with `Buffer.includes`. One pass in JavaScript takes as long as 80 such searches. */
const MAX_NATIVE_SEARCHES = 32;

/** Runs work on a file. Returns null if the file does not exist, because another process may have removed it. Errors: those of the file system. */
export function runOrNullIfFileMissing<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Search for byte strings of at most `longest` bytes. */
export interface ByteSearch {
  longest: number;
  isIn(bytes: Buffer): boolean;
}

/**
 * Creates a search for byte strings of three bytes or more. More than `MAX_NATIVE_SEARCHES` are searched in one pass, by an index of their last
 * three bytes, because many have the same first bytes.
 */
export function createByteSearch(byteStrings: readonly Buffer[]): ByteSearch {
  if (byteStrings.length <= MAX_NATIVE_SEARCHES)
    return {
      longest: Math.max(0, ...byteStrings.map(({ length }) => length)),
      isIn: (bytes) => byteStrings.some((one) => bytes.includes(one)),
    };
  const byEnd = new Map<number, Buffer[]>();
  const ends = new Uint8Array(0x100_0000 / 8);
  let longest = 0;
  for (const bytes of byteStrings) {
    longest = Math.max(longest, bytes.length);
    const end = bytes.readUIntBE(bytes.length - 3, 3);
    ends[end >> 3] = (ends[end >> 3] ?? 0) | (1 << (end & 7));
    const same = byEnd.get(end);
    if (same) same.push(bytes);
    else byEnd.set(end, [bytes]);
  }
  const endsHere = (bytes: Buffer, after: number, one: Buffer) =>
    after >= one.length && bytes.subarray(after - one.length, after).equals(one);
  return {
    longest,
    isIn(bytes) {
      let end = 0;
      for (let i = 0; i < bytes.length; i++) {
        end = ((end & 0xffff) << 8) | (bytes[i] ?? 0);
        if (((ends[end >> 3] ?? 0) & (1 << (end & 7))) === 0) continue;
        if (byEnd.get(end)?.some((one) => endsHere(bytes, i + 1, one)) === true) return true;
      }
      return false;
    },
  };
}

/** Returns true if a file contains one of the byte strings. Errors: those of the file system. */
export function doesFileContain(file: string, { longest, isIn }: ByteSearch): boolean {
  const opened = runOrNullIfFileMissing(() => openSync(file, 'r'));
  if (opened === null) return false;
  try {
    const block = Math.min(MAX_BLOCK, Math.max(MIN_BLOCK, fstatSync(opened).size));
    // Only bytes that were read are searched.
    const bytes = Buffer.allocUnsafe(block + longest);
    let keptBytes = 0;
    for (;;) {
      const read = readSync(opened, bytes, keptBytes, block, null);
      if (read === 0) return false;
      const filled = bytes.subarray(0, keptBytes + read);
      if (isIn(filled)) return true;
      // The end of this block is kept: a match may continue in the next block.
      keptBytes = Math.min(longest, filled.length);
      filled.copy(bytes, 0, filled.length - keptBytes);
    }
  } finally {
    closeSync(opened);
  }
}
