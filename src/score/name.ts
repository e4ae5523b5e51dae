import type { NameAgreement } from '../model.ts';
import { GIVEN_CREDIT, NAMELESS_CREDIT } from './weights.ts';

/** What lets an identity's contacts count, 0-1: the name it bears, as far as the engine is sure of it. */
export function nameCredit(name: NameAgreement | undefined): number {
  if (!name) return 0;
  if (name.nameless) return NAMELESS_CREDIT;
  if (name.same) return Math.min(1, Math.max(0.4, (name.confidence - 40) / 50));
  return name.givenSame ? GIVEN_CREDIT : 0;
}

/**
 * 0-1: how surely an identity bears another name. Below a confidence of 25 it is beyond doubt, as it is of one whose names were not read
 * because no key of the name points to it: which of them are read depends on the other values, and must not matter (law 4).
 */
export function otherName(name: NameAgreement | undefined): number {
  if (!name) return 1;
  if (name.same || name.givenSame || name.nameless) return 0;
  return Math.max(0, Math.min(1, (50 - name.confidence) / 25));
}
