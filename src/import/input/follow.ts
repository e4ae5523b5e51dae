// Reads the new lines of files that other programs append to.
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
import { getErrorCode } from '../../platform/files.ts';
import { INPUT_LIMITS } from '../formats/limits.ts';
import { findNonTextReason } from './lines.ts';

/** Lines that were appended to one file. */
interface AppendedLines {
  file: string;
  /** Number of lines of the file before these. */
  linesBefore: number;
  /** Bytes of the lines with their line ends; of a line that is too long, only the beginning. */
  bytes: Buffer;
}

export interface FileFollowerOptions {
  /** True to skip the lines that files already have when following begins. */
  past: boolean;
  /** Called with a sentence about each skipped file. Called again for the same file only with another reason, or after the file was readable. */
  tell(text: string): void;
}

/**
 * Returns up to `most` new lines of one of the followed files; null if no file has new lines. With `rest`, also returns a last line that has no line
 * end.
 */
export type FileFollower = (most: number, options?: { rest?: boolean }) => AppendedLines | null;

/**
 * Names of files that are followed in a folder. Names that begin with a dot are skipped, because another program is still writing such a file.
 */
const FOLLOWED = /^[^.].*\.(?:jsonl|ndjson|jsonlines)$/i;
const LF = 0x0a;
/** Number of bytes, at the start of a file and before the reading position, that show if the file is still the one that was read. */
const KNOWN_BYTES = 4096;

/** Position up to which a file was read, and data for recognising the file. */
interface Progress {
  position: number;
  stats: BigIntStats;
  head: Buffer;
  /** Last bytes before the reading position. */
  tail: Buffer;
  /** Number of lines before the reading position. */
  lines: number;
  /** True if the reading position is inside a line that is too long. Its rest is skipped. */
  isInLongLine: boolean;
  /** Reason why the file cannot be read; null if the file can be read. */
  unfit: string | null;
}

/**
 * Follows one file, or the JSON Lines files in a folder. A file that is replaced, overwritten or shortened is read from its start. Anything that
 * is not a readable file with UTF-8 text is reported and skipped.
 */
export function createFileFollower(path: string, { past, tell }: FileFollowerOptions): FileFollower {
  const known = new Map<string, Progress>();
  const reported = new Map<string, string>();
  const skip = (file: string, reason: string) => {
    if (reason === '') reported.delete(file);
    else if (reported.get(file) !== reason) tell(`Skipped: ${file} ${reason}`);
    if (reason !== '') reported.set(file, reason);
    return null;
  };
  const withFile = <T>(file: string, read: (handle: number, stats: BigIntStats) => T): T | null => {
    try {
      return readFile(file, read);
    } catch (error) {
      return skip(file, describeFailure(error, file));
    }
  };
  if (past)
    for (const file of listFiles(path, skip)) {
      const progress = withFile(file, (handle, stats) => progressAt(handle, stats, Number(stats.size)));
      if (progress) known.set(file, progress);
    }
  return (most, { rest = false } = {}) => {
    const files = listFiles(path, skip);
    const present = new Set(files);
    for (const file of known.keys()) if (!present.has(file)) known.delete(file);
    for (const file of files) {
      const next = withFile(file, (handle, stats) =>
        readNext(handle, { stats, before: known.get(file), most, rest }),
      );
      if (!next) continue;
      known.set(file, next.progress);
      skip(file, next.progress.unfit ?? '');
      if (next.lines) return { file, linesBefore: next.linesBefore, bytes: next.lines };
    }
    return null;
  };
}

/**
 * Lists the files to follow, sorted by name.
 *
 * @param skip called if the folder cannot be read
 */
function listFiles(path: string, skip: (file: string, reason: string) => void): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => FOLLOWED.test(name));
    return names.toSorted().map((name) => join(path, name));
  } catch (error) {
    skip(path, describeFailure(error, path));
    return [];
  }
}

/** Error for a path that is not a file. The message is the end of a sentence that begins with the path. */
class NotAFile extends Error {}

function readFile<T>(file: string, read: (handle: number, stats: BigIntStats) => T): T {
  requireFile(statSync(file));
  // A pipe may have taken the place of the file: opening it must not wait for its writer.
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
  if (stats.isDirectory()) throw new NotAFile('is a folder');
  throw new NotAFile(stats.isFIFO() ? 'is a pipe' : stats.isSocket() ? 'is a socket' : 'is a device');
}

/** Returns why a file cannot be read, as the end of a sentence. Empty for a deleted file, which needs no report. */
function describeFailure(error: unknown, file: string): string {
  if (error instanceof NotAFile) return error.message;
  const code = getErrorCode(error);
  if (code === 'ENOENT')
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? 'is a link to nothing' : '';
  if (code === '') throw error;
  return `cannot be read (${code})`;
}

interface NextLines {
  progress: Progress;
  linesBefore: number;
  lines: Buffer | null;
}

interface ReadPosition {
  stats: BigIntStats;
  before: Progress | undefined;
  most: number;
  rest: boolean;
}

const NOTHING = Buffer.alloc(0);
/** Number of bytes that are read at a time to count the lines that exist already. */
const COUNTED_BYTES = 1024 * 1024;
type ReadingPosition = Pick<Progress, 'position' | 'head' | 'tail' | 'lines' | 'isInLongLine'>;
const START: ReadingPosition = { position: 0, head: NOTHING, tail: NOTHING, lines: 0, isInLongLine: false };

