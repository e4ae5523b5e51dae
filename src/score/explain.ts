import type { Contact, WeighedEvidence } from '../model.ts';
import type { Hypothesis } from './weigh.ts';

/**
 * The evidence of a score, one object each, the weights adding up to its sum in bits.
 *
 * @param contacts the submitted contacts, in the order of the evidence
 * @param without the score of a check without one of them, by its place
 */
export function toWeighedEvidence(
  { reasons }: Hypothesis,
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
