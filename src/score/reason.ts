import type { ContactMatch, Contact, WeighedEvidence } from '../model.ts';
import { toMillibits } from './curves.ts';
import type { WeighedContact } from './values.ts';

/** Codes of score reasons, which data/docs/reasons.md explains. */
export const REASON_CODES = [
  'name_borne',
  'name_varies',
  'name_in_part',
  'name_unknown',
  'name_of_household',
  'name_no_person',
  'email_own',
  'phone_own',
  'address_own',
  'email_in_part',
  'phone_in_part',
  'address_in_part',
  'email_other',
  'phone_other',
  'address_other',
  'email_household',
  'phone_household',
  'history',
  'start',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export interface ScoreReason {
  code: ReasonCode;
  /** Thousandths of a bit (integer) that the reason adds, or subtracts if negative. */
  millibits: number;
  /** Contact that the reason is about; null for reasons about the name or the history, and for `start` (the points that every score starts with). */
  value: WeighedContact | null;
  key: ContactMatch['type'] | null;
}

export const createScoreReason = (
  code: ReasonCode,
  millibits: number,
  value: WeighedContact | null = null,
  key: ScoreReason['key'] = null,
): ScoreReason => ({ code, millibits, value, key });

/**
 * Returns the difference of two sums of bits in thousandths of a bit, each sum rounded first, so that consecutive differences add up to the rounded
 * total.
 */
export const toMillibitsDifference = (from: number, to: number): number =>
  toMillibits(to) - toMillibits(from);

export function sumReasonBits(reasons: readonly ScoreReason[]): number {
  let total = 0;
  for (const { millibits } of reasons) total += millibits;
  return total / 1000;
}

/**
 * Converts reasons to the evidence that `operation: raw` returns.
 * @param contacts submitted contacts
 * @param scoreWithout returns the score that the check would have without the contact at this index
 */
export function toWeighedEvidenceList(
  reasons: readonly ScoreReason[],
  contacts: readonly Pick<Contact, 'kind'>[],
  scoreWithout: (index: number) => number,
): WeighedEvidence[] {
  return reasons.map(({ code, millibits, value, key }) => {
    const weight = millibits / 1000;
    const field = code.startsWith('name_') ? 'name' : null;
    if (value === null) return { code, field, index: null, key: null, weight, score_without: null };
    const before = contacts.slice(0, value.index);
    const index = before.filter(({ kind }) => kind === value.kind).length;
    return { code, field: value.kind, index, key, weight, score_without: scoreWithout(value.index) };
  });
}
