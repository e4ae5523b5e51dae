// Explains the bound that changed the score, and the calibration.
import type { Calibration } from '../../model.ts';
import type { ScoreBoundName } from '../points.ts';
import type { VerdictFacts } from './facts.ts';
import { fillSentenceTemplate } from './sentences.ts';

const BOUND_SENTENCES = {
  no_bearer: 'bound_no_bearer',
  one_kind: 'bound_one_kind',
  address_alone: 'bound_address_alone',
  shared_contacts: 'bound_shared_contacts',
  namesake: 'bound_namesake',
  conflict: 'bound_conflict',
  shared_only: 'bound_shared_only',
  no_person: 'bound_no_person',
  household: 'bound_household',
  old_phone: 'bound_old_phone',
  phone: 'bound_phone',
  phone_country: 'bound_phone_country',
  addresses: 'bound_addresses',
} as const satisfies Record<ScoreBoundName, `bound_${string}`>;

/** Explains the score: the bound that changed it, and the calibration that was applied. */
export function composeBoundAndCalibrationText(
  { best: { bound }, evidence, contacts, isOwn }: VerdictFacts,
  calibration: Calibration | null,
): string {
  const phones = contacts.filter(
    ({ identity }, index) => identity !== null && !isOwn[index] && evidence.contacts[index]?.kind === 'phone',
  ).length;
  const how =
    bound === null
      ? fillSentenceTemplate('no_bound')
      : fillSentenceTemplate(BOUND_SENTENCES[bound], { phones });
  return calibration === null
    ? how
    : `${how} ${fillSentenceTemplate('calibration', { name: calibration.name })}`;
}
