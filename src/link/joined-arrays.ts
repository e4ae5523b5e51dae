// Arrays one after the other in one block of memory, which can be sent to another thread as a whole.

type NumberArray = Uint8Array | Uint32Array | Float64Array;

/** Returns for each array the index after its last element, if the arrays are joined. */
export function listJoinedArrayEnds(parts: readonly { length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(parts, ({ length }) => (end += length));
}

/** Joins byte arrays. Returns all bytes, and the index after the last byte of each array. */
export function joinByteArraysWithEnds(parts: readonly Uint8Array[]): {
  bytes: Uint8Array;
  ends: Uint32Array;
} {
  const ends = listJoinedArrayEnds(parts);
  const bytes = new Uint8Array(ends.at(-1) ?? 0);
  for (const [i, part] of parts.entries()) bytes.set(part, ends[i - 1] ?? 0);
  return { bytes, ends };
}

/** Returns array `i` of the joined arrays `all`, as a view without a copy. */
export const sliceJoinedArray = <A extends NumberArray>(all: A, ends: Uint32Array, i: number): A =>
  all.subarray(ends[i - 1] ?? 0, ends[i]) as A;
