// Blocking keys of two things together, from the fingerprints of each: a digest of every text that they make would cost ten times as much.
/** Two mixtures of 32 bits, of which 26 each are taken. */
const SEEDS = [0x2545f491, 0x9e3779b9] as const;
const WORD = 2 ** 32;
const HALF = 2 ** 26;

/** One fingerprint for two, in this order: as little to be guessed as they are. */
export function combineFingerprints(one: number, two: number): number {
  return halfOf(SEEDS[0], one, two) * HALF + halfOf(SEEDS[1], one, two);
}

function halfOf(seed: number, one: number, two: number): number {
  const mixed = mix(mix(seed, one % WORD), one / WORD);
  return finished(mix(mix(mixed, two % WORD), two / WORD)) >>> 6;
}

/** MurmurHash3 (Austin Appleby, public domain): one step, and the end. */
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

/** Fingerprints of a type that are kept at hand, twice as many at most. */
const AT_HAND = 50_000;

/** The same fingerprints: those of names, words and dates are kept at hand, since they come again and again. */
export function cacheFingerprints<T extends string>(
  fingerprint: (type: T, text: string) => number,
): (type: T, text: string) => number {
  const [names, births] = [atHand(fingerprint), atHand(fingerprint)];
  return (type, text) => {
    if (type === 'name') return names(type, text);
    return type === 'birth' ? births(type, text) : fingerprint(type, text);
  };
}

/** By the text alone, which has its place in a map at hand; a text made for looking up would have to find it each time. */
function atHand<T extends string>(fingerprint: (type: T, text: string) => number) {
  let [recent, earlier] = [new Map<string, number>(), new Map<string, number>()];
  return (type: T, text: string): number => {
    let found = recent.get(text);
    if (found !== undefined) return found;
    found = earlier.get(text) ?? fingerprint(type, text);
    if (recent.size >= AT_HAND) [recent, earlier] = [new Map(), recent];
    recent.set(text, found);
    return found;
  };
}
