// Files that grow: what is new in them, in whole lines.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../platform/files.ts';
import { MAX_LINE_BYTES, describeNonLines } from './lines.ts';

/** New lines of one file. */
export interface AppendedLines {
  file: string;
  bytes: Buffer;
}

export interface FollowOptions {
  /** What is there when it begins is passed over. */
  past: boolean;
  /** Told of what is passed over, in a sentence that names it: once, until it can be read. */
  tell(text: string): void;
}

export type Follower = (most: number, how?: { rest?: boolean }) => AppendedLines | null;

/** Files of a folder that are followed: those that begin with a dot are whoever's who still writes them. */
const FOLLOWED = /^[^.].*\.(?:jsonl|ndjson|jsonlines)$/i;
const LF = 0x0a;
/** By so many of its first bytes, and of those before the place where reading ended, a file is known again. */
const KNOWN_BYTES = 4096;

/** How far a file was read, and what it is known by. */
interface Place {
  at: number;
  stats: BigIntStats;
  /** The first bytes of it, and the last ones before that place. */
  head: Buffer;
  tail: Buffer;
  /** Why nothing of it is read. */
  unfit: string | null;
}

/**
 * Follows a file, or the files of JSON Lines in a folder: each call gives the next lines of one that has new ones, at most so many, and
 * null where none has. A line without its end is not there yet, but where the rest is asked for. A file that is replaced, written over or
 * cut short is read from its start. What is no file, cannot be read or is no text in UTF-8 is told, and passed over.
 */
export function openFollower(path: string, { past, tell }: FollowOptions): Follower {
  const known = new Map<string, Place>();
  const told = new Map<string, string>();
  const passOver = (file: string, why: string) => {
    if (why === '') told.delete(file);
    else if (told.get(file) !== why) tell(`Passed over: ${file} ${why}`);
    if (why !== '') told.set(file, why);
    return null;
  };
  const opened = <T>(file: string, read: (handle: number, stats: BigIntStats) => T): T | null => {
    try {
      return withFile(file, read);
    } catch (error) {
      return passOver(file, whyNot(error, file));
    }
  };
  if (past)
    for (const file of filesOf(path, passOver)) {
      const place = opened(file, (handle, stats) => placeAt(handle, stats, Number(stats.size)));
      if (place) known.set(file, place);
    }
  return (most, { rest = false } = {}) => {
    const files = filesOf(path, passOver);
    const there = new Set(files);
    for (const file of known.keys()) if (!there.has(file)) known.delete(file);
    for (const file of files) {
      const next = opened(file, (handle, stats) =>
        nextIn(handle, { stats, before: known.get(file), most, rest }),
      );
      if (!next) continue;
      known.set(file, next.place);
      passOver(file, next.place.unfit ?? '');
      if (next.lines) return { file, bytes: next.lines };
    }
    return null;
  };
}

/** @param passOver told where the folder cannot be read */
function filesOf(path: string, passOver: (file: string, why: string) => void): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => FOLLOWED.test(name));
    return names.toSorted().map((name) => join(path, name));
  } catch (error) {
    passOver(path, whyNot(error, path));
    return [];
  }
}

/** No file: in the words of a sentence that names it. */
class NoFile extends Error {}

function withFile<T>(file: string, read: (handle: number, stats: BigIntStats) => T): T {
  requireFile(statSync(file));
  // Opening a pipe would wait for whoever writes into it, if one came in between.
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle, { bigint: true });
    requireFile(stats);
    return read(handle, stats);
  } finally {
    closeSync(handle);
  }
}

function requireFile(stats: Stats | BigIntStats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new NoFile('is a folder');
  throw new NoFile(stats.isFIFO() ? 'is a pipe' : stats.isSocket() ? 'is a socket' : 'is a device');
}

/** Nothing where it is gone: that needs no word. */
function whyNot(error: unknown, file: string): string {
  if (error instanceof NoFile) return error.message;
  const code = errorCode(error);
  if (code === 'ENOENT')
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? 'is a link to nothing' : '';
  if (code === '') throw error;
  return `cannot be read (${code})`;
}

