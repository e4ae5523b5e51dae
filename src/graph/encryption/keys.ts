import { type Fingerprints, createFingerprints } from './fingerprints.ts';
import { type Sealing, createSealing } from './sealing.ts';
import { type HintMaker, createHintMaker } from './hints.ts';
import { createProfileSealing, type ProfileSealing } from './profile.ts';

/** What a graph keeps its values under. */
export interface GraphKeys {
  /** What all else is derived from: 64 hex characters. */
  secret: string;
  fingerprints: Fingerprints;
  sealing: Sealing;
  profiles: ProfileSealing;
  hints: HintMaker;
}

/** @param secret 64 hex characters */
export function deriveGraphKeys(secret: string): GraphKeys {
  const sealing = createSealing(secret);
  return {
    secret,
    fingerprints: createFingerprints(secret),
    sealing,
    profiles: createProfileSealing(sealing),
    hints: createHintMaker(secret),
  };
}

/** What a graph keeps to know its secret by. */
export const graphSecretCheck = (fingerprints: Fingerprints) =>
  fingerprints.of('check', 'bonafide graph').toString();
