// The file that answers go to, line by line: one that is there already is gone on with behind its last whole line.
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { BonafideError } from '../../errors.ts';
import type { InputFormat } from '../../import/input/input.ts';
import { errorCode } from '../../platform/files.ts';

export interface Output {
  /**
   * The next line that is there already, or null behind the last whole one; from then on lines are appended. What is left of a line that was
   * being written when its process died is dropped.
   *
   * @param begins how the line has to begin, or begin to begin
   * Errors: already_there, where the file is no output of this input.
   */
  take(begins: string): Promise<string | null>;
  /** Errors: disk_full, disk_failed; already_there, where another process writes to the file. The line is there whole, or not at all. */
  append(line: string): void;
  /** To be called behind the last line of the input. Errors: already_there, where the file has more lines. */
  end(): Promise<void>;
  close(): void;
}

/** Opens the file, mode 0600 where it is made. Errors: unreadable_file. */
export function openOutput(file: string, format: InputFormat): Output {
  const opened = open(file);
  const lines = wholeLines(file, format === 'csv');
  let [position, behind] = [0, false];
  const next = async () => {
    const { value } = await lines.next();
    if (value?.whole) position += Buffer.byteLength(value.text);
    return value;
  };
  return {
    async take(begins) {
      if (behind) return null;
      const line = await next();
      if (line?.whole && line.text.startsWith(begins)) return line.text;
      if (line && (line.whole || !agree(line.text, begins))) throw another(file);
      behind = true;
      ftruncateSync(opened, position);
      return null;
    },
    append(line) {
      if (fstatSync(opened).size !== position) throw inUse(file);
      position = write(opened, line, { position, file });
    },
    async end() {
      if (!behind && (await next())) throw another(file);
      fsyncSync(opened);
    },
    close: () => closeSync(opened),
  };
}

function open(file: string): number {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch {
    throw new BonafideError('unreadable_file', `${file} cannot be written: name another with --out.`);
  }
  if (fstatSync(opened).isFile()) return opened;
  closeSync(opened);
  throw new BonafideError(
    'unreadable_file',
    `${file} is no file that can be gone on with: name one with --out.`,
  );
}

/** Gives the position behind the line. */
function write(opened: number, line: string, { position, file }: { position: number; file: string }): number {
  const bytes = Buffer.from(line);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(opened, bytes, at, bytes.length - at, position + at);
    return position + bytes.length;
  } catch (error) {
    ftruncateSync(opened, position);
    throw cannotWrite(file, errorCode(error));
  }
}

const cannotWrite = (file: string, code: string) =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
    ? new BonafideError('disk_full', `${file} cannot grow: free some space, then run this again to go on.`)
    : new BonafideError('disk_failed', `${file} cannot be written (${code}).`);
const another = (file: string) =>
  new BonafideError(
    'already_there',
    `${file} is there and is not the beginning of what this input gives: name another with --out, or remove it.`,
  );
const inUse = (file: string) =>
  new BonafideError(
    'already_there',
    `Another process writes to ${file}: let it end, or name another with --out.`,
  );

/** Whether what there is of a line may have become one that begins so. */
const agree = (part: string, begins: string) => part.startsWith(begins) || begins.startsWith(part);

/** Longer than any line of ours: a file that has one is another's. */
const LONGEST = 8 * 1024 * 1024;
const LF = 0x0a;
const QUOTE = 0x22;

/** The lines of a file, with their ends, and last what comes behind the last line end. A line end within quotes is none. */
async function* wholeLines(
  file: string,
  quotes: boolean,
): AsyncGenerator<{ text: string; whole: boolean }, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let isQuoted = false;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let [start, at] = [0, rest.length];
    rest = Buffer.concat([rest, chunk]);
    for (; at < rest.length; at++) {
      if (quotes && rest[at] === QUOTE) isQuoted = !isQuoted;
      if (rest[at] !== LF || isQuoted) continue;
      yield { text: rest.toString('utf8', start, at + 1), whole: true };
      start = at + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > LONGEST) break;
  }
  if (rest.length > 0) yield { text: decoded(rest), whole: false };
}

/** Without the bytes of a character that was cut in two. */
const decoded = (bytes: Buffer) => bytes.toString('utf8').replace(/\ufffd+$/, '');
