/** Reads a stream of pieces of any size in pieces of the size that is asked for. */
export interface ByteReader {
  /** The next `count` bytes; fewer only where the stream ends, and none after its end. */
  take(count: number): Promise<Buffer>;
}

export function byteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let length = 0;
  return {
    async take(count) {
      while (length < count) {
        const next = await pieces.next();
        if (next.done) break;
        held.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
        length += next.value.byteLength;
      }
      const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
      const taken = all.subarray(0, count);
      held = [all.subarray(taken.length)];
      length = all.length - taken.length;
      return taken;
    },
  };
}
