/**
 * HalfSipHash-2-4 of sixteen bytes, as four words of 32 bits, the lowest byte first: a keyed hash for short inputs that needs no call out of JavaScript
 * (github.com/veorq/SipHash, J.-P. Aumasson; SipHash is Aumasson and Bernstein 2012).
 *
 * @param key of which the first eight bytes are used
 */
export function halfSipHash(key: Buffer): (...words: Four) => number {
  const [k0, k1] = [key.readInt32LE(0), key.readInt32LE(4)];
  const state = new Int32Array(4);
  return (a, b, c, d) => {
    state.set([k0, k1, 0x6c796765 ^ k0, 0x74656462 ^ k1]);
    absorb(state, a);
    absorb(state, b);
    absorb(state, c);
    absorb(state, d);
    // The length of the input, where it would go on.
    absorb(state, 16 << 24);
    state[2] = (state[2] ?? 0) ^ 0xff;
    rounds(state, 4);
    return ((state[1] ?? 0) ^ (state[3] ?? 0)) >>> 0;
  };
}

type Four = [a: number, b: number, c: number, d: number];

function absorb(state: Int32Array, word: number): void {
  state[3] = (state[3] ?? 0) ^ word;
  rounds(state, 2);
  state[0] = (state[0] ?? 0) ^ word;
}

function rounds(state: Int32Array, count: number): void {
  let [v0 = 0, v1 = 0, v2 = 0, v3 = 0] = state;
  for (let i = 0; i < count; i++) {
    v0 = (v0 + v1) | 0;
    v1 = rotated(v1, 5) ^ v0;
    v0 = rotated(v0, 16);
    v2 = (v2 + v3) | 0;
    v3 = rotated(v3, 8) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = rotated(v3, 7) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = rotated(v1, 13) ^ v2;
    v2 = rotated(v2, 16);
  }
  state[0] = v0;
  state[1] = v1;
  state[2] = v2;
  state[3] = v3;
}

const rotated = (word: number, by: number) => (word << by) | (word >>> (32 - by));
