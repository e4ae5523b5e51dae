// The text of an API key: bf_live_ or bf_test_, 32 random base62 characters, and 6 that are the CRC32 of all before.
import { hash, randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^bf_(?:live|test)_[0-9A-Za-z]{38}$/;
/** Looked ahead for: what only begins like a key may end in one. */
const WITHIN = /(?=(bf_(?:live|test)_[0-9A-Za-z]{38}))/g;
/** What mail, terminals and UTF-16 put between characters that belong together. */
const BETWEEN = /=?[\s\p{Cc}\p{Cf}]+/gu;
const CHECKSUM_LENGTH = 6;

/** `length` random base62 characters. Bytes from 248 (4 x 62) up are drawn again, so that no character is likelier. */
export function randomBase62(length: number): string {
  let text = '';
  const bytes = Buffer.alloc(length * 2);
  while (text.length < length) {
    for (const byte of randomFillSync(bytes)) {
      if (byte < 248 && text.length < length) text += DIGITS[byte % 62];
    }
  }
  return text;
}

/** A new key, to be shown once. */
export function generateKeyText(mode: 'live' | 'test'): string {
  const body = `bf_${mode}_${randomBase62(32)}`;
  return body + checksum(body);
}

/** Whether the text has the shape and the checksum of a key; a typo is refused here, without a look-up. */
export function isKeyText(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The keys in a text, each once, whatever stands around them; one that is broken over lines is found too. */
export function findKeyTexts(text: string): string[] {
  const found = [text, text.replace(BETWEEN, '')].flatMap((one) =>
    Array.from(one.matchAll(WITHIN), ([, key = '']) => key),
  );
  return [...new Set(found)].filter(isKeyText);
}

/** What is stored of a key. It is random enough (190 bits) to need no slow hash. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = DIGITS[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
