// All observations of the narrative. One observation has a wording for each list in which it may appear, so that a list states each fact
// once and no two lists repeat the same words.
import type { NarrativeFacts, Observation } from '../known.ts';
import {
  observeContactsWithoutName,
  observeScoreLimit,
  observeNoSubmittedContacts,
  observeNothingOnRecord,
  observeSingleContactKind,
  observeUnrecordedContacts,
} from './gaps.ts';
import {
  observeCatfish,
  observeDisguisedValues,
  observeNonPersonName,
  observeOtherIdentity,
  observeNameMismatch,
} from './others.ts';
import {
  areDetailsDated,
  observeDatedContacts,
  observeDormantIdentity,
  observeLongHistory,
  observeRecentIdentity,
} from './past.ts';
import { observeMatchingContacts, observeNameMatch, observePrimaryContacts } from './support.ts';

const ALL = [
  observeNonPersonName,
  observeCatfish,
  observeNameMismatch,
  observeOtherIdentity,
  observeDisguisedValues,
  observeContactsWithoutName,
  observeRecentIdentity,
  observeDormantIdentity,
  observeDatedContacts,
  observeMatchingContacts,
  observeNameMatch,
  observePrimaryContacts,
  observeLongHistory,
  observeUnrecordedContacts,
  observeSingleContactKind,
  observeNothingOnRecord,
  observeNoSubmittedContacts,
  observeScoreLimit,
];

/**
 * True if anything in the answer counts against the person: a reason of the score, a red flag, or a detail that may have changed hands. The only place
 * that decides this.
 */
export const speaksAnythingAgainst = (known: NarrativeFacts): boolean =>
  known.score.any_against ||
  areDetailsDated(known) ||
  listObservations(known).some(({ flag }) => flag !== undefined);

export function listObservations(known: NarrativeFacts): Observation[] {
  return ALL.map((one) => one(known)).filter((found) => found !== undefined);
}
