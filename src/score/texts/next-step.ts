// Chooses the sentence that says how to settle a doubtful verdict.
import type { VerdictFacts } from './facts.ts';
import { fillSentenceTemplate } from './sentences.ts';

/** Returns the sentence about the one thing that would settle a doubtful verdict. */
export function askForNextStep(facts: VerdictFacts): string {
  const { isCatfish, evidence, contacts, sharedPart, own, others, best } = facts;
  if (isCatfish) return fillSentenceTemplate('check_contacts', { contacts: contacts.length });
  if (evidence.nonPerson) return fillSentenceTemplate('ask_for_person');
  if (evidence.hasMixedScripts) return fillSentenceTemplate('ask_letter_by_letter');
  if (sharedPart) return fillSentenceTemplate('ask_by_part', { part: sharedPart });
  if (own > 0 && others > 0) return askAboutContactsOfOthers(facts);
  const match = findMatch(facts);
  if (own > 0 && match?.hasInitial) return fillSentenceTemplate('ask_for_whole_given_name');
  return own > 0 && (match?.isInitialOnRecord || best.bound === 'one_kind')
    ? fillSentenceTemplate('ask_for_other_kind')
    : fillSentenceTemplate('ask_for_own_contact');
}

const findMatch = ({ evidence, name }: VerdictFacts) => evidence.nameAgreements.get(name.identity ?? 0);

/** Returns the question about contacts of others beside the person's own. An initial fits the names of all its holders. */
export const askAboutContactsOfOthers = (facts: VerdictFacts): string =>
  findMatch(facts)?.hasInitial && facts.sameName > 0
    ? fillSentenceTemplate('ask_for_whole_given_name')
    : fillSentenceTemplate('ask_whose', { others: facts.others });
