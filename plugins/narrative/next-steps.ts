// Next steps for a reviewer, the field `recommended_actions`.
import { canContactRaiseScore, type NarrativeFacts, type Observation, RELATIVE_ADVICE } from './known.ts';
import { HOLD, REJECT } from './observations/others.ts';
import { IN_USE } from './observations/past.ts';

type Brief = NarrativeFacts & { review_priority: string };

/** Returns the next steps: actions that settle open questions, or a sentence that none are needed. */
export function listNextSteps(found: readonly Observation[], brief: Brief): string[] {
  const useful = canContactRaiseScore(brief) ? found : found.filter((one) => !one.asksForContact);
  // The advice to run the check again would contradict a rejection.
  const isRejected = brief.review_priority === 'AUTO_REJECT';
  const steps = [...new Set(useful.flatMap(({ action }) => action ?? []))]
    .filter((step) => !(isRejected && (step.endsWith(' run the check again.') || step === IN_USE)))
    .map((step) => (isRejected && step === HOLD ? REJECT : step))
    // The question to a possible relative is the same without the accusation.
    .filter((step, _, all) => step !== HOLD || !all.includes(RELATIVE_ADVICE.action))
    .slice(0, 3);
  if (brief.review_priority === 'AUTO_APPROVE') return accept(brief, steps);
  if (steps.length > 0) return steps;
  return [
    canContactRaiseScore(brief)
      ? 'Add a further contact of the person, and run the check again.'
      : 'Have a person look at the matches before deciding.',
  ];
}

/** Returns the next steps of a check that may be accepted. The identity data does not show who writes the messages of a suspected scam. */
function accept({ intent, matches: { contacts } }: Brief, steps: readonly string[]): string[] {
  const open = contacts.unverified;
  const inUse = steps.filter((step) => step === IN_USE);
  if (open > 0)
    return [
      `Accept: the identity data has no red flag. ${open} of ${contacts.submitted} contacts ${open === 1 ? 'has' : 'have'} no matching record.`,
      ...inUse,
    ];
  if (inUse.length > 0) return ['Accept: the identity data has no red flag.', ...inUse];
  return [
    intent === 'suspected-scam'
      ? 'Accept the identity data; it does not show who writes in this name.'
      : 'Accept: the identity data leaves no point open.',
  ];
}
