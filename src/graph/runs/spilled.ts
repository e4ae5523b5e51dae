// Very many entries of a key and a value in little memory: in pieces by ranges of keys, each of which is sorted by itself.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Entries side by side: integers below 2^53 either way as keys, below 2^32 as values. */
export interface Entries {
  keys: Float64Array;
  values: Uint32Array;
}

export interface Spilled {
  /** Keys lie from `low` up to below `high`. */
  add(key: number, value: number): void;
  /** The entries in pieces of ascending ranges of keys, within a piece in the order in which they were added. As often as asked. */
  pieces(): Iterable<Entries>;
  drop(): void;
}

/** Ranges of keys; and entries of one that are gathered in memory, the first of them in less. */
const PIECES = 64;
const GATHERED = 4096;
const FIRST = 64;
/** Bytes of an entry on disk. */
const SIZE = 12;

interface Piece extends Entries {
  count: number;
  /** Where what is on disk of it begins, `GATHERED` entries each: all keys, then all values. */
  offsets: number[];
}

/**
 * Some three megabytes of memory beside what one piece takes when it is read. What does not fit goes into a file of the folder that has
 * no name, so that nothing is left where the process is killed. Errors: what the file system throws.
 */
export function spilled({ folder, low, high }: { folder: string; low: number; high: number }): Spilled {
  const pieces = Array.from({ length: PIECES }, emptyPiece);
  const share = PIECES / (high - low);
  const disk = namelessFile(folder);
  return {
    add(key, value) {
      const piece = pieces[Math.floor((key - low) * share)];
      if (!piece) throw new Error('a key is out of its range');
      if (piece.count === piece.keys.length) {
        if (piece.count === GATHERED) spill(piece, disk);
        else grow(piece);
      }
      piece.keys[piece.count] = key;
      piece.values[piece.count++] = value;
    },
    *pieces() {
      for (const piece of pieces) if (piece.count > 0 || piece.offsets.length > 0) yield whole(piece, disk);
    },
    drop() {
      disk.close();
      for (const piece of pieces) Object.assign(piece, emptyPiece());
    },
  };
}

function emptyPiece(): Piece {
  return { keys: new Float64Array(0), values: new Uint32Array(0), count: 0, offsets: [] };
}

function grow(piece: Piece): void {
  const room = Math.min(GATHERED, Math.max(FIRST, piece.keys.length * 4));
  const { keys, values } = piece;
  piece.keys = new Float64Array(room);
  piece.values = new Uint32Array(room);
  piece.keys.set(keys);
  piece.values.set(values);
}

function spill(piece: Piece, disk: Disk): void {
  piece.offsets.push(disk.append([bytesOf(piece.keys), bytesOf(piece.values)]));
  piece.count = 0;
}

function whole({ keys, values, count, offsets }: Piece, disk: Disk): Entries {
  const all = offsets.length * GATHERED + count;
  const found = { keys: new Float64Array(all), values: new Uint32Array(all) };
  for (const [i, offset] of offsets.entries()) {
    const [from, to] = [i * GATHERED, (i + 1) * GATHERED];
    disk.read(bytesOf(found.keys.subarray(from, to)), offset);
    disk.read(bytesOf(found.values.subarray(from, to)), offset + GATHERED * (SIZE - 4));
  }
  found.keys.set(keys.subarray(0, count), all - count);
  found.values.set(values.subarray(0, count), all - count);
  return found;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

interface Disk {
  /** Answers where it was written. */
  append(parts: Uint8Array[]): number;
  read(into: Uint8Array, offset: number): void;
  close(): void;
}

function namelessFile(folder: string): Disk {
  let open: number | null = null;
  let end = 0;
  const file = () => {
    if (open !== null) return open;
    const name = join(folder, `runs-${randomBytes(6).toString('hex')}`);
    open = openSync(name, 'wx+', 0o600);
    rmSync(name, { force: true });
    return open;
  };
  return {
    append(parts) {
      const from = end;
      for (const part of parts)
        for (let at = 0; at < part.length;) {
          const written = writeSync(file(), part, at, part.length - at, end);
          at += written;
          end += written;
        }
      return from;
    },
    read(into, offset) {
      for (let at = 0; at < into.length;) {
        const found = readSync(file(), into, at, into.length - at, offset + at);
        if (found === 0) throw Object.assign(new Error('a file was cut short'), { code: 'EIO' });
        at += found;
      }
    },
    close() {
      if (open !== null) closeSync(open);
      open = null;
      end = 0;
    },
  };
}
