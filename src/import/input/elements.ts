// Records in JSON that is formatted over several lines.
import { splitChunksIntoLines, type TextLine, type LineDecoder, UnfinishedLine } from './lines.ts';

const [LF, QUOTE, BACKSLASH, COMMA] = [0x0a, 0x22, 0x5c, 0x2c];
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const SPACE = new Set([0x20, 0x09, 0x0d, LF]);
/** Bytes of the UTF-8 byte order mark, which is not part of a value. */
const MARK = new Set([0xef, 0xbb, 0xbf]);

/**
 * Splits JSON over several lines into records: the elements of one array, or consecutive objects. Each record becomes one line with the line number
 * of its start. A record above the size limit becomes a line with a problem and is not kept in memory.
 *
 * @param isInside true if the array is a property of an object; text after the array is then ignored
 */
export const splitJsonIntoRecordLines = (
  source: AsyncIterable<Uint8Array>,
  decode: LineDecoder,
  isInside = false,
): AsyncGenerator<TextLine[]> => splitChunksIntoLines(source, new ElementCutter(decode, isInside));

class ElementCutter {
  private readonly decode: LineDecoder;
  private readonly isInside: boolean;
  private readonly open = new UnfinishedLine();
  private isOver = false;
  private number = 1;
  private depth = 0;
  /** Nesting depth of the records: 1 inside an array, 0 without one. Undefined before the first byte. */
  private level: number | undefined;
  private inString = false;
  private escaped = false;
  /** Number of the line at which the current record starts; 0 between records. */
  private start = 0;
  private elements = 0;

  constructor(decode: LineDecoder, isInside: boolean) {
    this.decode = decode;
    this.isInside = isInside;
  }

  push(chunk: Buffer): TextLine[] {
    const lines: TextLine[] = [];
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
    if (from >= 0) this.open.add(chunk.subarray(from));
    return lines;
  }

  end(): TextLine[] {
    return this.start > 0 ? [this.finish(Buffer.alloc(0))] : [];
  }

  /** True if this byte starts a record. Other bytes between records are spaces, commas and the brackets of the array. */
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

  /** Processes one byte of the current record. Returns true if it is the record's last byte. */
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

  private finish(last: Buffer): TextLine {
    this.elements += 1;
    const line = { line: this.start, text: '', ...(this.level === 1 && { element: this.elements }) };
    const bytes = this.open.finish(last);
    [this.start, this.depth] = [0, this.level ?? 0];
    if (bytes === null) return { ...line, problem: 'the record is longer than 1 MiB' };
    const text = this.decode(bytes);
    return text === null ? { ...line, problem: 'the record is not valid UTF-8' } : { ...line, text };
  }
}
