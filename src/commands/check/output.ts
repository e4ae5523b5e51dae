// Output file of `check --file`. A later run continues an existing file after its last complete line.
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
import type { CsvOrJsonLinesFormat } from '../../import/input/input.ts';
import { getErrorCode } from '../../platform/files.ts';
import { createUnwritableFileError } from '../helpers/files.ts';

export interface OutputFile {
  /**
   * Returns the next complete line that an earlier run wrote, which must start with `prefix`; null after the last one. An incomplete last line
   * is removed, so that lines can be appended. Errors: already_there if the file is the output of another input.
   */
  readLine(prefix: string): Promise<string | null>;
  /** Appends a line, completely or not at all. Errors: disk_full, disk_failed, already_there if another process writes to the file. */
  append(line: string): void;
  /** Checks, after the last row of the input, that the output has no further lines. Errors: already_there if it has. */
  finish(): Promise<void>;
  close(): void;
}

/**
 * Returns the output file of `check --file`. It is opened, or created with mode 0600, at its first use, so that an input that is refused before its
 * first row leaves no empty file. Errors of the first use: read_only, unreadable_file.
 */
export function openOutputFile(file: string, format: CsvOrJsonLinesFormat): OutputFile {
  let opened: number | null = null;
  const open = () => (opened ??= openFile(file));
  const lines = readLines(file, format === 'csv');
  /** Number of bytes of the complete lines read or written so far. */
  let position = 0;
  let isAtEnd = false;
  const nextLine = async () => {
    const { value } = await lines.next();
    if (value?.isComplete) position += Buffer.byteLength(value.text);
    return value;
  };
  return {
    async readLine(prefix) {
      if (isAtEnd) return null;
      const handle = open();
      const line = await nextLine();
      if (line?.isComplete && line.text.startsWith(prefix)) return line.text;
      if (line && (line.isComplete || !mayStartWith(line.text, prefix))) throw foreignOutput(file);
      isAtEnd = true;
      ftruncateSync(handle, position);
      return null;
    },
    append(line) {
      const handle = open();
      if (fstatSync(handle).size !== position) throw fileInUse(file);
      position = writeLine(handle, line, { position, file });
    },
    async finish() {
      const handle = open();
      if (!isAtEnd && (await nextLine())) throw foreignOutput(file);
      fsyncSync(handle);
    },
    close() {
      if (opened !== null) closeSync(opened);
    },
  };
}

function openFile(file: string): number {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch {
    throw createUnwritableFileError(file, '--out');
  }
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  throw new BonafideError(
    'unreadable_file',
    `The output ${file} is not a regular file, so a later run cannot continue it. Choose a file with --out.`,
  );
}

function writeLine(
  handle: number,
  line: string,
  { position, file }: { position: number; file: string },
): number {
  const bytes = Buffer.from(line);
  try {
    let written = 0;
    while (written < bytes.length)
      written += writeSync(handle, bytes, written, bytes.length - written, position + written);
    return position + bytes.length;
  } catch (error) {
    ftruncateSync(handle, position);
    throw toWriteError(file, getErrorCode(error));
  }
}

const toWriteError = (file: string, code: string) =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
    ? new BonafideError(
        'disk_full',
        `The disk of ${file} is full. Free some space, then run the command again to continue.`,
      )
    : new BonafideError(
        'disk_failed',
        `The output file ${file} cannot be written (${code}). Check the disk.`,
      );

const foreignOutput = (file: string) =>
  new BonafideError(
    'already_there',
    `${file} exists and is not the output of this input. Choose another file with --out, or remove ${file}.`,
  );

const fileInUse = (file: string) =>
  new BonafideError(
    'already_there',
    `Another process writes to ${file}. Wait until it has ended, or choose another file with --out.`,
  );

/** True if the incomplete line `part` could be the start of a line with this prefix. */
const mayStartWith = (part: string, prefix: string) => part.startsWith(prefix) || prefix.startsWith(part);

/** Maximum length of an output line in bytes. A longer line was not written by this command. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const LF = 0x0a;
const QUOTE = 0x22;

/**
 * Reads the lines of a file, with their line ends. The last line may be incomplete. If `quotes` is true, a line end inside quotes does not end
 * the line.
 */
async function* readLines(
  file: string,
  quotes: boolean,
): AsyncGenerator<{ text: string; isComplete: boolean }, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let isQuoted = false;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let [start, i] = [0, rest.length];
    rest = Buffer.concat([rest, chunk]);
    for (; i < rest.length; i++) {
      if (quotes && rest[i] === QUOTE) isQuoted = !isQuoted;
      if (rest[i] !== LF || isQuoted) continue;
      yield { text: rest.toString('utf8', start, i + 1), isComplete: true };
      start = i + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > MAX_LINE_BYTES) break;
  }
  if (rest.length > 0) yield { text: decodePart(rest), isComplete: false };
}

/** Decodes UTF-8, and drops an incomplete character at the end. */
const decodePart = (bytes: Buffer) => bytes.toString('utf8').replace(/\ufffd+$/, '');