interface Next {
  place: Place;
  lines: Buffer | null;
}

interface Looked {
  stats: BigIntStats;
  before: Place | undefined;
  most: number;
  rest: boolean;
}

function nextIn(handle: number, { stats, before, most, rest }: Looked): Next {
  if (before?.unfit && isUntouched(stats, before.stats)) return { place: before, lines: null };
  const from = before && isSame(handle, stats, before) ? before : { at: 0, tail: NOTHING, head: NOTHING };
  const read = bytesAt(handle, from.at - from.tail.length, from.tail.length + roomIn(stats, from.at));
  const isAsKnown = read.subarray(0, from.tail.length).equals(from.tail);
  if (!isAsKnown) return nextIn(handle, { stats, before: undefined, most, rest });
  const unread = read.subarray(from.tail.length);
  const unfit = from.at === 0 ? unfitness(unread.subarray(0, KNOWN_BYTES)) : null;
  const lines =
    unfit === null ? (linesIn(unread, most) ?? (rest && unread.length > 0 ? unread : null)) : null;
  const length = lines?.length ?? 0;
  const tail = Buffer.from(read.subarray(0, from.tail.length + length).subarray(-KNOWN_BYTES));
  const more = unread.subarray(0, Math.min(length, KNOWN_BYTES - from.head.length));
  const head = more.length > 0 ? Buffer.concat([from.head, more]) : from.head;
  return { place: { at: from.at + length, stats, head, tail, unfit }, lines };
}

const isUntouched = (now: BigIntStats, before: BigIntStats): boolean =>
  now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs;

const NOTHING = Buffer.alloc(0);

/** As much as one line may have, and a byte. */
const roomIn = ({ size }: BigIntStats, at: number) =>
  Math.max(0, Math.min(Number(size) - at, MAX_LINE_BYTES + 1));

/** Has a file only grown since? What its last known bytes are is asked when it is read on. */
function isSame(handle: number, now: BigIntStats, { at, stats: before, head }: Place): boolean {
  if (now.ino !== before.ino || now.dev !== before.dev || now.size < BigInt(at)) return false;
  // Where a file system knows no birth, it is that of the last change.
  if (now.birthtimeNs !== before.birthtimeNs && now.birthtimeNs !== now.ctimeNs) return false;
  if (now.size === before.size && now.mtimeNs !== before.mtimeNs) return false;
  return bytesAt(handle, 0, head.length).equals(head);
}

function placeAt(handle: number, stats: BigIntStats, at: number): Place {
  const length = Math.min(at, KNOWN_BYTES);
  const [head, tail] = [bytesAt(handle, 0, length), bytesAt(handle, at - length, length)];
  return { at, stats, head, tail, unfit: null };
}

function bytesAt(handle: number, from: number, length: number): Buffer {
  const room = Buffer.allocUnsafe(length);
  let read = 0;
  for (let some = -1; some !== 0 && read < length; read += some)
    some = readSync(handle, room, read, length - read, from + read);
  return room.subarray(0, read);
}

/** Why the first bytes of a file are no lines in UTF-8; null where they may be. */
function unfitness(head: Buffer): string | null {
  const amiss = describeNonLines(head);
  if (amiss !== null) return amiss;
  const end = head.indexOf(LF);
  return head.subarray(0, end < 0 ? undefined : end).includes(0) ? 'is no text' : null;
}

/** Whole lines; more than a line may have is given as it is, so that it is told as too long. */
function linesIn(bytes: Buffer, most: number): Buffer | null {
  let [end, lines] = [0, 0];
  for (let next = bytes.indexOf(LF); next >= 0 && lines < most; next = bytes.indexOf(LF, end)) {
    end = next + 1;
    lines++;
  }
  if (end === 0) return bytes.length > MAX_LINE_BYTES ? bytes : null;
  return bytes.subarray(0, end);
}
