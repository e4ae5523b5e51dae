import type { Line } from './lines.ts';
import { MAX_LINE_BYTES } from './lines.ts';

const [LF, QUOTE, BACKSLASH, COMMA] = [0x0a, 0x22, 0x5c, 0x2c];
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const SPACE = new Set([0x20, 0x09, 0x0d, LF]);
/** Where a byte order mark stands; it is no part of a value. */
const MARK = new Set([0xef, 0xbb, 0xbf]);

/**
 * Cuts JSON that is laid out over lines into its records, each as one line under the number where it starts: the elements of one array, or
 * objects one after the other. Memory is bounded: a longer record than a line may be is told as a problem.
 *
 * @param isInside whether the array is inside something, of which nothing is read
 */
export async function* readElements(
  source: AsyncIterable<Uint8Array>,
  decode: (bytes: Buffer) => string | null,
  isInside = false,
): AsyncGenerator<Line[]> {
  const cutter = new ElementCutter(decode, isInside);
  for await (const chunk of source) {
    const lines = cutter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (lines.length > 0) yield lines;
  }
  const last = cutter.end();
  if (last.length > 0) yield last;
}

class ElementCutter {
  private readonly decode: (bytes: Buffer) => string | null;
  private readonly isInside: boolean;
  private isOver = false;
  private number = 1;
  private depth = 0;
  /** The depth at which records stand: 1 in an array. Unknown before the first byte. */
  private level: number | undefined;
  private inString = false;
  private escaped = false;
  /** Line at which the open element starts; 0 where none is open. */
  private start = 0;
  private kept: Buffer[] = [];
  private keptBytes = 0;

  constructor(decode: (bytes: Buffer) => string | null, isInside: boolean) {
    this.decode = decode;
    this.isInside = isInside;
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = this.start > 0 ? 0 : -1;
    for (const [at, byte] of chunk.entries()) {
      if (byte === LF) this.number += 1;
      if (this.start === 0) {
        if (!this.opens(byte)) continue;
        from = at;
        this.start = this.number;
      }
      if (this.ends(byte)) {
        const end = byte === COMMA || this.depth < (this.level ?? 0) ? at : at + 1;
        lines.push(this.finish(chunk.subarray(from, end)));
        from = -1;
      }
    }
    if (from >= 0) this.keep(chunk.subarray(from));
    return lines;
  }

  end(): Line[] {
    return this.start > 0 ? [this.finish(Buffer.alloc(0))] : [];
  }

  /** Whether an element starts here; between elements stand spaces, commas and the brackets of the array. */
  private opens(byte: number): boolean {
    if (this.isOver || SPACE.has(byte) || byte === COMMA) return false;
    if (this.level === undefined) {
      if (MARK.has(byte)) return false;
      this.level = byte === 0x5b ? 1 : 0;
      this.depth = this.level;
      return this.level === 0;
    }
    const isEnd = byte === 0x5d && this.depth === this.level;
    this.isOver = isEnd && this.isInside;
    return !isEnd;
  }

  /** Follows one byte of the open element; whether it ends it. */
  private ends(byte: number): boolean {
    if (this.inString) {
      this.inString = this.escaped || byte !== QUOTE;
      this.escaped = !this.escaped && byte === BACKSLASH;
      return false;
    }
    if (byte === QUOTE) this.inString = true;
    else if (OPENING.has(byte)) this.depth += 1;
    else if (CLOSING.has(byte)) {
      this.depth -= 1;
      return this.depth <= (this.level ?? 0);
    }
    return byte === COMMA && this.depth === this.level;
  }

  private keep(rest: Buffer): void {
    this.keptBytes += rest.length;
    // A copy, because a reader may use its buffer again.
    if (this.keptBytes <= MAX_LINE_BYTES) this.kept.push(Buffer.from(rest));
    else this.kept = [];
  }

  private finish(rest: Buffer): Line {
    const line = this.start;
    const tooLong = this.keptBytes + rest.length > MAX_LINE_BYTES;
    const text = tooLong ? null : this.decode(Buffer.concat([...this.kept, rest]));
    this.kept = [];
    [this.start, this.keptBytes, this.depth] = [0, 0, this.level ?? 0];
    if (tooLong) return { line, text: '', problem: 'the record is longer than 1 MiB' };
    return text === null ? { line, text: '', problem: 'the record is not valid UTF-8' } : { line, text };
  }
}
