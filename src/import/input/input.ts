import { BonafideError } from '../../errors.ts';
import { readElements } from './elements.ts';
import {
  createLineDecoder,
  type Encoding,
  utf16ToUtf8,
  detectWhileReading,
  detectUtf16,
} from './encoding.ts';
import { isVcardText, readVcards } from '../formats/vcard.ts';
import { type Line, readLines, type Compression, detectCompression, decompress } from './lines.ts';
import { findWrappedList } from './wrapped.ts';

export type InputFormat = 'jsonl' | 'csv';

/** What an input turned out to be. The encoding is sure when all of it was read. */
export interface InputForm {
  packing: Compression | null;
  /** What was made into lines; null where it is text as it is. */
  kind: 'Excel' | 'Parquet' | 'vCard' | null;
  encoding: Encoding;
}

/** An input as lines of text: those of a table, or one JSON value each. */
export interface OpenedInput {
  lines: AsyncIterable<Line[]>;
  format: InputFormat;
  form: InputForm;
}

const JSON_ENDING = /\.(?:jsonl|ndjson|jsonlines|json)(?:\.gz|\.zst)?$/i;
const CSV_ENDING = /\.(?:csv|tsv|tab|txt)(?:\.gz|\.zst)?$/i;
/** One array of records, or records over several lines. */
const LAID_OUT = /^\s*(?:\[|\{[ \t]*\r?\n)/;

/**
 * Unpacks gzip and Zstandard, told by their first bytes, says the format (by the name's ending, else JSON where the first character is
 * `{` or `[`) and cuts the input into lines of text, or into the records of a JSON array, whatever its encoding. Excel workbooks become the
 * lines of a table, Parquet and vCards those of JSON.
 *
 * Errors: `unreadable_file` for a damaged or overlarge packed file, and for files that are no text.
 */
export async function openInput(source: AsyncIterable<Uint8Array>, name: string): Promise<OpenedInput> {
  let peeked = await peek(source);
  const packing = detectCompression(peeked.head);
  if (packing !== null) peeked = await peek(decompress(peeked.bytes, { name, packing }));
  const wide = detectUtf16(peeked.head);
  if (wide === 'UTF-16LE' || wide === 'UTF-16BE') peeked = await peek(utf16ToUtf8(peeked.bytes, wide));
  const { head, begun, bytes } = peeked;
  const form: InputForm = { packing, kind: null, encoding: wide ?? 'UTF-8' };
  const whole = WHOLE.find(([start]) => head.toString('latin1').startsWith(start));
  if (whole) {
    const [, kind, format] = whole;
    form.kind = kind;
    return { lines: await linesOf(kind, bytes, name), format, form };
  }
  refuseBinary(head.subarray(0, SIGNATURE_BYTES), name);
  const narrow =
    wide === null ? detectWhileReading(bytes, (encoding) => void (form.encoding = encoding)) : bytes;
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  const format = formatOf(name, text);
  const decode = createLineDecoder(form);
  if (isVcardText(text)) {
    form.kind = 'vCard';
    return { lines: readVcards(readLines(narrow, decode)), format: 'jsonl', form };
  }
  if (format !== 'jsonl') return { lines: readLines(narrow, decode), format, form };
  const before = findWrappedList(begun.toString('latin1'));
  if (before > 0) return { lines: readElements(after(narrow, before), decode, true), format, form };
  const lines = LAID_OUT.test(text) ? readElements(narrow, decode) : readLines(narrow, decode);
  return { lines, format, form };
}

/** The bytes behind so many. */
async function* after(bytes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of bytes) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** Forms that are read as a whole, by how they begin, and what lines they become. Their readers are loaded when one comes. */
const WHOLE: readonly [start: string, kind: 'Excel' | 'Parquet', format: InputFormat][] = [
  ['PK\u0003\u0004', 'Excel', 'csv'],
  ['PAR1', 'Parquet', 'jsonl'],
];

async function linesOf(
  kind: 'Excel' | 'Parquet',
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): Promise<AsyncIterable<Line[]>> {
  if (kind === 'Excel') return (await import('../formats/xlsx.ts')).readWorkbook(bytes, { name });
  return (await import('../formats/parquet.ts')).readParquet(bytes, { name });
}

function formatOf(name: string, head: string): InputFormat {
  if (JSON_ENDING.test(name)) return 'jsonl';
  if (CSV_ENDING.test(name)) return 'csv';
  return /^\s*[[{]/.test(head) ? 'jsonl' : 'csv';
}

/** First bytes of files that people try, and what to do with them. */
const BINARY: readonly [start: string, what: string, advice: string][] = [
  ['d0cf11e0', 'an old Excel workbook', 'Save the sheet as CSV (UTF-8)'],
  ['25504446', 'a PDF', 'Export the records as CSV'],
  ['53514c697465', 'an SQLite database', 'Export its table as CSV'],
  ['377abcaf', 'a 7z archive', 'Unpack it'],
  ['fd377a58', 'an xz archive', 'Unpack it'],
  ['425a68', 'a bzip2 archive', 'Unpack it'],
];

function refuseBinary(head: Buffer, name: string): void {
  const hex = head.toString('hex');
  const [, what, advice] =
    BINARY.find(([start]) => hex.startsWith(start)) ??
    (head.includes(0) ? ['', 'no text', 'Export the records as CSV or JSON Lines'] : []);
  if (what !== undefined)
    throw new BonafideError('unreadable_file', `${name} is ${what}. ${advice} and import that.`);
}

const SIGNATURE_BYTES = 64;
const HEAD_BYTES = 512;
/** In which records are looked for that something wraps. */
const BEGUN_BYTES = 64 * 1024;

interface Peeked {
  /** The first bytes. */
  head: Buffer;
  /** And those that came with them. */
  begun: Buffer;
  /** All bytes again from the start. */
  bytes: AsyncIterable<Uint8Array>;
}

async function peek(source: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  const begun = Buffer.concat(chunks).subarray(0, BEGUN_BYTES);
  return { head: begun.subarray(0, HEAD_BYTES), begun, bytes: resume(chunks, iterator) };
}

async function* resume(
  chunks: Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks.splice(0);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
