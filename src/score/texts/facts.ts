import type { Band, Evidence, Resolution } from '../../model.ts';
import type { Statuses } from '../statuses.ts';
import type { Hypothesis } from '../weigh.ts';

/**
 * What every text of a verdict is written from: numbers, statuses and identity numbers, never a submitted value. What a sentence says is
 * asked here and nowhere else, so that no two can contradict each other.
 */
export interface Facts {
  evidence: Evidence;
  best: Hypothesis;
  band: Band;
  name: Resolution;
  dominant: number | null;
  contacts: readonly Resolution[];
  /** How many contacts the named person has, only other people have, and nobody on record has. */
  own: number;
  others: number;
  none: number;
  /** How many people those others are. */
  strangers: number;
  /** Of each contact, whether the named person has it: also where it resolves to the dominant identity, which is another one. */
  ofNamed: readonly boolean[];
  /** Where nobody behind the contacts bears the name: what of it agrees all the same. */
  part: 'given' | 'family' | 'both' | 'nameless' | null;
  catfish: boolean;
  /** Whole years between the first and the last sight of the dominant identity; null where its records carry no date. */
  years: number | null;
}

export interface FactInput {
  evidence: Evidence;
  best: Hypothesis;
  band: Band;
  statuses: Statuses;
  catfish: boolean;
  history: { firstSeen: number | null; lastSeen: number | null };
}

const YEAR = 365.25 * 86_400_000;

export function factsOf({ statuses, history, ...given }: FactInput): Facts {
  const { dominant, name, contacts } = statuses;
  const known = contacts.filter(({ identity }) => identity !== null);
  const ofNamed = given.evidence.contacts.map(
    ({ agreements }) =>
      name.identity !== null && agreements.some(({ identity }) => identity === name.identity),
  );
  const others = contacts.filter(({ identity }, i) => identity !== null && !ofNamed[i]);
  return {
    ...given,
    name,
    dominant,
    contacts,
    ofNamed,
    own: known.length - others.length,
    others: others.length,
    none: contacts.length - known.length,
    strangers: new Set(others.map(({ identity }) => identity)).size,
    part: name.identity === null ? partOf(given) : null,
    years: yearsOf(history),
  };
}

function partOf({ evidence, best }: Pick<FactInput, 'evidence' | 'best'>): Facts['part'] {
  const name = best.identity === null ? undefined : evidence.nameAgreements.get(best.identity);
  if (!name) return null;
  return name.isNameless ? 'nameless' : (name.sharedHalf ?? 'both');
}

function yearsOf({ firstSeen, lastSeen }: FactInput['history']): number | null {
  return firstSeen === null || lastSeen === null ? null : Math.floor((lastSeen - firstSeen) / YEAR);
}

export const VERDICT_WORDS: Record<Band, string> = {
  HIGH: 'VERIFIED',
  MEDIUM: 'LIKELY REAL',
  LOW: 'SUSPICIOUS',
  VERY_LOW: 'HIGH RISK',
};

/** Score bands of the interface specification: 85, 65 and 40. */
export function toBand(score: number): Band {
  if (score >= 85) return 'HIGH';
  if (score >= 65) return 'MEDIUM';
  return score >= 40 ? 'LOW' : 'VERY_LOW';
}
