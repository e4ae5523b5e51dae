// Encodings of text: UTF-8, UTF-16, and the encodings of one byte per character that spreadsheets on Windows write.
import { isAscii, isUtf8 } from 'node:buffer';
import {
  detectCyrillicEncoding,
  detectSingleByteEncoding,
  SINGLE_BYTE_DECODERS,
  type SingleByteEncoding,
} from './single-byte.ts';

type Utf16 = 'UTF-16LE' | 'UTF-16BE';
export type Encoding = 'UTF-8' | 'UTF-8 encoded twice' | Utf16 | SingleByteEncoding;

/** Number of bytes, from the first byte that is not ASCII on, by which the encoding is detected. */
const SAMPLE_BYTES = 64 * 1024;
const LF = 0x0a;

/** Detects UTF-16 by its byte order mark, or by the zero bytes of its ASCII letters. Returns null for every other encoding. */
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

/** Converts UTF-16 to UTF-8, without the byte order mark. */
export async function* utf16ToUtf8(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Utf16,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding.toLowerCase());
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  const rest = decoder.decode();
  if (rest !== '') yield Buffer.from(rest);
}

/** Passes bytes on unchanged. Calls `onEncoding` before the first chunk that is not ASCII. */
export async function* watchEncoding(
  bytes: AsyncIterable<Uint8Array>,
  onEncoding: (encoding: Encoding) => void,
): AsyncGenerator<Uint8Array> {
  const waiting: Buffer[] = [];
  let [length, isDetected] = [0, false];
  for await (const chunk of bytes) {
    if (isDetected || (length === 0 && isAscii(chunk))) {
      yield chunk;
      continue;
    }
    // A copy: the stream may use its buffer again.
    waiting.push(Buffer.from(chunk));
    length += chunk.length;
    if (length < SAMPLE_BYTES) continue;
    onEncoding(detectEncoding(Buffer.concat(waiting)));
    isDetected = true;
    yield* waiting.splice(0);
  }
  if (waiting.length > 0) onEncoding(detectEncoding(Buffer.concat(waiting)));
  yield* waiting;
}

/**
 * Detects the encoding of bytes that are not UTF-16. One UTF-8 line with characters beyond ASCII makes all bytes UTF-8, because lines in other
 * encodings are valid UTF-8 by chance only. Bytes that are neither Latin nor Cyrillic text count as UTF-8 too: their lines are rejected.
 */
export function detectEncoding(sample: Buffer): Encoding {
  const broken: Buffer[] = [];
  let [once, twice] = [0, 0];
  for (const line of linesOf(sample)) {
    if (isAscii(line)) continue;
    if (!isUtf8(line)) broken.push(line, Buffer.from('\n'));
    else if (decodeTwice(line.toString('utf8')) === line.toString('utf8')) once++;
    else twice++;
  }
  if (once + twice > 0) return twice > once ? 'UTF-8 encoded twice' : 'UTF-8';
  const bytes = Buffer.concat(broken);
  const cyrillic = detectCyrillicEncoding(bytes);
  if (cyrillic !== null) return cyrillic;
  return isLatin(bytes) ? (detectSingleByteEncoding(bytes) ?? 'UTF-8') : 'UTF-8';
}

/** Cuts a sample into lines. The last line ends in front of a character that the sample cuts. */
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

/** True if bytes may be text in the Latin alphabet: in other alphabets, whole words are beyond ASCII. */
function isLatin(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const words = text.match(/[a-z\x80-\xff]{3,}/gi)?.filter((word) => /[\x80-\xff]/.test(word)) ?? [];
  const foreign = words.filter((word) => !/[a-z]/i.test(word)).length;
  if (foreign > words.length / 2) return false;
  const beyond = text.match(/[\x80-\xff]/g)?.length ?? 0;
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  return beyond > 0 && beyond < Math.max(letters, 1) * 0.5;
}

/** Returns a decoder of lines for the encoding of an input. A line that is valid UTF-8 is always read as UTF-8. */
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
/** Bytes by the characters that a program took them for: Windows-1252, or ISO-8859-1 with its control characters. */
const BYTES = new Map(
  Array.from(WINDOWS_1252, (sign, byte): [string, number][] => [
    [sign, byte],
    [String.fromCharCode(byte), byte],
  ]).flat(),
);
const BEYOND_ASCII = /[^\0-\x7f]+/g;

/** Repairs text that was UTF-8, taken for Windows-1252 or ISO-8859-1 and encoded as UTF-8 again: `MÃ¼ller`. Other text stays. */
const decodeTwice = (text: string): string =>
  text.replace(BEYOND_ASCII, (run) => {
    const bytes = Array.from(run, (sign) => BYTES.get(sign));
    if (!bytes.every((byte) => byte !== undefined)) return run;
    const whole = Buffer.from(bytes);
    return isUtf8(whole) ? whole.toString('utf8') : run;
  });
