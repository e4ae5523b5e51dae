import type { WeighedEvidence, ClaimField } from '../model.ts';

/** Piece of evidence for or against the person of a check, with its weight in the score. */
export interface EvidenceStep {
  /** Weight of the evidence in bits. */
  bits: number;
  /** Field and what was found about it, such as `e-mail 2: the person’s own, found by mailbox`. */
  text: string;
}

/**
 * Converts the evidence of a score to steps in the order of weighing; the first is the start value. Their bits add up to the sum of the score.
 */
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
/** Text of each reason code without its field (`email_own` → `own`); see data/docs/reasons.md. */
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
  household: 'of the same household',
  of_household: 'of somebody of the same household',
  no_person: 'not one person’s name',
};

const sortOf = ({ code, field }: WeighedEvidence) => (field === null ? code : code.slice(field.length + 1));
const placeOf = ({ field, index }: WeighedEvidence) =>
  field === null ? '' : `${WORDS[field]}${index === null ? '' : ` ${index + 1}`}: `;
const keyOf = ({ key, field }: WeighedEvidence) => (key === null || key === field ? '' : `, found by ${key}`);

/**
 * Computes the sum of bits after each piece of evidence (`ends`). `low` and `high` are the lowest and highest sum, including 0, for the scale of the
 * chart.
 */
export function computeEvidenceSumsAndRange(steps: readonly EvidenceStep[]): {
  ends: number[];
  low: number;
  high: number;
} {
  const ends: number[] = [];
  for (const { bits } of steps) ends.push((ends.at(-1) ?? 0) + bits);
  return { ends, low: Math.min(0, ...ends), high: Math.max(0, ...ends) };
}

export const formatBits = (bits: number): string => `${bits < 0 ? '−' : '+'}${Math.abs(bits).toFixed(2)}`;
