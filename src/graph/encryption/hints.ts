// What an identity tells in short, so that what is sealed is opened, and a posting looked up, only where that is likely to find something.
//
// In the file: how many marks there are in a byte, a mark of two bytes for each exact part of its signatures, then a byte of each key.
import { deriveKey } from './fingerprints.ts';

/** The bytes as characters, one each. */
export interface Hints {
  marks: string;
  keys: string;
}

export interface HintMaker {
  /** @param of an identity: its number, the exact parts of its signatures, and all its keys */
  write(of: { identity: number; exactParts: number[]; keys: Iterable<number> }): Buffer;
  /** May an identity have one of the exact parts? Never false where it has, and seldom true where it has not. */
  mayHave(identity: number, marks: string, exactParts: number[]): boolean;
}

export function parseHints(bytes: Buffer | undefined): Hints {
  const text = bytes?.toString('latin1') ?? '\0';
  const start = 1 + 2 * text.charCodeAt(0);
  return { marks: text.slice(1, start), keys: text.slice(start) };
}

/** The character of a key in `Hints.keys`; another key has it in one of 256 cases. */
export function toKeyHint(key: number): string {
  return String.fromCharCode(key % 256);
}

/** What a whole number up to 2^53 has beyond its lowest 32 bits. */
const high = (number: number) => Math.floor(number / 2 ** 32);

/**
 * A mark is the beginning of a keyed hash of an identity's number and an exact part: so it tells nothing without the secret, not even
 * that two identities have an exact part (a provider of e-mail) in common.
 *
 * @param secret 64 hex characters
 */
export function createHintMaker(secret: string): HintMaker {
  const hash = createHalfSipHash(deriveKey(secret, 'bonafide marks 1'));
  const markOf = (identity: number, exactPart: number) =>
    hash(identity | 0, high(identity), exactPart | 0, high(exactPart)) & 0xffff;
  return {
    write({ identity, exactParts, keys }) {
      const marks = exactParts.map((exactPart) => markOf(identity, exactPart));
      const bytes = new Set(Array.from(keys, (key) => key % 256));
      const both = marks.flatMap((mark) => [mark >> 8, mark & 0xff]);
      return Buffer.from([marks.length, ...both, ...[...bytes].sort((a, b) => a - b)]);
    },
    mayHave(identity, marks, exactParts) {
      if (marks === '') return false;
      return exactParts.some((exactPart) => {
        const mark = markOf(identity, exactPart);
        for (let at = 0; at < marks.length; at += 2)
          if (marks.charCodeAt(at) * 256 + marks.charCodeAt(at + 1) === mark) return true;
        return false;
      });
    },
  };
}

/**
 * HalfSipHash-2-4 of sixteen bytes, as four words of 32 bits, the lowest byte first: a keyed hash for short inputs that needs no call out of JavaScript
 * (github.com/veorq/SipHash, J.-P. Aumasson; SipHash is Aumasson and Bernstein 2012).
 *
 * @param key of which the first eight bytes are used
 */
export function createHalfSipHash(key: Buffer): (...words: Four) => number {
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
