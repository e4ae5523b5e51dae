// Explains the bound that changed the score, and the calibration.
import type { Calibration } from '../../model.ts';
import type { ScoreBoundName } from '../points.ts';
import type { VerdictFacts } from './facts.ts';

/** Returns the sentences of `explanation`: which bound changed the score, and which calibration was applied. */
export function composeBoundAndCalibrationText(
  { best: { bound, own }, evidence, contacts, isOwn }: VerdictFacts,
  calibration: Calibration | null,
): string {
  const phones = contacts.filter(
    ({ identity }, index) => identity !== null && !isOwn[index] && evidence.contacts[index]?.kind === 'phone',
  ).length;
  const how =
    bound === null
      ? 'The score is the sum of the evidence; no bound applied.'
      : BOUND_SENTENCES[bound]({ phones, kinds: own.kinds.length });
  return calibration === null ? how : `${how} The calibration ${calibration.name} was applied.`;
}

/** Beginning of sentences about a lower bound, which raises the score. */
const HIGHER = 'A lower bound makes the score higher than the sum of the evidence';
const LESS = 'lowers it by less than its weight';

interface BoundFacts {
  /** Number of phones on record that are not the person's. */
  phones: number;
  /** Number of kinds of the person's own contacts. */
  kinds: number;
}

const BOUND_SENTENCES: Record<ScoreBoundName, (facts: BoundFacts) => string> = {
  no_bearer: () =>
    'Without a contact that is on record for a person of this name, the score is at most 64, and rises more slowly near this bound.',
  one_kind: ({ kinds }) =>
    kinds > 1
      ? 'The score is limited because one kind of contact gives most of the evidence; the other matching contacts count little.'
      : 'The score is limited because all the evidence comes from one kind of contact.',
  address_alone: () =>
    'The score is limited because all the evidence, or nearly all, comes from addresses, which a phone book has too.',
  shared_contacts: () =>
    "The score is limited because no matching e-mail or phone is certainly this person's alone.",
  namesake: () => 'The score is limited by a contact that belongs to another person of the same name.',
  shared_only: () =>
    'The score is limited: the matching contacts are shared with the holder of the other contacts, so they do not tell the two people apart.',
  no_person: () => 'The score is at most 64 because the name is not the name of one person.',
  old_phone: ({ phones }) => describeLowerBoundOfPhones(phones, 'numbers are given to new subscribers'),
  phone: ({ phones }) =>
    describeLowerBoundOfPhones(phones, `${phones > 1 ? 'phones' : 'a phone'} may be mistyped or passed on`),
  phone_country: () =>
    `${HIGHER}: only the address tells the country of the phone, so the two together count little against the person.`,
  household: () => `${HIGHER}: a contact of the same household ${LESS}.`,
  conflict: () => 'The score is limited by an e-mail or phone that is on record, but not for this person.',
  addresses: () => `${HIGHER}: an address that is on record for others ${LESS}, because people move.`,
};

const describeLowerBoundOfPhones = (phones: number, reason: string) =>
  phones > 1
    ? `${HIGHER}: phones that are on record for others lower it by less than their weight, because ${reason}.`
    : `${HIGHER}: a phone that is on record for others ${LESS}, because ${reason}.`;
