// Splits the bytes of an input into lines of text, in bounded memory.
import type { NonPersonReason } from '../columns/persons.ts';
import { INPUT_LIMITS } from '../formats/limits.ts';
import { detectCompression } from '../formats/compression.ts';
import { detectUtf16 } from '../encoding/encoding.ts';

export interface TextLine {
  line: number;
  /** Number of the element of a JSON array, from 1; undefined if the line is not an element. */
  element?: number;
  /** Text of the line; empty if it has a problem. */
  text: string;
  problem?: string;
  aside?: NonPersonReason;
}

/** Returns why bytes at the start of a file cannot be UTF-8 lines, as the end of a sentence about the file; null if they can. */
export function findNonTextReason(head: Buffer): string | null {
  const [utf16, compression] = [detectUtf16(head), detectCompression(head)];
  if (utf16 !== null)
    return `is ${utf16}: save it as UTF-8, or import it as a whole with: bonafide graph import`;
  return (
    compression && `is compressed (${compression}): decompress it, or import it with: bonafide graph import`
  );
}

const LF = 0x0a;
const CR = 0x0d;

/** Reason for a line that is not UTF-8, in an input whose encoding was not recognised. */
export const NOT_UTF_8_REASON = 'the line is not valid UTF-8';

/** Decodes the bytes of a line. Returns null if they are invalid in the encoding. */
export type LineDecoder = (bytes: Buffer) => string | null;

/** Splits the chunks of an input into lines; a chunk may end inside a line. */
interface ChunkCutter {
  push(chunk: Buffer): TextLine[];
  /** Returns the last line, which has no line end. */
  end(): TextLine[];
}

/** Splits an input into lines. Yields one batch of lines for each chunk that contains a line end. */
export async function* splitChunksIntoLines(
  source: AsyncIterable<Uint8Array>,
  cutter: ChunkCutter,
): AsyncGenerator<TextLine[]> {
  for await (const chunk of source) {
    const lines = cutter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (lines.length > 0) yield lines;
  }
  const last = cutter.end();
  if (last.length > 0) yield last;
}

/** Collects the bytes of a line that continues in the next chunk. A line beyond the size limit is dropped as a whole. */
export class UnfinishedLine {
  private parts: Buffer[] = [];
  length = 0;

  add(bytes: Buffer): void {
    this.length += bytes.length;
    // A copy: the stream may use its buffer again.
    if (this.length <= INPUT_LIMITS.recordBytes) this.parts.push(Buffer.from(bytes));
    else this.parts = [];
  }

  /** Completes the line with its last bytes, returns it, and starts a new line. Returns null if the line is too long. */
  finish(last: Buffer): Buffer | null {
    const isTooLong = this.length + last.length > INPUT_LIMITS.recordBytes;
    const bytes = this.length > 0 && !isTooLong ? Buffer.concat([...this.parts, last]) : last;
    this.parts = [];
    this.length = 0;
    return isTooLong ? null : bytes;
  }
}

/**
 * Splits bytes into lines. Line ends are LF, CRLF, or CR in a file that starts without any LF. A byte order mark is removed.
 *
 * @param skipsEmptyRuns true to leave out the empty lines that follow `MAX_EMPTY_RUN` others, because a line takes a hundred times longer than its byte
 */
export const readTextLines = (
  source: AsyncIterable<Uint8Array>,
  decode: LineDecoder,
  skipsEmptyRuns = false,
): AsyncGenerator<TextLine[]> => splitChunksIntoLines(source, new LineCutter(decode, skipsEmptyRuns));

/** Number of consecutive empty lines that are always returned: an unclosed quoted cell ends after as many lines. */
const MAX_EMPTY_RUN = INPUT_LIMITS.rowLines;

class LineCutter implements ChunkCutter {
  private readonly decode: LineDecoder;
  private readonly open = new UnfinishedLine();
  private readonly skipsEmptyRuns: boolean;
  private number = 0;
  private newline = 0;
  /** Number of consecutive empty lines before the current line. */
  private emptyRun = 0;

  constructor(decode: LineDecoder, skipsEmptyRuns: boolean) {
    this.decode = decode;
    this.skipsEmptyRuns = skipsEmptyRuns;
  }

  push(chunk: Buffer): TextLine[] {
    if (this.newline === 0) this.newline = chunk.includes(LF) || !chunk.includes(CR) ? LF : CR;
    const lines: TextLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(this.newline); end >= 0; end = chunk.indexOf(this.newline, start)) {
      const line = this.finish(chunk.subarray(start, end));
      lines.push(line);
      start = end + 1;
      this.emptyRun = line.text === '' && line.problem === undefined ? this.emptyRun + 1 : 0;
      if (this.skipsEmptyRuns && this.emptyRun >= MAX_EMPTY_RUN) start = this.skipEmptyLines(chunk, start);
    }
    if (start < chunk.length) this.open.add(chunk.subarray(start));
    return lines;
  }

  end(): TextLine[] {
    return this.open.length > 0 ? [this.finish(Buffer.alloc(0))] : [];
  }

  /** Counts the empty lines at `start`, and returns the index after them. */
  private skipEmptyLines(chunk: Buffer, start: number): number {
    for (let at = start; ; this.number += 1)
      if (chunk[at] === this.newline) at += 1;
      else if (chunk[at] === CR && chunk[at + 1] === this.newline) at += 2;
      else return at;
  }

  private finish(last: Buffer): TextLine {
    this.number += 1;
    const line = { line: this.number, text: '' };
    const bytes = this.open.finish(last);
    if (bytes === null) return { ...line, problem: 'the line is longer than 1 MiB' };
    const text = this.decode(bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes);
    if (text === null) return { ...line, problem: NOT_UTF_8_REASON };
    return { ...line, text: this.number === 1 ? text.replace(/^\ufeff/, '') : text };
  }
}
