// How SQLite writes numbers, for looking whether one is left in a file.

/** What a file holds of some records. */
export interface Held {
  /** The beginnings of what is sealed, or keyed by itself: nobody else's. */
  sealed: Buffer[];
  /** Fingerprints, which others may have in common. */
  keys: number[];
}

export const NOTHING: Held = { sealed: [], keys: [] };

/** A key as it may stand in a file: as an integer, a row's number, or twice itself as a double (see `keysOf` in publish.ts). */
export function spellings(key: number): Buffer[] {
  return [integer(key), integer(-key), varint(key), double(2 * key), double(2 * key + 1)];
}

/** In six bytes where it fits, else in eight: https://www.sqlite.org/fileformat.html, section 2.1. */
function integer(key: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(key));
  return Math.abs(key) < 2 ** 47 ? bytes.subarray(2) : bytes;
}

function varint(key: number): Buffer {
  const groups: number[] = [];
  for (let rest = BigInt(key); rest > 0n; rest >>= 7n)
    groups.unshift(Number(rest & 127n) | (groups.length > 0 ? 128 : 0));
  return Buffer.from(groups);
}

function double(key: number): Buffer {
  return Buffer.from(Float64Array.of(key).buffer);
}
