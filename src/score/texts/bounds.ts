// Explains the bound that changed the score, and the calibration.
import type { Calibration } from '../../model.ts';
import type { VerdictFacts } from './facts.ts';
import { fillSentenceTemplate } from './sentences.ts';

/** Returns the sentences of `explanation`: which bound changed the score, and which calibration was applied. */
export function composeBoundAndCalibrationText(
  { best: { bound }, evidence, contacts, isOwn }: VerdictFacts,
  calibration: Calibration | null,
): string {
  const phones = contacts.filter(
    ({ identity }, index) => identity !== null && !isOwn[index] && evidence.contacts[index]?.kind === 'phone',
  ).length;
  const how =
    bound === null ? fillSentenceTemplate('no_bound') : fillSentenceTemplate(`bound_${bound}`, { phones });
  return calibration === null
    ? how
    : `${how} ${fillSentenceTemplate('calibration', { name: calibration.name })}`;
}
