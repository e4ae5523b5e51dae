// Opens an input: detects compression, format and encoding, and converts the bytes to lines.
import { BonafideError } from '../../errors.ts';
import { type InputCompression, decompressStream, detectCompression } from '../formats/compression.ts';
import { isVcardText, readVcards } from '../formats/vcard.ts';
import type { WorkbookOptions } from '../formats/xlsx.ts';
import type { WorkbookSheets } from '../settings.ts';
import { splitJsonIntoRecordLines } from './elements.ts';
import {
  createLineDecoder,
  decodeNamedEncoding,
  detectUtf16,
  parseEncoding,
  detectEncodingInStream,
  type Encoding,
  utf16ToUtf8,
} from '../encoding/encoding.ts';
import { type TextLine, readTextLines } from './lines.ts';
import { findWrappedRecordListOffset } from './wrapped.ts';

export type CsvOrJsonLinesFormat = 'jsonl' | 'csv';

/** Detected compression, file type and encoding of an input. The encoding is final only after the whole input was read. */
export interface DetectedInputFormat extends WorkbookSheets {
  packing: InputCompression | null;
  /** Type of file that was converted to lines; null for text. */
  kind: 'Excel' | 'Parquet' | 'vCard' | null;
  encoding: Encoding;
}

/** Encoding and workbook sheet of an input, as named by the caller. Otherwise, they are detected. */
export interface InputFormatOptions {
  encoding?: string | undefined;
  /** Name of the workbook sheet. Default: the first visible sheet. */
  sheet?: string | undefined;
  /** True to leave out most lines of a long run of empty lines; see `readTextLines`. */
  skipsEmptyRuns?: boolean;
}

/** Describes in a sentence how an input was read, and how to read it differently. Empty for a plain UTF-8 file. */
export function describeDetectedInputFormat({ encoding, sheet, otherSheets }: DetectedInputFormat): string {
  if (sheet !== null && otherSheets.length > 0)
    return `only the sheet "${sheet}" is read, and not ${otherSheets.map((name) => `"${name}"`).join(', ')} (option --sheet)`;
  return encoding === 'UTF-8' ? '' : `the text is read as ${encoding} (option --encoding)`;
}

/** Input as lines of text. Each line is a line of a table or one JSON value. */
export interface TextInput {
  lines: AsyncIterable<TextLine[]>;
  format: CsvOrJsonLinesFormat;
  form: DetectedInputFormat;
  /** True for a text that starts with a byte order mark. */
  hasByteOrderMark: boolean;
}

