import type { Agreement, Contact, WeighedEvidence } from '../model.ts';
import { millibits } from './curves.ts';
import type { WeighedValue } from './values.ts';

/** What a reason is of. data/docs/reasons.md tells each code's meaning and what would change it. */
export const REASON_CODES = [
  'name_borne',
  'name_varies',
  'name_in_part',
  'name_unknown',
  'email_own',
  'phone_own',
  'address_own',
  'email_in_part',
  'phone_in_part',
  'address_in_part',
  'email_other',
  'phone_other',
  'address_other',
  'history',
  'start',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** One weighed piece of evidence: what was seen, and what it adds (or takes away). */
export interface Reason {
  code: ReasonCode;
  /** Thousandths of a bit, a whole number. */
  millibits: number;
  /** The value that it rests on; null for the start, the name and the history. */
  value: WeighedValue | null;
  /** The key under which that was found. */
  key: Agreement['type'] | null;
}

/** A reason of so many bits. */
export function reason(
  code: ReasonCode,
  bits: number,
  { value = null, key = null }: Partial<Reason> = {},
): Reason {
  return { code, millibits: millibits(bits), value, key };
}

/** A reason that moves a total from one figure to another: whatever is rounded, the steps add up to the rounded total. */
export function step(
  code: ReasonCode,
  [from, to]: readonly [number, number],
  { value = null, key = null }: Partial<Reason>,
): Reason {
  return { code, millibits: millibits(to) - millibits(from), value, key };
}

/** Sum of the reasons, in bits. */
export function sum(reasons: readonly Reason[]): number {
  let total = 0;
  for (const one of reasons) total += one.millibits;
  return total / 1000;
}

/**
 * The evidence of a score, one object each, the weights adding up to its sum in bits.
 *
 * @param contacts the submitted contacts, in the order of the evidence
 * @param without the score of a check without one of them, by its place
 */
export function toWeighedEvidence(
  reasons: readonly Reason[],
  contacts: readonly Pick<Contact, 'kind'>[],
  without: (index: number) => number,
): WeighedEvidence[] {
  return reasons.map(({ code, millibits, value, key }) => {
    const weight = millibits / 1000;
    if (value === null)
      return { code, field: fieldOf(code), index: null, key: null, weight, score_without: null };
    const before = contacts.slice(0, value.index);
    const index = before.filter(({ kind }) => kind === value.kind).length;
    return { code, field: value.kind, index, key, weight, score_without: without(value.index) };
  });
}

const fieldOf = (code: string) => (code.startsWith('name_') ? 'name' : null);
