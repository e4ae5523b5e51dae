/** Seeds of two 32-bit hashes, of which 26 bits each are used. */
const SEEDS = [0x2545f491, 0x9e3779b9] as const;
const WORD = 2 ** 32;
const HALF = 2 ** 26;

/** Combines two fingerprints, in this order, into one of the same length. Hashing the combined text would cost ten times as much. */
export function combineFingerprints(one: number, two: number): number {
  return halfOf(SEEDS[0], one, two) * HALF + halfOf(SEEDS[1], one, two);
}

/** Computes a 52-bit hash of a text, without a secret key. It must not be stored. */
export function hashText(text: string): number {
  let one: number = SEEDS[0];
  let two: number = SEEDS[1];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    one = mix(one, code);
    two = mix(two, code);
  }
  return (finished(one) >>> 6) * HALF + (finished(two) >>> 6);
}

function halfOf(seed: number, one: number, two: number): number {
  const mixed = mix(mix(seed, one % WORD), one / WORD);
  return finished(mix(mix(mixed, two % WORD), two / WORD)) >>> 6;
}

/** Mixes one 32-bit word into a hash (one step of MurmurHash3; Austin Appleby, public domain). */
function mix(hash: number, word: number): number {
  const scrambled = Math.imul(turned(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  return Math.imul(turned(hash ^ scrambled, 13), 5) + 0xe6546b64;
}

function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

const turned = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by));
