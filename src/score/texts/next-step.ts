// Chooses the sentence that says how to settle a doubtful verdict.
import type { VerdictFacts } from './facts.ts';
import { fillSentenceTemplate } from './sentences.ts';

/** Returns the sentence about the one thing that would settle a doubtful verdict. */
export function nextStep({ isCatfish, evidence, contacts, sharedPart, own, others }: VerdictFacts): string {
  if (isCatfish) return fillSentenceTemplate('check_contacts', { contacts: contacts.length });
  if (evidence.nonPerson) return fillSentenceTemplate('ask_for_person');
  if (sharedPart) return fillSentenceTemplate('ask_by_part', { part: sharedPart });
  return own > 0 && others > 0
    ? fillSentenceTemplate('ask_whose', { others })
    : fillSentenceTemplate('ask_for_own_contact');
}
