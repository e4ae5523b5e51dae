// What there is to say about a set of facts. One observation holds its wording for each list that may show it, so that a
// fact is told once per list and never in the same words twice.
import type { NarrativeFacts, Observation } from '../known.ts';
import {
  observeNameless,
  observeNameOnly,
  observeNoRecord,
  observeOneKind,
  observeUnverified,
} from './gaps.ts';
import { observeCatfish, observeOtherIdentity, observeOtherName } from './others.ts';
import { observeDormantIdentity, observeHistory, observeRecentIdentity } from './past.ts';
import { observeAgreement, observeNameMatch, observePrimaryContacts } from './support.ts';

const ALL = [
  observeCatfish,
  observeOtherName,
  observeOtherIdentity,
  observeNameless,
  observeRecentIdentity,
  observeDormantIdentity,
  observeAgreement,
  observeNameMatch,
  observePrimaryContacts,
  observeHistory,
  observeUnverified,
  observeOneKind,
  observeNoRecord,
  observeNameOnly,
];

/** Everything there is to say, strongest first. */
export function listObservations(known: NarrativeFacts): Observation[] {
  return ALL.map((one) => one(known)).filter((found) => found !== undefined);
}
