/** Returns the concatenation of the arrays, and the end position of each array in it. */
export function joinArrays<A extends Uint8Array | Float64Array>(
  parts: readonly ArrayLike<number>[],
  make: (length: number) => A,
): { all: A; ends: Uint32Array } {
  let length = 0;
  const ends = Uint32Array.from(parts, (part) => (length += part.length));
  const all = make(length);
  for (const [i, part] of parts.entries()) all.set(part, i > 0 ? ends[i - 1] : 0);
  return { all, ends };
}

/** Returns one of the joined arrays, in the same memory. */
export const getJoinedArray = <A extends Uint8Array | Float64Array>(
  all: A,
  ends: Uint32Array,
  i: number,
): A => all.subarray(i > 0 ? ends[i - 1] : 0, ends[i]) as A;
