// What became of one case: never what was sent, only how much of what kind.
import type { Kind, Verdict } from '../model.ts';
import type { Case } from './case.ts';
import type { Answer } from './tally.ts';

export interface Outcome extends Answer {
  case: Case;
  /** How many contacts of each kind were sent. */
  sent: Record<Kind, number>;
  /** The case's own, else that of its first address (ISO, two letters), else null. */
  country: string | null;
}

export function outcomeOf(one: Case, { contacts, score }: Verdict): Outcome {
  const sent = { email: 0, phone: 0, address: 0 };
  let country = one.country;
  for (const contact of contacts) {
    sent[contact.kind]++;
    if (contact.kind === 'address') country ??= countryOf(contact.standardized.country);
  }
  return { case: one, score: score.value, flagged: score.catfish, sent, country };
}

/** What could not be read as a country is whatever somebody wrote. */
const countryOf = (text: string) => (/^[A-Z]{2}$/.test(text) ? text : null);

/** One step of the sum that gave a score. */
export interface Step {
  bits: number;
  /** What was seen, in the words of the answer. */
  text: string;
}

/** The evidence of a score as steps that add up to its sum of bits, the start first. */
export function stepsOf({ trustScore: { raw, reasons } }: Verdict['score']): Step[] {
  const steps = reasons.map((reason): Step => {
    const [, bits = '0', text = reason] = /^([+-][\d.]+) bits: (.*)$/s.exec(reason) ?? [];
    return { bits: Number(bits), text };
  });
  const start = steps.reduce((left, { bits }) => left - bits, raw);
  return Math.abs(start) < 0.05 ? steps : [{ bits: Number(start.toFixed(2)), text: START }, ...steps];
}

const START = 'where every check starts';