function readNext(handle: number, { stats, before, most, rest }: ReadPosition): NextLines {
  if (before?.unfit && isUntouched(stats, before.stats))
    return { progress: before, linesBefore: before.lines, lines: null };
  const known = before && isContinued(handle, stats, before) ? before : START;
  const start = known.isInLongLine ? skipLongLine(handle, stats, known) : known;
  if (start.isInLongLine)
    return { progress: { ...start, stats, unfit: null }, linesBefore: start.lines, lines: null };
  const { position, head, tail } = start;
  const read = readBytes(handle, position - tail.length, tail.length + bytesLeft(stats, position));
  const isOverwritten = !read.subarray(0, tail.length).equals(tail);
  if (isOverwritten) return readNext(handle, { stats, before: undefined, most, rest });
  const unread = read.subarray(tail.length);
  const unfit = position === 0 ? describeUnfit(unread.subarray(0, KNOWN_BYTES)) : null;
  const whole = unfit === null ? wholeLinesIn(unread, most) : null;
  const lines = whole ?? (unfit === null && rest && unread.length > 0 ? unread : null);
  const length = lines?.length ?? 0;
  const newHead = unread.subarray(0, Math.min(length, KNOWN_BYTES - head.length));
  return {
    progress: {
      position: position + length,
      stats,
      head: newHead.length > 0 ? Buffer.concat([head, newHead]) : head,
      tail: Buffer.from(read.subarray(0, tail.length + length).subarray(-KNOWN_BYTES)),
      lines: start.lines + countLineEnds(lines ?? NOTHING),
      isInLongLine: length > INPUT_LIMITS.recordBytes && lines?.at(-1) !== LF,
      unfit,
    },
    linesBefore: start.lines,
    lines,
  };
}

/**
 * Moves the reading position to the end of the line that is too long, or of the file if the line has not ended. Without this, the parts of the line
 * would be read as separate lines. Returns the start of the file if the file was overwritten.
 */
function skipLongLine(handle: number, stats: BigIntStats, start: ReadingPosition): ReadingPosition {
  let { position, tail } = start;
  for (;;) {
    const read = readBytes(handle, position - tail.length, tail.length + bytesLeft(stats, position));
    if (!read.subarray(0, tail.length).equals(tail)) return START;
    const end = read.indexOf(LF, tail.length) + 1;
    const length = (end > 0 ? end : read.length) - tail.length;
    position += length;
    tail = Buffer.from(read.subarray(0, tail.length + length).subarray(-KNOWN_BYTES));
    if (end > 0) return { ...start, position, tail, lines: start.lines + 1, isInLongLine: false };
    if (length === 0) return { ...start, position, tail };
  }
}

function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

const isUntouched = (now: BigIntStats, before: BigIntStats): boolean =>
  now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs;

/** Returns the number of bytes to read next: at most one more than the limit for a line. */
const bytesLeft = ({ size }: BigIntStats, position: number): number =>
  Math.max(0, Math.min(Number(size) - position, INPUT_LIMITS.recordBytes + 1));

/**
 * True if a file is still the one that was read, possibly with appended bytes, according to its metadata and first bytes. The bytes before the
 * reading position are compared later.
 */
function isContinued(handle: number, now: BigIntStats, { position, stats: before, head }: Progress): boolean {
  if (now.ino !== before.ino || now.dev !== before.dev || now.size < BigInt(position)) return false;
  // File systems without a creation time return the time of the last change.
  if (now.birthtimeNs !== before.birthtimeNs && now.birthtimeNs !== now.ctimeNs) return false;
  if (now.size === before.size && now.mtimeNs !== before.mtimeNs) return false;
  return readBytes(handle, 0, head.length).equals(head);
}

function progressAt(handle: number, stats: BigIntStats, position: number): Progress {
  const length = Math.min(position, KNOWN_BYTES);
  const [head, tail] = [readBytes(handle, 0, length), readBytes(handle, position - length, length)];
  let lines = 0;
  for (let at = 0; at < position; at += COUNTED_BYTES)
    lines += countLineEnds(readBytes(handle, at, Math.min(COUNTED_BYTES, position - at)));
  return { position, stats, head, tail, lines, isInLongLine: false, unfit: null };
}

function readBytes(handle: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  for (let count = -1; count !== 0 && read < length; read += count)
    count = readSync(handle, bytes, read, length - read, from + read);
  return bytes.subarray(0, read);
}

/** Returns why the first bytes of a file cannot be UTF-8 lines; null if they can. */
function describeUnfit(head: Buffer): string | null {
  const reason = findNonTextReason(head);
  if (reason !== null) return reason;
  const end = head.indexOf(LF);
  const hasZeros = head.subarray(0, end < 0 ? undefined : end).includes(0);
  return hasZeros ? 'is not a text file: it contains NUL bytes' : null;
}

/** Returns the complete lines at the start of bytes; null if there is none. A line that is too long is returned too, so that it is reported. */
function wholeLinesIn(bytes: Buffer, most: number): Buffer | null {
  let [end, lines] = [0, 0];
  for (let next = bytes.indexOf(LF); next >= 0 && lines < most; next = bytes.indexOf(LF, end)) {
    end = next + 1;
    lines++;
  }
  if (end === 0) return bytes.length > INPUT_LIMITS.recordBytes ? bytes : null;
  return bytes.subarray(0, end);
}
