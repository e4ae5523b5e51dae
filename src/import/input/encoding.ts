// What bytes mean: UTF-8, UTF-16, or one byte a character as spreadsheets on Windows save them.
import { isAscii, isUtf8 } from 'node:buffer';
import { SINGLE_BYTE_DECODERS, type SingleByteEncoding, detectSingleByteEncoding } from './single-byte.ts';

export type Encoding = 'UTF-8' | 'UTF-8 encoded twice' | 'UTF-16LE' | 'UTF-16BE' | SingleByteEncoding;

/** Bytes that are looked at from the first one on that is not ASCII. */
const SAMPLE_BYTES = 64 * 1024;
const LF = 0x0a;

/** UTF-16, by its mark or by the zeros of its ASCII letters; null for everything else. */
export function detectUtf16(head: Buffer): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'UTF-16LE';
  if (head[0] === 0xfe && head[1] === 0xff) return 'UTF-16BE';
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = head.length / 2;
  if (head.length < 4) return null;
  return odd > most * 0.6 && even === 0 ? 'UTF-16LE' : even > most * 0.6 && odd === 0 ? 'UTF-16BE' : null;
}

/** UTF-16 as UTF-8, its mark dropped. */
export async function* utf16ToUtf8(
  bytes: AsyncIterable<Uint8Array>,
  encoding: 'UTF-16LE' | 'UTF-16BE',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding.toLowerCase());
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  const rest = decoder.decode();
  if (rest !== '') yield Buffer.from(rest);
}

/** Passes bytes on as they are, and tells their encoding before the first chunk that is not ASCII. */
export async function* detectWhileReading(
  bytes: AsyncIterable<Uint8Array>,
  tell: (encoding: Encoding) => void,
): AsyncGenerator<Uint8Array> {
  const held: Buffer[] = [];
  let [length, settled] = [0, false];
  for await (const chunk of bytes) {
    if (settled || (length === 0 && isAscii(chunk))) {
      yield chunk;
      continue;
    }
    // A copy, because a reader may use its buffer again.
    held.push(Buffer.from(chunk));
    length += chunk.length;
    if (length < SAMPLE_BYTES) continue;
    tell(detectEncoding(Buffer.concat(held)));
    settled = true;
    yield* held.splice(0);
  }
  if (held.length > 0) tell(detectEncoding(Buffer.concat(held)));
  yield* held;
}

/**
 * The encoding of bytes that are not UTF-16: one line of more than ASCII that is UTF-8 makes it UTF-8, for those of other encodings are
 * so by chance only. Bytes that are no text of Europe count as UTF-8 too: their lines are rejected.
 */
export function detectEncoding(sample: Buffer): Encoding {
  const broken: Buffer[] = [];
  let [once, twice] = [0, 0];
  for (const line of linesOf(sample)) {
    if (isAscii(line)) continue;
    if (!isUtf8(line)) broken.push(line);
    else if (encodedOnce(line.toString('utf8')) === line.toString('utf8')) once++;
    else twice++;
  }
  if (once + twice > 0) return twice > once ? 'UTF-8 encoded twice' : 'UTF-8';
  const lines = broken.flatMap((line) => [line, Buffer.from('\n')]);
  const bytes = Buffer.concat(lines);
  return isEuropean(bytes) ? (detectSingleByteEncoding(bytes) ?? 'UTF-8') : 'UTF-8';
}

/** The last line may end within a character. */
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

/** In the alphabets of other scripts whole words lie beyond ASCII. */
function isEuropean(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const beyond = text.match(/[\x80-\xff]/g)?.length ?? 0;
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  return beyond > 0 && beyond < Math.max(letters, 1) * 0.5;
}

/** Text of one line in an encoding that a whole input has; null where it cannot be. A line that is UTF-8 is read as that. */
export function createLineDecoder(form: { encoding: Encoding }): (line: Buffer) => string | null {
  return (line) => {
    const { encoding } = form;
    if (isUtf8(line)) {
      const text = line.toString('utf8');
      return encoding === 'UTF-8 encoded twice' ? encodedOnce(text) : text;
    }
    return SINGLE_BYTE_DECODERS.get(encoding)?.(line) ?? null;
  };
}

// UTF-8 that was taken for Windows-1252 or ISO-8859-1 and encoded once more: `MÃ¼ller`.
const DECODED = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
/** Some programs take it for ISO-8859-1, which has control characters where the other has signs. */
const BYTES = new Map(
  Array.from(DECODED, (sign, byte): [string, number][] => [
    [sign, byte],
    [String.fromCharCode(byte), byte],
  ]).flat(),
);
const RUN = /[^\0-\x7f]+/g;

/** A text with what was encoded twice put right, and all else as it is. */
const encodedOnce = (text: string): string =>
  text.replace(RUN, (run) => {
    const bytes = Array.from(run, (sign) => BYTES.get(sign));
    if (!bytes.every((byte) => byte !== undefined)) return run;
    const whole = Buffer.from(bytes);
    return isUtf8(whole) ? whole.toString('utf8') : run;
  });
