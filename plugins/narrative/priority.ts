import type { Facts } from 'bonafide/plugin';

export type ReviewPriority = 'AUTO_APPROVE' | 'MANUAL_REVIEW' | 'AUTO_REJECT';

/** Minimum number of e-mails and phones that belong only to other identities for AUTO_REJECT. */
const REJECTING = 2;

/** Days since an identity was last seen after which its contact details may be outdated. */
const CURRENT_DAYS = 5 * 365.25;

/**
 * Returns the suggested review action. Rules decide alone; the intent never changes the result.
 * - AUTO_APPROVE: score 85 or more, high confidence, no catfish flag, no value of another identity, no red
 *   flag, and seen within five years.
 * - AUTO_REJECT: score below 40 with the catfish flag, confidence above low, and two e-mails or phones that
 *   belong only to other identities. A low score alone is mostly missing evidence, which is no reason to
 *   reject.
 * - MANUAL_REVIEW: everything else.
 */
export function chooseReviewPriority(
  { score: it, matches, history }: Pick<Facts, 'score' | 'matches'> & Partial<Pick<Facts, 'history'>>,
  redFlags: boolean,
): ReviewPriority {
  const { score, confidence, possible_catfish: catfish } = it;
  const isCurrent = (history?.days_since_last_seen ?? 0) <= CURRENT_DAYS;
  const clear = isCurrent && !catfish && !redFlags && matches.contacts.different + matches.others_own === 0;
  if (score >= 85 && confidence === 'HIGH' && clear) return 'AUTO_APPROVE';
  if (score < 40 && catfish && confidence !== 'LOW' && matches.others_own >= REJECTING) return 'AUTO_REJECT';
  return 'MANUAL_REVIEW';
}
