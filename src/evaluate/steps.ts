// A score as the sum that it is: pieces of evidence in bits, in words without values.
import type { WeighedEvidence, ClaimField } from '../model.ts';

/** One piece of evidence. */
export interface EvidenceStep {
  bits: number;
  /** Where it comes from and what it is: `e-mail 2: the person’s own, found by mailbox`. */
  text: string;
}

/** The evidence of a score as steps in the order in which it was weighed, the start first; their bits add up to its sum. */
export function toEvidenceSteps(explanation: readonly WeighedEvidence[]): EvidenceStep[] {
  return explanation.map((one) => ({
    bits: one.weight,
    text: `${placeOf(one)}${MEANINGS[one.code] ?? MEANINGS[sortOf(one)] ?? one.code}${keyOf(one)}`,
  }));
}

const WORDS: Record<ClaimField, string> = {
  name: 'name',
  email: 'e-mail',
  phone: 'phone',
  address: 'address',
};
/** By code, or by what a code says once its field is taken off; see data/docs/reasons.md. */
const MEANINGS: Record<string, string> = {
  start: 'where every check starts',
  history: 'years on record',
  borne: 'on record',
  varies: 'in another form than on record',
  name_in_part: 'borne in part',
  in_part: 'of somebody who bears part of the name',
  unknown: 'none on record',
  own: 'the person’s own',
  other: 'somebody else’s',
};

const sortOf = ({ code, field }: WeighedEvidence) => (field === null ? code : code.slice(field.length + 1));
const placeOf = ({ field, index }: WeighedEvidence) =>
  field === null ? '' : `${WORDS[field]}${index === null ? '' : ` ${index + 1}`}: `;
const keyOf = ({ key, field }: WeighedEvidence) => (key === null || key === field ? '' : `, found by ${key}`);

/** Where the steps of a sum begin and end; the outermost of all, and of nothing, for a scale. */
export function computeStepSums(steps: readonly EvidenceStep[]): {
  ends: number[];
  low: number;
  high: number;
} {
  const ends: number[] = [];
  for (const { bits } of steps) ends.push((ends.at(-1) ?? 0) + bits);
  return { ends, low: Math.min(0, ...ends), high: Math.max(0, ...ends) };
}

export const formatBits = (bits: number): string => `${bits < 0 ? '−' : '+'}${Math.abs(bits).toFixed(2)}`;