const JSON_ENDING = /\.(?:jsonl|ndjson|jsonlines|json)(?:\.gz|\.zst)?$/i;
const CSV_ENDING = /\.(?:csv|tsv|tab|txt)(?:\.gz|\.zst)?$/i;
/** Matches the start of JSON that is not one record per line: an array, or an object over several lines. */
const OVER_SEVERAL_LINES = /^\s*(?:\[|\{[ \t]*\r?\n)/;

/**
 * Opens an input as lines of text. Compression (gzip, Zstandard) and encoding are detected. The format follows from the file extension;
 * otherwise it is JSON if the first character is `{` or `[`, else CSV. Records of a JSON array become lines, as do rows of Excel workbooks and
 * Parquet files and vCards. Errors: `unreadable_file` for a damaged or too large file, a file that is not text, and text that is invalid in the
 * named encoding; `invalid_arguments` for an unknown encoding.
 */
export async function openTextInput(
  source: AsyncIterable<Uint8Array>,
  name: string,
  choice: InputFormatOptions = {},
): Promise<TextInput> {
  const named = choice.encoding === undefined ? null : parseEncoding(choice.encoding);
  let peeked = await peek(source);
  const compression = detectCompression(peeked.head);
  if (compression !== null) peeked = await peek(decompressStream(peeked.bytes, { name, compression }));
  const whole = WHOLE_FILES.find(([start]) => peeked.head.toString('latin1').startsWith(start));
  const utf16 = named === null && !whole ? detectUtf16(peeked.head) : null;
  if (utf16 !== null) peeked = await peek(utf16ToUtf8(peeked.bytes, utf16));
  else if (named !== null && !whole) peeked = await peek(decodeNamedEncoding(peeked.bytes, named, name));
  const { head, begun, bytes } = peeked;
  const form: DetectedInputFormat = {
    packing: compression,
    kind: null,
    encoding: utf16 ?? named ?? 'UTF-8',
    sheet: null,
    otherSheets: [],
    widestSheet: null,
  };
  if (whole) {
    const [, kind, format] = whole;
    form.kind = kind;
    const onSheets: WorkbookOptions['onSheets'] = (sheet, others) => {
      const [widest = null] = others.toSorted((a, b) => b.columns - a.columns);
      const otherSheets = others.map((other) => other.name);
      Object.assign(form, { sheet, otherSheets, widestSheet: widest });
    };
    const lines = await linesOf(kind, bytes, { name, sheet: choice.sheet, onSheets });
    return { lines, format, form, hasByteOrderMark: false };
  }
  refuseBinary(head.subarray(0, SIGNATURE_BYTES), name);
  if (LDIF.test(head.toString('latin1'))) throw createFileTypeError(name, 'an LDIF file', LDIF_ADVICE);
  const utf8 =
    utf16 === null && named === null
      ? detectEncodingInStream(bytes, (encoding) => void (form.encoding = encoding))
      : bytes;
  const start = head.toString('utf8');
  const text = start.replace(/^\ufeff/, '');
  const hasByteOrderMark = text !== start;
  const format = formatOf(name, text);
  const decode = createLineDecoder(form);
  if (isVcardText(text)) {
    form.kind = 'vCard';
    return {
      lines: readVcards(readTextLines(utf8, decode, choice.skipsEmptyRuns)),
      format: 'jsonl',
      form,
      hasByteOrderMark,
    };
  }
  if (format !== 'jsonl')
    return { lines: readTextLines(utf8, decode, choice.skipsEmptyRuns), format, form, hasByteOrderMark };
  const before = findWrappedRecordListOffset(begun.toString('latin1'));
  if (before > 0)
    return {
      lines: splitJsonIntoRecordLines(skipBytes(utf8, before), decode, true),
      format,
      form,
      hasByteOrderMark,
    };
  const lines = OVER_SEVERAL_LINES.test(text)
    ? splitJsonIntoRecordLines(utf8, decode)
    : readTextLines(utf8, decode, choice.skipsEmptyRuns);
  return { lines, format, form, hasByteOrderMark };
}

async function* skipBytes(bytes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of bytes) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** Types of files that must be read as a whole: first characters, type, and format of the resulting lines. */
const WHOLE_FILES: readonly [start: string, kind: 'Excel' | 'Parquet', format: CsvOrJsonLinesFormat][] = [
  ['PK\u0003\u0004', 'Excel', 'csv'],
  ['PAR1', 'Parquet', 'jsonl'],
];

/** Converts a file to lines. Loads the code for its type when the first such file is read. */
async function linesOf(
  kind: 'Excel' | 'Parquet',
  bytes: AsyncIterable<Uint8Array>,
  options: WorkbookOptions,
): Promise<AsyncIterable<TextLine[]>> {
  if (kind === 'Excel') return (await import('../formats/xlsx.ts')).readWorkbook(bytes, options);
  return (await import('../formats/parquet.ts')).readParquet(bytes, options);
}

function formatOf(name: string, head: string): CsvOrJsonLinesFormat {
  if (JSON_ENDING.test(name)) return 'jsonl';
  if (CSV_ENDING.test(name)) return 'csv';
  return /^\s*[[{]/.test(head) ? 'jsonl' : 'csv';
}

/** First characters of files that cannot be imported, their type, and advice to the user. */
const BINARY_FILES: readonly [start: string, kind: string, advice: string][] = [
  ['d0cf11e0', 'an old Excel workbook', 'Save the sheet as CSV (UTF-8)'],
  ['25504446', 'a PDF', 'Export the records as CSV'],
  ['53514c697465', 'an SQLite database', 'Export its table as CSV'],
  ['377abcaf', 'a 7z archive', 'Extract it'],
  ['fd377a58', 'an xz archive', 'Extract it'],
  ['425a68', 'a bzip2 archive', 'Extract it'],
];
const NOT_TEXT: (typeof BINARY_FILES)[number] = [
  '',
  'not a text file: it contains NUL bytes',
  'Export the records as CSV or JSON Lines',
];

/** Matches the first lines of an LDIF file (RFC 2849) and of the output of ldapsearch. */
const LDIF = /^(?:version: 1\s+)?(?:dn::? |# extended LDIF)/;
const LDIF_ADVICE =
  'Export the entries as CSV, with csvde (Active Directory) or Apache Directory Studio (other servers)';

const createFileTypeError = (name: string, kind: string, advice: string) =>
  new BonafideError('unreadable_file', `${name} is ${kind}. ${advice}, then import the new file.`);

function refuseBinary(head: Buffer, name: string): void {
  const hex = head.toString('hex');
  const binary = BINARY_FILES.find(([start]) => hex.startsWith(start));
  const file = binary ?? (head.includes(0) ? NOT_TEXT : null);
  if (file) throw createFileTypeError(name, file[1], file[2]);
}

const SIGNATURE_BYTES = 64;
const HEAD_BYTES = 512;
/** Number of first bytes of an input that are searched for a list of records inside an object. */
const BEGUN_BYTES = 64 * 1024;

/** Input with its first bytes already read. */
interface Peeked {
  head: Buffer;
  /** First bytes of the input that were available at once, up to 64 KiB. */
  begun: Buffer;
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
