// Files that grow: what is new in them, in whole lines.
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_LINE_BYTES } from './lines.ts';

/** New lines of one file. */
export interface Appended {
  file: string;
  bytes: Buffer;
}

/** Files of a folder that are followed. */
const FOLLOWED = /\.(?:jsonl|ndjson|jsonlines)$/i;
const LF = 0x0a;

/**
 * Follows a file, or the files of JSON Lines in a folder: each call gives the next lines of one that has new ones, at most so many, and
 * null where none has. A line without its end is not there yet. A file that is replaced or cut short is read from its start.
 *
 * @param past what is there when it begins is passed over
 * Errors: what the file system throws, but for files that are gone.
 */
export function follower(path: string, { past }: { past: boolean }): (most: number) => Appended | null {
  const known = new Map<string, { node: number; at: number }>();
  if (past)
    for (const file of filesOf(path)) {
      const { ino: node, size: at } = statSync(file);
      known.set(file, { node, at });
    }
  return (most) => {
    for (const file of filesOf(path)) {
      const handle = opened(file);
      if (handle === null) continue;
      try {
        const { ino: node, size } = fstatSync(handle);
        const before = known.get(file);
        const at = before?.node === node && before.at <= size ? before.at : 0;
        const bytes = at < size ? linesAt(handle, at, most) : null;
        known.set(file, { node, at: at + (bytes?.length ?? 0) });
        if (bytes) return { file, bytes };
      } finally {
        closeSync(handle);
      }
    }
    return null;
  };
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => FOLLOWED.test(name));
  return names.toSorted().map((name) => join(path, name));
}

function opened(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Whole lines from a place on; more than a line may have is given as it is, so that it is told as too long. */
function linesAt(handle: number, at: number, most: number): Buffer | null {
  const room = Buffer.allocUnsafe(MAX_LINE_BYTES + 1);
  const bytes = room.subarray(0, readSync(handle, room, 0, room.length, at));
  let [end, lines] = [0, 0];
  for (let next = bytes.indexOf(LF); next >= 0 && lines < most; next = bytes.indexOf(LF, end)) {
    end = next + 1;
    lines++;
  }
  if (end === 0) return bytes.length > MAX_LINE_BYTES ? bytes : null;
  return bytes.subarray(0, end);
}
