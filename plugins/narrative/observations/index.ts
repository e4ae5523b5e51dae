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
import { observeDormantIdentity, observeLongHistory, observeRecentIdentity } from './past.ts';
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

export function listObservations(known: NarrativeFacts): Observation[] {
  return ALL.map((one) => one(known)).filter((found) => found !== undefined);
}
