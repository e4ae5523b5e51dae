import type { NonPersonKind } from '../columns/persons.ts';
import { detectUtf16 } from './encoding.ts';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { BonafideError } from '../../errors.ts';

/** One line of a text file, without its line end: either its text or why it has none. Counted from 1. */
export interface Line {
  line: number;
  text: string;
  problem?: string;
  /** Why it is no person's. */
  aside?: NonPersonKind;
}

/** Why bytes that begin so are no lines in UTF-8, to be said of what holds them; null where they may be. */
export function describeNonLines(head: Buffer): string | null {
  const [wide, packing] = [detectUtf16(head), detectCompression(head)];
  if (wide !== null)
    return `is ${wide}: save it as UTF-8, or take it in as a whole with: bonafide graph import`;
  return packing && `is packed (${packing}): unpack it, or take it in with: bonafide graph import`;
}

/** A longer line is told as a problem and passed over, so that memory stays bounded. */
export const MAX_LINE_BYTES = 1024 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts bytes into lines, a batch for each chunk that comes in. Line ends are `\n` or `\r\n`, or `\r` in a file that
 * starts without any `\n`; a byte order mark is dropped. `decode` gives a line's text, or null where its bytes are none.
 */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  decode: (bytes: Buffer) => string | null,
): AsyncGenerator<Line[]> {
  const cutter = new LineCutter(decode);
  for await (const chunk of source) {
    const lines = cutter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (lines.length > 0) yield lines;
  }
  const last = cutter.end();
  if (last.length > 0) yield last;
}

class LineCutter {
  private readonly decode: (bytes: Buffer) => string | null;
  private number = 0;
  private newline = 0;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private tooLong = false;

  constructor(decode: (bytes: Buffer) => string | null) {
    this.decode = decode;
  }

  push(chunk: Buffer): Line[] {
    if (this.newline === 0) this.newline = chunk.includes(LF) || !chunk.includes(CR) ? LF : CR;
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(this.newline, start);
      if (end < 0) break;
      lines.push(this.finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
    return lines;
  }

  end(): Line[] {
    return this.keptBytes > 0 || this.tooLong ? [this.finish(Buffer.alloc(0))] : [];
  }

  private keep(rest: Buffer): void {
    this.tooLong ||= this.keptBytes + rest.length > MAX_LINE_BYTES;
    if (this.tooLong) {
      this.kept = [];
      this.keptBytes = 0;
      return;
    }
    // A copy, because a reader may use its buffer again.
    this.kept.push(Buffer.from(rest));
    this.keptBytes += rest.length;
  }

  private finish(rest: Buffer): Line {
    this.number += 1;
    const whole = this.keptBytes > 0 ? Buffer.concat([...this.kept, rest]) : rest;
    const tooLong = this.tooLong || whole.length > MAX_LINE_BYTES;
    this.kept = [];
    this.keptBytes = 0;
    this.tooLong = false;
    if (tooLong) return { line: this.number, text: '', problem: 'the line is longer than 1 MiB' };
    const text = this.decode(whole.at(-1) === CR ? whole.subarray(0, -1) : whole);
    if (text === null) return { line: this.number, text: '', problem: 'the line is not valid UTF-8' };
    return { line: this.number, text: this.number === 1 ? text.replace(/^\ufeff/, '') : text };
  }
}

// Packed inputs, told by their first bytes, whatever the name.
export type Compression = 'gzip' | 'zstd';

const MAGIC: readonly [hex: string, packing: Compression][] = [
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
];
/** Exports shrink five to fifty times. Far beyond, and past this size, it is a bomb. */
const MOST_TIMES = 250;
const ALWAYS_UNPACKED = 64 * 1024 * 1024;

/** How an input that begins with these bytes is packed; null where it is not. */
export function detectCompression(head: Buffer): Compression | null {
  const hex = head.toString('hex', 0, 4);
  return MAGIC.find(([magic]) => hex.startsWith(magic))?.[1] ?? null;
}

/**
 * Unpacks a stream, a chunk at a time.
 *
 * Errors: `unreadable_file` where it is damaged, cut off or a bomb.
 */
export async function* decompress(
  bytes: AsyncIterable<Uint8Array>,
  { name, packing }: { name: string; packing: Compression },
): AsyncGenerator<Uint8Array> {
  const unpacked: Transform = packing === 'gzip' ? createGunzip() : createZstdDecompress();
  let [packed, length] = [0, 0];
  const counted = async function* () {
    for await (const chunk of bytes) {
      packed += chunk.length;
      yield chunk;
    }
  };
  // The error arrives where the unpacked bytes are read.
  pipeline(Readable.from(counted(), { objectMode: false }), unpacked, () => {});
  try {
    for await (const chunk of unpacked) {
      length += (chunk as Buffer).length;
      if (length > ALWAYS_UNPACKED && length > MOST_TIMES * packed) throw bomb(name);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (!/^Z(?:STD)?_/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new BonafideError(
      'unreadable_file',
      `${name} is a damaged or cut-off ${packing} file. Unpack or fetch it again, then repeat the import.`,
    );
  } finally {
    unpacked.destroy();
  }
}

const bomb = (name: string): BonafideError =>
  new BonafideError(
    'unreadable_file',
    `${name} unpacks to more than ${MOST_TIMES} times its size, as no list of people does. If it is one, unpack it first.`,
  );
