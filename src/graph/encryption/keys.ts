import { type Fingerprints, fingerprintsOf } from './fingerprints.ts';
import { type Sealing, sealingOf } from './sealing.ts';
import { type HintMaker, hintMaker } from './hints.ts';
import { profileSealing, type ProfileSealing } from './profile.ts';

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
export function graphKeys(secret: string): GraphKeys {
  const sealing = sealingOf(secret);
  return {
    secret,
    fingerprints: fingerprintsOf(secret),
    sealing,
    profiles: profileSealing(sealing),
    hints: hintMaker(secret),
  };
}

/** What a graph keeps to know its secret by. */
export const checkOf = (fingerprints: Fingerprints) => fingerprints.of('check', 'bonafide graph').toString();
