// Files of a folder after a power cut, computed from the shim's journal of writes and syncs.
//
// The model is that of ext4, XFS and similar file systems. Data that was written before an fsync of its file is there, and each sector of later
// writes may be there or not. Creations, renames and deletions keep their order, and all of them before any sync are there.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const OPEN = 1;
const WRITE = 2;
const TRUNCATE = 3;
const SYNC = 4;
const RENAME = 5;
const UNLINK = 6;
const LINK = 7;
const HEAD_BYTES = 40;
const SECTOR = 512;

export interface Entry {
  /** Nanoseconds of the monotonic clock. */
  time: bigint;
  op: number;
  path: string;
  offset: number;
  data: Buffer;
}

/** Reads a journal as shim.c writes it. */
export function readJournal(file: string): Entry[] {
  const bytes = readFileSync(file);
  const entries: Entry[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length;) {
    const field = (i: number) => Number(bytes.readBigInt64LE(at + i * 8));
    const [op, pathLength, offset, length] = [field(1), field(2), field(3), field(4)];
    const begin = at + HEAD_BYTES + pathLength;
    entries.push({
      time: bytes.readBigInt64LE(at),
      op,
      path: bytes.toString('utf8', at + HEAD_BYTES, begin),
      offset,
      data: bytes.subarray(begin, begin + length),
    });
    at = begin + length;
  }
  return entries;
}

type Change = { offset: number; data: Buffer } | { length: number };
interface File {
  first: Buffer;
  changes: Change[];
  /** Number of changes that are synced. */
  synced: number;
}
type Names = Map<string, File>;

export interface Cut {
  /** The folder as it was at the start of the journal. */
  from: string;
  under: string;
  /** Entries before the power cut. */
  entries: Entry[];
  /** Returns true if an unsynced sector or name change is kept. Called once for each. */
  keep: () => boolean;
}

/** Writes the remaining files to a folder. */
export function writeRemains({ from, under, entries, keep }: Cut, to: string): void {
  const names = filesOf(from, under);
  const steps: ((names: Names) => void)[] = [];
  const live: Names = new Map(names);
  let durable = 0;
  for (const entry of entries) {
    const step = follow(entry, live);
    if (step) steps.push(step);
    if (entry.op === SYNC) durable = steps.length;
  }
  let last = durable;
  while (last < steps.length && keep()) last++;
  for (const step of steps.slice(0, last)) step(names);
  for (const [path, file] of names) {
    // SQLite creates this index again when the database is opened.
    if (path.endsWith('-shm')) continue;
    const place = join(to, relative(under, path));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, contentOf(file, keep), { mode: 0o600 });
  }
}

/** Applies an entry to the content of a file. Returns its change of names, which may be lost, or null. */
function follow({ op, path, offset, data }: Entry, live: Names): ((names: Names) => void) | null {
  const file = live.get(path);
  if (op === OPEN && !file) return named(live, (names, made) => names.set(path, made));
  if (op === OPEN && offset === 1) file?.changes.push({ length: 0 });
  if (op === WRITE) file?.changes.push({ offset, data });
  if (op === TRUNCATE) file?.changes.push({ length: offset });
  if (op === SYNC && file) file.synced = file.changes.length;
  if (op === RENAME && file) return both(live, renames(path, data.toString(), file));
  if (op === LINK && file) return both(live, (names) => names.set(data.toString(), file));
  return op === UNLINK ? both(live, (names) => names.delete(path)) : null;
}

function named(live: Names, name: (names: Names, made: File) => void): (names: Names) => void {
  const made: File = { first: Buffer.alloc(0), changes: [], synced: 0 };
  return both(live, (names) => name(names, made));
}

function renames(from: string, to: string, file: File): (names: Names) => void {
  return (names) => {
    names.delete(from);
    names.set(to, file);
  };
}

function both(live: Names, step: (names: Names) => void): (names: Names) => void {
  step(live);
  return step;
}

function filesOf(folder: string, under: string): Names {
  const names: Names = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    names.set(join(under, relative(folder, path)), { first: readFileSync(path), changes: [], synced: 0 });
  }
  return names;
}

function contentOf({ first, changes, synced }: File, keep: () => boolean): Buffer {
  let content: Buffer = Buffer.from(first);
  let length = first.length;
  const grow = (to: number) => {
    if (to > content.length)
      content = Buffer.concat([content, Buffer.alloc(Math.max(to - content.length, content.length))]);
    if (to > length) length = to;
  };
  changes.forEach((change, i) => {
    if ('length' in change) {
      if (i >= synced && !keep()) return;
      if (change.length < length) content.fill(0, change.length, length);
      grow(change.length);
      length = change.length;
      return;
    }
    for (let at = 0; at < change.data.length; at += i < synced ? change.data.length : SECTOR) {
      const part = i < synced ? change.data : change.data.subarray(at, at + SECTOR);
      if (i >= synced && !keep()) continue;
      grow(change.offset + at + part.length);
      part.copy(content, change.offset + at);
    }
  });
  return content.subarray(0, length);
}
