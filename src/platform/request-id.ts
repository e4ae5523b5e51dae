import { randomFillSync } from 'node:crypto';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const pool = Buffer.alloc(1200);
let used = pool.length;
let lastTime = 0;
let counter = 0;

/**
 * Creates a request id: `req_` and 26 characters of Crockford's base32 (10 for the time, 4 for a counter, 12 random). The ids of one process
 * sort by time.
 */
export function createRequestId(now: number): string {
  if (now > lastTime) {
    lastTime = now;
    counter = 0;
  }
  return `req_${base32(lastTime, 10)}${base32(++counter, 4)}${random(12)}`;
}

/** Returns the lowest possible request id at a time (ms since 1970). All earlier ids sort before it. */
export const toLowestRequestId = (time: number): string => `req_${base32(time, 10)}`;

const ID = /^req_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/;

/** Returns the time of a request id (ms since 1970); null if the text is not a request id. */
export function getTimeOfRequestId(id: string): number | null {
  const [, digits] = ID.exec(id) ?? [];
  return digits ? [...digits].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0) : null;
}

function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  return text;
}

// Random bytes are read from the kernel for many ids at once, because one call per id would cost more than
// the id itself.
function random(length: number): string {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (let i = 0; i < length; i++) text += DIGITS[(pool[used++] ?? 0) & 31];
  return text;
}
