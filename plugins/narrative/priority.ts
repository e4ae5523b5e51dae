import type { Facts } from 'bonafide/plugin';

export type ReviewPriority = 'AUTO_APPROVE' | 'MANUAL_REVIEW' | 'AUTO_REJECT';

/** Other people's own e-mails and phones that it takes to reject anybody unseen. */
const REJECTING = 2;

/**
 * The hint to a review queue, by rules alone; the intent never changes it.
 * - AUTO_APPROVE: 85 and above, high confidence, no catfish flag, no value of another identity, and no red flag.
 * - AUTO_REJECT: below 40 with the catfish flag, on evidence that is not of low confidence, with two e-mails or phones that others
 *   have for themselves. A low score alone is mostly missing evidence, which is no reason to reject anybody.
 * - MANUAL_REVIEW: everything else.
 */
export function chooseReviewPriority(
  { score: it, matches }: Pick<Facts, 'score' | 'matches'>,
  redFlags: boolean,
): ReviewPriority {
  const { score, confidence, possible_catfish: catfish } = it;
  const clear = !catfish && !redFlags && matches.contacts.different + matches.others_own === 0;
  if (score >= 85 && confidence === 'HIGH' && clear) return 'AUTO_APPROVE';
  if (score < 40 && catfish && confidence !== 'LOW' && matches.others_own >= REJECTING) return 'AUTO_REJECT';
  return 'MANUAL_REVIEW';
}
