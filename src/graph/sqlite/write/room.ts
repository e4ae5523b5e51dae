import { randomBytes, randomFillSync } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a checkpoint may need: SQLite starts one at 8 MiB of log (`LOG_PAGES`), and a batch of records comes on top. */
const ROOM_BYTES = 12 * 1024 * 1024;

/**
 * Holds room on the disk of a file until the answer is called. On a disk that has become full, SQLite cannot move what it has committed
 * from the write-ahead log into the file, and would leave a log behind that keeps the disk full.
 *
 * The room belongs to a file without a name, so that nothing is left where the process is killed, but in the moment before it has taken the
 * name away: see `dropRooms`. Errors: what the file system throws.
 */
export function holdRoom(file: string): () => void {
  const name = `${file}-room-${randomBytes(6).toString('hex')}`;
  const open = openSync(name, 'wx', 0o600);
  rmSync(name, { force: true });
  // Bytes that no file system makes smaller.
  const bytes = randomFillSync(Buffer.alloc(1024 * 1024));
  try {
    for (let held = 0; held < ROOM_BYTES; held += bytes.length) writeAll(open, bytes);
  } catch (error) {
    closeSync(open);
    throw error;
  }
  let held = true;
  return () => {
    if (held) closeSync(open);
    held = false;
  };
}

/** Removes rooms that still have a name: whoever made them was killed. One that another process is making loses it a moment early. */
export function dropRooms(file: string): void {
  const [folder, start] = [dirname(file), `${basename(file)}-room-`];
  for (const name of readdirSync(folder))
    if (name.startsWith(start)) rmSync(join(folder, name), { force: true });
}

/** A disk that is nearly full takes a part, and says so only at the next write. */
function writeAll(open: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(open, bytes, at);
}
