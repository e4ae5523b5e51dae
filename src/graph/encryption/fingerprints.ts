import { hash, hkdfSync } from 'node:crypto';
import type { LookupKeyType, TypoSignature } from '../../model.ts';

/** What stands in a graph for values that must never be read back: keyed fingerprints, worth nothing without the secret. */
export interface Fingerprints {
  /** 52-bit fingerprint of a text, as a safe integer. */
  of(type: LookupKeyType | KeyOnly, text: string): number;
  /** 16 bytes that name a record: fingerprint of its source and record id. */
  ofRecord(source: string, recordId: string): Buffer;
  /** Hex of 16 bytes that a record id is made of, where a source has none: of the text of its row. The same also after the secret was changed. */
  generateRecordId(text: string): string;
  /** Sorted 16-bit fingerprints of the text's letter pairs: two texts that differ by a typo share most of them. */
  grams(text: string): number[];
}

/** Things that are only ever fingerprinted for linking or for the secret's own check. These words are part of what is digested. */
type KeyOnly = 'birth' | 'check' | 'anchor' | 'label' | 'place';

/** Pairs kept at hand: hostile input could fill the cache with pairs of rare characters, so a full one starts again. */
const MOST_PAIRS = 100_000;

/** 32 bytes for one purpose, derived from the secret (64 hex characters) by HKDF (RFC 5869). */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', purpose, 32));
}

/** What a store knows its secret by; nothing of the secret can be told from it. */
export const storeSecretCheck = (secret: string): string =>
  deriveKey(secret, 'bonafide store 1').toString('hex');

/**
 * Fingerprints under a secret. They are SHA-256 over a secret prefix and the value, cut to 52 bits: cut so short, a digest cannot be
 * extended, which is the reason to prefer HMAC otherwise (and HMAC costs thirty times as much here).
 */
export const createFingerprints = (secret: string): Fingerprints =>
  fingerprintsFromPrefix(deriveFingerprintPrefix(secret));

/** What the fingerprints under a secret are keyed with. */
export const deriveFingerprintPrefix = (secret: string): string =>
  deriveKey(secret, 'bonafide fingerprint 1').toString('hex');

/** @param prefix see `fingerprintKey` */
export function fingerprintsFromPrefix(prefix: string): Fingerprints {
  // One character a byte: a third cheaper to make and to read than hex.
  const digest = (text: string) => hash('sha256', prefix + text, 'binary');
  const starts = new Map<string, string>();
  const startOf = (type: string) => {
    let start = starts.get(type);
    if (start === undefined) starts.set(type, (start = `${prefix}${type}\0`));
    return start;
  };
  const gram = gramsBy((pair) => {
    const bytes = digest(`gram\0${pair}`);
    return bytes.charCodeAt(0) * 0x100 + bytes.charCodeAt(1);
  });
  const record = (source: string, recordId: string) =>
    Buffer.from(digest(`record\0${source}\0${recordId}`).slice(0, 16), 'binary');
  return {
    of: (type, text) => first52Bits(hash('sha256', startOf(type) + text, 'binary')),
    ofRecord: record,
    generateRecordId: (text) => record('row', text).toString('hex'),
    grams(text) {
      const padded = ` ${text} `;
      const found: number[] = [];
      for (let i = 0; i < padded.length - 1; i++) insert(found, gram(padded, i));
      return found;
    },
  };
}

/** Puts a number in its place among ascending ones, once: of a few dozen that is quicker than sorting them. */
function insert(sorted: number[], one: number): void {
  let at = sorted.length;
  while (at > 0 && (sorted[at - 1] ?? 0) > one) at--;
  if (sorted[at - 1] === one) return;
  sorted.push(one);
  for (let i = sorted.length - 1; i > at; i--) sorted[i] = sorted[i - 1] ?? 0;
  sorted[at] = one;
}

const ASCII = 128;
const UNKNOWN = -1;

/** The fingerprint of the pair of letters at a place of a text. Those of ASCII have a table: they are nearly all there are. */
function gramsBy(digest: (pair: string) => number): (text: string, at: number) => number {
  const table = new Int32Array(ASCII * ASCII).fill(UNKNOWN);
  const others = new Map<string, number>();
  const other = (pair: string) => {
    let value = others.get(pair);
    if (value === undefined) {
      value = digest(pair);
      if (others.size > MOST_PAIRS) others.clear();
      others.set(pair, value);
    }
    return value;
  };
  return (text, at) => {
    const [one, two] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
    if (one >= ASCII || two >= ASCII) return other(text.slice(at, at + 2));
    const place = one * ASCII + two;
    let value = table[place] ?? UNKNOWN;
    if (value === UNKNOWN) table[place] = value = digest(text.slice(at, at + 2));
    return value;
  };
}

/** Fingerprint of what a typo leaves alone. */
export function fingerprintExactPart(fingerprints: Fingerprints, { kind, exactPart }: TypoSignature): number {
  return fingerprints.of('anchor', `${kind}|${exactPart}`);
}

/** The first 52 bits as a number, the first byte the highest. Products, because bitwise operators keep only 32. */
function first52Bits(bytes: string): number {
  const high = (bytes.charCodeAt(0) * 0x100 + bytes.charCodeAt(1)) * 0x100 + bytes.charCodeAt(2);
  const low = (bytes.charCodeAt(3) * 0x100 + bytes.charCodeAt(4)) * 0x100 + bytes.charCodeAt(5);
  return (high * 0x100_0000 + low) * 0x10 + (bytes.charCodeAt(6) >> 4);
}
