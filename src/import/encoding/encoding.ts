// Encodings of text: detection, and conversion to UTF-8.
import { isAscii, isUtf8 } from 'node:buffer';
import { BonafideError } from '../../errors.ts';
import {
  detectMultiByteEncoding,
  MULTI_BYTE_TEXT_DECODER_LABELS,
  type MultiByteEncoding,
} from './multi-byte.ts';
import {
  detectCyrillicEncoding,
  detectGreekHebrewArabicThaiEncoding,
  detectSingleByteEncoding,
  SINGLE_BYTE_DECODERS,
  type SingleByteEncoding,
} from './single-byte.ts';

type Utf16 = 'UTF-16LE' | 'UTF-16BE';
export type Encoding = 'UTF-8' | 'UTF-8 encoded twice' | Utf16 | SingleByteEncoding | MultiByteEncoding;

/** Number of bytes that are examined to detect the encoding, starting at the first byte that is not ASCII. */
const SAMPLE_BYTES = 64 * 1024;
const LF = 0x0a;

/** Detects UTF-16 by its byte order mark, or by the zero bytes next to ASCII letters. Returns null for every other encoding. */
export function detectUtf16(head: Buffer): Utf16 | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'UTF-16LE';
  if (head[0] === 0xfe && head[1] === 0xff) return 'UTF-16BE';
  if (head.length < 4) return null;
  let [even, odd] = [0, 0];
  for (const [at, byte] of head.entries())
    if (byte === 0 && at % 2 === 0) even++;
    else if (byte === 0) odd++;
  const most = (head.length / 2) * 0.6;
  return odd > most && even === 0 ? 'UTF-16LE' : even > most && odd === 0 ? 'UTF-16BE' : null;
}

/** Converts UTF-16 to UTF-8 and removes the byte order mark. */
export async function* utf16ToUtf8(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Utf16,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding.toLowerCase());
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  const rest = decoder.decode();
  if (rest !== '') yield Buffer.from(rest);
}

/**
 * Detects the encoding of a stream and passes the stream on. Multi-byte text is converted to UTF-8; other bytes stay unchanged. `onEncoding` is
 * called before the first chunk that is not ASCII.
 */
export async function* detectEncodingInStream(
  bytes: AsyncIterable<Uint8Array>,
  onEncoding: (encoding: Encoding) => void,
): AsyncGenerator<Uint8Array> {
  const waiting: Buffer[] = [];
  let [length, isDetected] = [0, false];
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  const convert = (chunk: Uint8Array) =>
    decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  const detect = () => {
    const encoding = detectEncoding(Buffer.concat(waiting));
    onEncoding(encoding);
    isDetected = true;
    if (isMultiByte(encoding)) decoder = new TextDecoder(MULTI_BYTE_TEXT_DECODER_LABELS[encoding]);
    return waiting.splice(0).map(convert);
  };
  for await (const chunk of bytes) {
    if (isDetected || (length === 0 && isAscii(chunk))) {
      yield convert(chunk);
      continue;
    }
    // A copy: the stream may use its buffer again.
    waiting.push(Buffer.from(chunk));
    length += chunk.length;
    if (length >= SAMPLE_BYTES) yield* detect();
  }
  if (waiting.length > 0) yield* detect();
  const rest = decoder === null ? '' : (decoder as InstanceType<typeof TextDecoder>).decode();
  if (rest !== '') yield Buffer.from(rest);
}

const isMultiByte = (encoding: Encoding): encoding is MultiByteEncoding =>
  encoding in MULTI_BYTE_TEXT_DECODER_LABELS;

/** Encodings that a caller can name, with their TextDecoder labels. Null marks an encoding that TextDecoder does not support. */
const NAMED_ENCODINGS: ReadonlyMap<Encoding, string | null> = new Map([
  ['UTF-8', 'utf-8'],
  ['UTF-16LE', 'utf-16le'],
  ['UTF-16BE', 'utf-16be'],
  ...(Object.entries(MULTI_BYTE_TEXT_DECODER_LABELS) as [Encoding, string][]),
  ...[...SINGLE_BYTE_DECODERS.keys()].map((encoding): [Encoding, null] => [encoding as Encoding, null]),
]);

const ENCODING_NAMES: readonly Encoding[] = [...NAMED_ENCODINGS.keys()];

/** Other names of encodings, each without punctuation, with the encoding. */
const ALIASES = new Map(
  Object.entries<Encoding>({
    sjis: 'Shift_JIS',
    cp932: 'Shift_JIS',
    windows31j: 'Shift_JIS',
    gb2312: 'GBK',
    gb18030: 'GBK',
    cp936: 'GBK',
    cp950: 'Big5',
    cp949: 'EUC-KR',
    latin1: 'Windows-1252',
    iso88591: 'Windows-1252',
    macintosh: 'Mac Roman',
    tis620: 'Windows-874',
    ibm866: 'CP866',
    ibm850: 'CP850',
    utf16: 'UTF-16LE',
  }),
);

