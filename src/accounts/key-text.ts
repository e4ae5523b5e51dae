// Text of an API key: bf_live_ or bf_test_, 32 random base62 characters, and 6 characters that are the CRC32 of the text before them.
import { hash, randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^bf_(?:live|test)_[0-9A-Za-z]{38}$/;
/** Matches API keys in a text. The look-ahead also finds matches that overlap. */
const KEYS_IN_TEXT = /(?=(bf_(?:live|test)_[0-9A-Za-z]{38}))/g;
/** Matches characters that mail programs, terminals and UTF-16 files insert into an API key. */
const INSERTED = /=?[\s\p{Cc}\p{Cf}]+/gu;
const CHECKSUM_LENGTH = 6;

/** Returns random base62 characters, all equally likely: bytes from 248 (4 x 62) on are skipped. */
export function createRandomBase62(length: number): string {
  let text = '';
  const bytes = Buffer.alloc(length * 2);
  while (text.length < length) {
    for (const byte of randomFillSync(bytes)) {
      if (byte < 248 && text.length < length) text += DIGITS[byte % 62];
    }
  }
  return text;
}

export function generateApiKeyText(mode: 'live' | 'test'): string {
  const body = `bf_${mode}_${createRandomBase62(32)}`;
  return body + computeChecksum(body);
}

/** True if a text has the form and the right checksum of an API key. It detects typing errors without a query of the store. */
export const isApiKeyText = (text: string): boolean =>
  KEY.test(text) && computeChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** Returns the different API keys in a text, including keys that are broken over lines. */
export function findApiKeyTexts(text: string): string[] {
  const candidates = [text, text.replace(INSERTED, '')].flatMap((source) =>
    Array.from(source.matchAll(KEYS_IN_TEXT), ([, key = '']) => key),
  );
  return [...new Set(candidates)].filter(isApiKeyText);
}

/** Returns the hash under which an API key or token is stored. SHA-256 is sufficient, because keys and tokens have 190 random bits. */
export const hashApiKeyToBytes = (key: string): Buffer => hash('sha256', key, 'buffer');

function computeChecksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = DIGITS[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
