// Looks for byte strings in files, whatever the files are.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../platform/files.ts';

const CHUNK = 4 * 1024 * 1024;

/** The files of a folder, and of the folders in it, in which one of the byte strings stands (each of three bytes or more); by their paths. */
export function filesHolding(folder: string, wanted: readonly Buffer[]): string[] {
  if (wanted.length === 0) return [];
  const find = finder(wanted);
  return filesIn(folder)
    .filter((file) => holds(file, find))
    .toSorted();
}

/** The files of a folder, and of the folders in it. What other processes make and remove meanwhile may be missing. Errors: what the file system throws. */
export function filesIn(folder: string): string[] {
  const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

function unlessGone<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

interface Finder {
  longest: number;
  isIn(bytes: Buffer): boolean;
}

/** One pass for all of them, by their last three bytes: numbers begin alike. */
function finder(wanted: readonly Buffer[]): Finder {
  const byEnd = new Map<number, Buffer[]>();
  const ends = new Uint8Array(0x100_0000 / 8);
  for (const bytes of wanted) {
    const end = bytes.readUIntBE(bytes.length - 3, 3);
    ends[end >> 3] = (ends[end >> 3] ?? 0) | (1 << (end & 7));
    const same = byEnd.get(end);
    if (same) same.push(bytes);
    else byEnd.set(end, [bytes]);
  }
  const endsHere = (bytes: Buffer, after: number, one: Buffer) =>
    after >= one.length && bytes.subarray(after - one.length, after).equals(one);
  return {
    longest: Math.max(...wanted.map(({ length }) => length)),
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

function holds(file: string, { longest, isIn }: Finder): boolean {
  const opened = unlessGone(() => openSync(file, 'r'));
  if (opened === null) return false;
  try {
    const bytes = Buffer.alloc(CHUNK + longest);
    let kept = 0;
    for (;;) {
      const read = readSync(opened, bytes, kept, CHUNK, null);
      if (read === 0) return false;
      const filled = bytes.subarray(0, kept + read);
      if (isIn(filled)) return true;
      // What begins at the end of one piece goes on in the next.
      kept = Math.min(longest, filled.length);
      filled.copy(bytes, 0, filled.length - kept);
    }
  } finally {
    closeSync(opened);
  }
}