/** Returns the encoding that a name means. Letter case and punctuation are ignored: `shift-jis`, `cp1253`. Errors: `invalid_arguments`. */
export function parseEncoding(name: string): Encoding {
  const simplify = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = simplify(name).replace(/^(?:cp|win|windows)(?=125\d|874)/, 'windows');
  const encoding = ENCODING_NAMES.find((one) => simplify(one) === wanted) ?? ALIASES.get(wanted);
  if (encoding !== undefined) return encoding;
  throw new BonafideError(
    'invalid_arguments',
    `Unknown encoding ${name}. Use one of ${ENCODING_NAMES.join(', ')}.`,
  );
}

/** Converts text from a named encoding to UTF-8. Errors: `unreadable_file` for bytes that are invalid in the encoding. */
export async function* decodeNamedEncoding(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  name: string,
): AsyncGenerator<Uint8Array> {
  const single = SINGLE_BYTE_DECODERS.get(encoding);
  const decoder = new TextDecoder(NAMED_ENCODINGS.get(encoding) ?? 'utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined
        ? decoder.decode()
        : (single?.(chunk) ?? decoder.decode(chunk, { stream: true }));
    } catch {
      throw new BonafideError(
        'unreadable_file',
        `${name} is not text in ${encoding}: it has bytes that this encoding does not have. Name another encoding, or omit --encoding.`,
      );
    }
  };
  for await (const chunk of bytes) yield Buffer.from(decode(chunk));
  const rest = decode();
  if (rest !== '') yield Buffer.from(rest);
}

/**
 * Detects the encoding of bytes that are not UTF-16. One valid UTF-8 line with characters beyond ASCII makes all bytes UTF-8, because other
 * encodings are valid UTF-8 only by chance. Bytes in no known encoding count as UTF-8; their lines are rejected later.
 */
function detectEncoding(sample: Buffer): Encoding {
  const broken: Buffer[] = [];
  let [once, twice] = [0, 0];
  for (const line of linesOf(sample)) {
    if (isAscii(line)) continue;
    if (!isUtf8(line)) broken.push(line, Buffer.from('\n'));
    else if (decodeTwice(line.toString('utf8')) === line.toString('utf8')) once++;
    else twice++;
  }
  const isByChance = broken.length > 8 * (once + twice);
  if (once + twice > 0 && !(isByChance && detectMultiByteEncoding(Buffer.concat(broken))))
    return twice > once ? 'UTF-8 encoded twice' : 'UTF-8';
  const bytes = Buffer.concat(broken);
  const other = detectGreekHebrewArabicThaiEncoding(bytes);
  // Hebrew words look like Russian ones in capitals.
  if (other === 'Windows-1255') return other;
  const encoding = detectCyrillicEncoding(bytes) ?? other ?? detectMultiByteEncoding(bytes);
  if (encoding !== null) return encoding;
  return isLatin(bytes) ? (detectSingleByteEncoding(bytes) ?? 'UTF-8') : 'UTF-8';
}

/** Splits a sample into lines. A character that is cut off at the end of the sample is left out. */
function* linesOf(sample: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = sample.indexOf(LF); end >= 0; end = sample.indexOf(LF, start)) {
    yield sample.subarray(start, end);
    start = end + 1;
  }
  const last = sample.subarray(start);
  const cut = [0, 1, 2, 3].find((bytes) => isUtf8(last.subarray(0, Math.max(last.length - bytes, 0))));
  yield cut === undefined ? last : last.subarray(0, Math.max(last.length - cut, 0));
}

/**
 * True if bytes may be text in the Latin alphabet: its words mix ASCII letters with a few others. In other alphabets, most words have no ASCII
 * letter.
 */
function isLatin(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const words = text.match(/[a-z\x80-\xff]{3,}/gi)?.filter((word) => /[\x80-\xff]/.test(word)) ?? [];
  const foreign = words.filter((word) => !/[a-z]/i.test(word)).length;
  if (foreign > words.length / 2) return false;
  const beyond = text.match(/[\x80-\xff]/g)?.length ?? 0;
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  return beyond > 0 && beyond < Math.max(letters, 1) * 0.5;
}

/** Creates a function that decodes the lines of an input in its encoding. A line that is valid UTF-8 is always read as UTF-8. */
export function createLineDecoder(form: { encoding: Encoding }): (line: Buffer) => string | null {
  return (line) => {
    const { encoding } = form;
    if (isUtf8(line)) {
      const text = line.toString('utf8');
      return encoding === 'UTF-8 encoded twice' ? decodeTwice(text) : text;
    }
    return SINGLE_BYTE_DECODERS.get(encoding)?.(line) ?? null;
  };
}

const WINDOWS_1252 = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
);
/** Byte of each character in Windows-1252, and of each control character of ISO-8859-1. */
const BYTES = new Map(
  Array.from(WINDOWS_1252, (sign, byte): [string, number][] => [
    [sign, byte],
    [String.fromCharCode(byte), byte],
  ]).flat(),
);
const BEYOND_ASCII = /[^\0-\x7f]+/g;

/** Repairs UTF-8 text that was read as Windows-1252 or ISO-8859-1 and encoded again: `MÃ¼ller` → `Müller`. Returns other text unchanged. */
const decodeTwice = (text: string): string =>
  text.replace(BEYOND_ASCII, (run) => {
    const bytes = Array.from(run, (sign) => BYTES.get(sign));
    if (!bytes.every((byte) => byte !== undefined)) return run;
    const whole = Buffer.from(bytes);
    return isUtf8(whole) ? whole.toString('utf8') : run;
  });
